import tokens from '../kit/tokens.css?raw'
import { OFFLINE_TEXTS, type OfflineTexts } from '#web/i18n/offline.ts'
import offlineStyle from './offline.css?raw'

const ILLUSTRATION =
  '<svg viewBox="0 0 240 160" width="168" height="112" aria-hidden="true"><path d="M120 46v92M152 47v16M0 142h240"/>' +
  '<path d="M50 44c4-28 28-42 70-42s66 14 70 42c0 2-1 3-3 3H53c-2 0-3-1-3-3z"/></svg>'

/**
 * A whole page in one response, since nothing else can be fetched. Its policy lets it ask its own server whether it is
 * back, and nothing more.
 */
export function offlinePage(): Response {
  const nonce = crypto.randomUUID()
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'`
  const head =
    `<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover"><title>Chat Commons</title>` +
    `<style nonce="${nonce}">${tokens}${offlineStyle}</style>`
  const body =
    `<main>${ILLUSTRATION}<h1></h1><p role="status"></p><button type="button"></button></main>` +
    `<script nonce="${nonce}">(${reloadWhenBack})(${JSON.stringify(OFFLINE_TEXTS)})</script>`
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

/**
 * The script of the offline page: shows its texts in the user's language, and reloads the page as soon as the server
 * answers. Its source text is put into the page, so it may use nothing but the browser and its parameter.
 */
function reloadWhenBack(texts: Record<string, OfflineTexts>): void {
  const FIRST_PAUSE_MS = 2000
  const MAX_PAUSE_MS = 30_000
  const stored = (name: string) => {
    try {
      return localStorage.getItem(name) ?? ''
    } catch {
      return ''
    }
  }
  const language = stored('language') in texts ? stored('language') : document.documentElement.lang
  const shown = texts[language]
  if (shown === undefined) return
  const dark =
    stored('theme') === 'dark' || (stored('theme') !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.lang = language
  document.documentElement.dataset['theme'] = dark ? 'dark' : 'light'
  let pause = FIRST_PAUSE_MS
  let timer = 0

  const setText = (selector: string, text: string) => {
    const element = document.querySelector(selector)
    if (element !== null && element.textContent !== text) element.textContent = text
  }
  const show = () => {
    setText('h1', navigator.onLine ? shown.away : shown.offline)
    setText('p', navigator.onLine ? shown.awayText : shown.offlineText)
    setText('button', shown.again)
  }
  const check = async () => {
    clearTimeout(timer)
    show()
    const isBack = await fetch('/healthz', { cache: 'no-store' }).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isBack) return location.reload()
    timer = Number(setTimeout(check, pause))
    pause = Math.min(pause * 1.5, MAX_PAUSE_MS)
  }

  document.querySelector('button')?.addEventListener('click', () => location.reload())
  addEventListener('online', check)
  addEventListener('offline', show)
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) void check()
  })
  show()
  timer = Number(setTimeout(check, pause))
}

/** The statuses of a proxy that cannot reach the server. */
const NO_SERVER = [502, 503, 504]

/** Whether a proxy sent the response in place of the server, whose own responses always have a request id. */
export function isFromGateway({ status, headers }: Response): boolean {
  return NO_SERVER.includes(status) && !headers.has('x-request-id')
}
