import tokens from '../kit/tokens.css?raw'
import { OFFLINE_TEXTS } from '#web/i18n/offline.ts'
import { comeBack } from './comeBack.ts'
import offlineStyle from './offline.css?raw'

const LAMP =
  '<svg viewBox="0 0 240 160" width="168" height="112" aria-hidden="true"><path d="M120 46v92M152 47v16M0 142h240"/>' +
  '<path d="M50 44c4-28 28-42 70-42s66 14 70 42c0 2-1 3-3 3H53c-2 0-3-1-3-3z"/></svg>'

/** A whole page in one answer, since nothing else can be fetched. It may ask its own server whether it is back, and nothing more. */
export function offlinePage(): Response {
  const nonce = crypto.randomUUID()
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'`
  const head =
    `<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover"><title>Chat Commons</title>` +
    `<style nonce="${nonce}">${tokens}${offlineStyle}</style>`
  const body =
    `<main>${LAMP}<h1></h1><p role="status"></p><button type="button"></button></main>` +
    `<script nonce="${nonce}">(${comeBack})(${JSON.stringify(OFFLINE_TEXTS)})</script>`
  return new Response(`<!doctype html><html lang="zh-CN"><head>${head}</head><body>${body}</body></html>`, {
    status: 503,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    },
  })
}
