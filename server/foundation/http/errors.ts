import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type RefusalKey, REFUSALS } from '#contract/refusals.ts'
import type { Log } from '../logging.ts'
import type { Metrics } from '../metrics.ts'
import { envelopeOf, invalid, Refusal, storageRefusalOf } from '../refusal.ts'
import type { SendPage } from './page.ts'
import { isSendingFile } from './upload.ts'

/** Errors of fastify and Node, as refusals. */
const KNOWN: Record<string, () => Refusal> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => new Refusal('bodyTooLarge'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => new Refusal('mediaTypeNotSupported'),
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: () => new Refusal('mediaTypeNotSupported'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => invalid(['body'], 'Not as long as it says', 'length_mismatch'),
  FST_ERR_BAD_URL: () => invalid(['path'], 'Not an address', 'url_invalid'),
  FST_ERR_MAX_PARAM_LENGTH: () => new Refusal('resourceNotFound'),
}

export type ErrorNotes = { log: Log; metrics: Metrics; printTraceback?: () => boolean }

/**
 * What was thrown, as the refusal to answer with: a refusal as it is, anything else as an internal error, which is
 * logged.
 */
export function refusalOfError(
  error: unknown,
  request: FastifyRequest,
  { log, metrics, printTraceback }: ErrorNotes,
): Refusal {
  const refusal = refusalOf(error) ?? (isGone(request, error) ? new Refusal('timeout') : null)
  if (refusal !== null) {
    if (refusal.cause !== undefined)
      log.warn({ request: request.id, refusal: refusal.key, err: refusal.cause }, 'refused')
    return refusal
  }
  metrics.unexpectedErrors.inc()
  const logged = printTraceback?.() === false && error instanceof Error ? error.name : error
  log.error(
    { request: request.id, method: request.method, route: request.routeOptions.url, err: logged },
    'unexpected error',
  )
  return new Refusal('internal', { request_id: request.id })
}

function refusalOf(error: unknown): Refusal | null {
  if (error instanceof Refusal) return error
  const ofStorage = storageRefusalOf(error)
  if (ofStorage !== null) return ofStorage
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
  return KNOWN[code]?.() ?? (isOfTheRequest(code, error) ? new Refusal('invalidRequest') : null)
}

/**
 * Any other 4xx error of fastify, or of what sends files for it (marked by "expose"), is the client's fault too,
 * whatever future versions add.
 */
function isOfTheRequest(code: string, error: unknown): boolean {
  if (!(error instanceof Error) || !('statusCode' in error) || !(code.startsWith('FST_ERR_') || 'expose' in error))
    return false
  return typeof error.statusCode === 'number' && error.statusCode >= 400 && error.statusCode < 500
}

/**
 * The client hung up before it had sent everything, or before a file was on its way to it: nobody reads the answer, and
 * nothing is wrong here.
 */
function isGone({ raw }: FastifyRequest, error: unknown): boolean {
  const brokeOff = error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'
  return (raw.destroyed && !raw.complete) || (brokeOff && raw.socket.destroyed)
}

/** Always with HTTP 200: the verdict is the code inside (docs/protocol.md). */
export function sendRefusal(reply: FastifyReply, refusal: Refusal): FastifyReply {
  const envelope = envelopeOf(refusal)
  reply.request.verdict = envelope.code
  return reply
    .code(200)
    .headers({ 'content-type': 'application/json; charset=utf-8', ...retryAfter(refusal) })
    .send(JSON.stringify(envelope))
}

/** The header by which programs know when to try again. */
export function retryAfter({ values: { retry_after_seconds: seconds } }: Refusal): Record<string, number> {
  return typeof seconds === 'number' ? { 'retry-after': seconds } : {}
}

/**
 * Outside the page as well: paths with a meaning of their own, which must not look like a page when they are switched
 * off.
 */
const NO_PAGE = /^\/(?:healthz|readyz|metrics|v1|assets)(?:[/?]|$)/

/**
 * A browser says that it wants a page. A checker of links or a preview in a chat takes anything, and means a page
 * unless it names a file.
 */
function takesPage(url: string, accept = '*/*'): boolean {
  return accept.includes('text/html') || (accept.includes('*/*') && !namesFile(url))
}

function namesFile(url: string): boolean {
  const [path = ''] = url.split('?', 1)
  return path.slice(path.lastIndexOf('/')).includes('.')
}

function wantsPage({ method, url, headers }: FastifyRequest): boolean {
  return (method === 'GET' || method === 'HEAD') && !NO_PAGE.test(url) && takesPage(url, headers.accept)
}

const NOT_FOUND = 'not found\n'

/** Unknown addresses: an envelope under /api, the page for whoever navigates, a plain line for the rest. */
export function notFound(answered: ReadonlySet<string>, page: SendPage) {
  const known = patternsOf(answered)
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply> => {
    const { url } = request
    if (url.startsWith('/api/') || url === '/api') {
      const methods = known(url.slice('/api'.length).split('?', 1)[0] ?? '')
      if (methods.length === 0) return sendRefusal(reply, new Refusal('resourceNotFound'))
      return sendRefusal(reply.header('allow', methods.join(', ')), new Refusal('methodNotAllowed'))
    }
    if (wantsPage(request)) return page(request, reply)
    return reply.code(404).type('text/plain').send(NOT_FOUND)
  }
}

/**
 * An address outside the API that cannot be decoded, such as /%. The page cannot be sent for it, and has an address for
 * what is not found.
 */
export function notDecodable(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (wantsPage(request)) return reply.redirect('/error/404')
  return reply.code(404).type('text/plain').send(NOT_FOUND)
}

/** Which methods a path is answered for; looked up only when a request found nobody. */
function patternsOf(answered: ReadonlySet<string>): (path: string) => string[] {
  let patterns: { method: string; pattern: RegExp }[] | null = null
  return path => {
    patterns ??= [...answered].map(address => {
      const [method = '', template = ''] = address.split(' ')
      return { method, pattern: new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`) }
    })
    return patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
  }
}

/** Of refusals whose code is -1; of any other of those it is 400. */
const STATUSES: Partial<Record<RefusalKey, number>> = {
  timeout: 408,
  fileTooLarge: 413,
  tooManyRequests: 429,
  tooManySignInAttempts: 429,
  askedTooOften: 429,
  queueFull: 429,
  quietAsksFull: 429,
  conversationNotFound: 404,
  messageNotFound: 404,
  askNotFound: 404,
  internal: 500,
  arkoseError: 502,
  unknownError: 500,
  serverStopping: 503,
  diskFull: 507,
  diskNotWritable: 503,
  databaseUnreachable: 503,
}

/** The HTTP status of a refusal, for what is answered outside the envelope, where every status is 200. */
export function statusOf(key: RefusalKey): number {
  const { code } = REFUSALS[key]
  switch (code) {
    case 10401:
      return 401
    case 10403:
      return 403
    case -1:
      return STATUSES[key] ?? 400
    default:
      return code
  }
}

/**
 * What is no HTTP at all, or too slow, or has too large headers: answered as well as can be, then cut. A file has
 * deadlines of its own.
 */
export function badRequest(error: { code: string }, socket: Socket): void {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && isSendingFile(socket)) return
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const refusal = new Refusal(error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'timeout' : 'invalidRequest')
  socket.end(rawAnswer(refusal, error.code === 'HPE_HEADER_OVERFLOW' ? 431 : statusOf(refusal.key)))
}

/** An answer in bytes, for a connection that is closed after it: there is no reply of Fastify to send it by. */
export function rawAnswer(refusal: Refusal, status = statusOf(refusal.key)): string {
  const body = JSON.stringify(envelopeOf(refusal))
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'connection: close',
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store',
    'x-content-type-options: nosniff',
    '',
    body,
  ].join('\r\n')
}
