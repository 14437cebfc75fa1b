import { createHash } from 'node:crypto'
import { ARKOSE_KEY } from '#contract/arkose.ts'

/**
 * Runs in the sandboxed page: loads the enforcement script, and passes on what comes of it (contract/arkose.ts,
 * ArkoseResult). The page may read nothing of the portal, and has the portal's address for its own, not its origin.
 */
const SCRIPT = `
const source = document.currentScript.dataset.source
const send = result => parent.postMessage(result, location.origin)
const fail = reason => send({ arkose: 'failed', reason })
window.setupEnforcement = enforcement => {
  enforcement.setConfig({
    onCompleted: ({ token }) => send({ arkose: 'token', token }),
    onShow: () => send({ arkose: 'shown' }),
    onError: () => fail('enforcement'),
    onFailed: () => fail('enforcement'),
  })
  enforcement.run()
}
const script = document.createElement('script')
script.src = source
script.dataset.callback = 'setupEnforcement'
script.onerror = () => fail('script')
document.head.append(script)
`
const DIGEST = `'sha256-${createHash('sha256').update(SCRIPT).digest('base64')}'`

/** What a policy can name. */
const PLAIN_HOST = /^[\w.-]+(?::\d{1,5})?$/

type Scripts = `'${string}'`

/** Nothing but what comes through the forwarder with this ticket, and no origin: no cookie, no storage, no call. */
function policyFor(host: string, prefix: string, scripts: Scripts): string {
  const forwarder = PLAIN_HOST.test(host) ? host + prefix : "'self'"
  return [
    'sandbox allow-scripts',
    "default-src 'none'",
    `script-src ${forwarder} ${scripts}`,
    `style-src ${forwarder} 'unsafe-inline'`,
    `img-src ${forwarder} data: blob:`,
    `font-src ${forwarder} data:`,
    `media-src ${forwarder} data: blob:`,
    `connect-src ${forwarder}`,
    `frame-src ${forwarder}`,
    `worker-src ${forwarder} blob:`,
    "form-action 'none'",
    "base-uri 'none'",
  ].join('; ')
}

/** The page that a conversation holds in a frame. `prefix`: of what is forwarded with this ticket. */
export const frameHtml = (prefix: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Arkose</title></head>` +
  `<body><script data-source="${prefix}v2/${ARKOSE_KEY}/api.js">${SCRIPT}</script></body></html>`

export const framePolicy = (host: string, prefix: string): string =>
  `${policyFor(host, prefix, DIGEST as Scripts)}; frame-ancestors 'self'` // it begins and ends with a quotation mark

/**
 * For pages of the endpoint, which the script puts into frames of its own. There is no frame-ancestors: the sandboxed
 * page that holds them has no origin that could be named.
 */
export const forwardedPolicy = (host: string, prefix: string): string => policyFor(host, prefix, "'unsafe-inline'")
