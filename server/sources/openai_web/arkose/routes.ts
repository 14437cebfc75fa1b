import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { beginArkose, readArkose, ARKOSE_KEY } from '#contract/arkose.ts'
import { leaveBytes } from '#server/foundation/http/body.ts'
import type { Http } from '#server/foundation/http/http.ts'
import type { HttpAnswer } from '#server/foundation/http/route.ts'
import type { SignedIn } from '#server/foundation/http/sessionGuard.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { Arkose } from './arkose.ts'
import { withForwardedChallenge, targetOf } from './forwarder.ts'

/** Bytes. */
const MAX_BODY = 256 * 1024

const FRAME = '/api/arkose/frame/:ticket'
const FORWARDED = '/api/arkose/p/:ticket/*'

/** Whoever opens such an answer by itself gets nothing that runs. */
const PASSIVE = "sandbox; default-src 'none'"
const HTML = 'text/html; charset=utf-8'
const JSON_ANSWER = 'application/json; charset=utf-8'
const JSON_TYPE = /^(?:application|text)\/(?:[\w.+-]+\+)?json\b/i
const HTML_TYPE = /^(?:text\/html|application\/xhtml\+xml)\b/i
/** What the script and its pages load. Anything else is bytes. */
const KNOWN_TYPE =
  /^(?:(?:text|application)\/(?:javascript|x-javascript|css|plain|wasm)|image\/(?:png|jpeg|gif|webp|svg\+xml)|font\/[\w.+-]+|audio\/[\w.+-]+)(?:; ?charset=[\w-]{1,20})?$/i

/** The frame has no origin: what it loads is from another one, and is readable to it without cookies. */
const FOR_THE_FRAME = { 'cross-origin-resource-policy': 'cross-origin', 'access-control-allow-origin': '*' }

/** `prefix`: of what is forwarded with the ticket. */
type Admitted = { base: string; prefix: string }

export function arkoseRoutes<U extends SignedIn>(http: Http<U>, arkose: Arkose): void {
  const { base, tickets } = arkose
  http.answer(readArkose, () => arkose.info())
  http.answer(beginArkose, ({ user }) => {
    requireOn()
    return { frame_url: FRAME.replace(':ticket', tickets.issue(user.id)) }
  })

  http.route({
    method: 'GET',
    path: FRAME,
    admit: admitTicket,
    handle: (request, { prefix }) => ({
      status: 200,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': framePolicy(request.host, prefix),
      },
      body: frameHtml(prefix),
    }),
  })
  for (const method of ['GET', 'POST'] as const)
    http.route({
      method,
      path: FORWARDED,
      ...(method === 'POST' && { prepare: leaveBytes(MAX_BODY) }),
      admit: admitTicket,
      handle: (request, admitted) => forward(method, request, admitted),
    })
  // Asked before a request of the frame that is more than a form.
  http.route({
    method: 'OPTIONS',
    path: FORWARDED,
    admit: admitTicket,
    handle: () => ({
      status: 204,
      headers: {
        ...FOR_THE_FRAME,
        'access-control-allow-methods': 'GET, POST',
        'access-control-allow-headers': '*',
        'access-control-max-age': 300,
      },
      body: '',
    }),
  })

  /** While it is off nothing of it is there. */
  function requireOn(): string {
    const on = base()
    if (on === null) throw new Refusal('resourceNotFound')
    return on
  }

  async function admitTicket(request: FastifyRequest): Promise<Admitted> {
    http.guard.requireRate(request.raw, [])
    const base = requireOn()
    const { ticket = '' } = request.params as { ticket?: string } // both paths have it
    // What the frame loads comes from no origin. Nothing of it may ever be a script of the page itself.
    const isOfPage = request.headers['sec-fetch-site'] === 'same-origin' && request.routeOptions.url === FORWARDED
    if (isOfPage || !(await tickets.isGood(ticket))) throw new Refusal('resourceNotFound')
    return { base, prefix: FORWARDED.replace(':ticket', ticket).slice(0, -1) }
  }

  async function forward(
    method: 'GET' | 'POST',
    { url, headers, body, host }: FastifyRequest,
    { base, prefix }: Admitted,
  ): Promise<HttpAnswer> {
    const target = url.startsWith(prefix) ? targetOf(base, url.slice(prefix.length)) : null
    if (target === null) throw new Refusal('resourceNotFound')
    const answer = await arkose.ask({
      method,
      url: target,
      headers: sentOn(headers),
      body: Buffer.isBuffer(body) ? body : null,
    })
    const type = answer.content_type
    // A page runs only in a frame of the sandboxed one, and without an origin even there.
    const isPage = HTML_TYPE.test(type)
    if (isPage && headers['sec-fetch-dest'] !== 'iframe') throw new Refusal('arkoseError')
    const isJson = JSON_TYPE.test(type)
    return {
      status: answer.status,
      headers: {
        ...FOR_THE_FRAME,
        'content-type': isPage
          ? HTML
          : isJson
            ? JSON_ANSWER
            : KNOWN_TYPE.test(type)
              ? type
              : 'application/octet-stream',
        'content-security-policy': isPage ? forwardedPolicy(host, prefix) : PASSIVE,
      },
      body: isJson ? withForwardedChallenge(answer.body, base, prefix) : answer.body,
    }
  }
}

/** Characters of a header that is sent on. */
const MAX_HEADER = 300

/** What the answer may depend on. No cookie, no key, and not where the person is. */
function sentOn(headers: FastifyRequest['headers']): Record<string, string> {
  const names = ['content-type', 'accept', 'accept-language', 'user-agent'] as const
  return Object.fromEntries(
    names.flatMap(name => {
      const value = headers[name]
      return value === undefined || value.length > MAX_HEADER ? [] : [[name, value]]
    }),
  )
}

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
const frameHtml = (prefix: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Arkose</title></head>` +
  `<body><script data-source="${prefix}v2/${ARKOSE_KEY}/api.js">${SCRIPT}</script></body></html>`

const framePolicy = (host: string, prefix: string): string =>
  `${policyFor(host, prefix, DIGEST as Scripts)}; frame-ancestors 'self'` // it begins and ends with a quotation mark

/**
 * For pages of the endpoint, which the script puts into frames of its own. There is no frame-ancestors: the sandboxed
 * page that holds them has no origin that could be named.
 */
const forwardedPolicy = (host: string, prefix: string): string => policyFor(host, prefix, "'unsafe-inline'")
