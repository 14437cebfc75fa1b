import { URL } from 'node:url'
import type { Configuration } from '#contract/configuration/configuration.ts'
import { type Outbound, type OutboundAnswer, OutboundFailure } from '#server/foundation/outbound/outbound.ts'
import { Refusal } from '#server/foundation/refusal.ts'

/** Bytes of an answer. */
const MAX_ANSWER = 4 * 1024 * 1024
const DEADLINES = {
  connect_timeout_ms: 5_000,
  first_byte_timeout_ms: 10_000,
  idle_timeout_ms: 10_000,
  total_timeout_ms: 20_000,
}

/** What the browser sends on. Never a cookie or a key. */
type ForwardedRequest = {
  method: 'GET' | 'POST'
  url: string
  headers: Record<string, string>
  body: Buffer | null
}
type ForwardedAnswer = { status: number; content_type: string; body: Buffer }

type Dependencies = { outbound: Outbound; configuration(): Configuration }

/** Asks the endpoint. Whatever is no answer of its own - a redirect, one that is too large or too slow - is refused. */
export function arkoseForwarder({ outbound, configuration }: Dependencies) {
  return async ({ method, url, headers, body }: ForwardedRequest): Promise<ForwardedAnswer> => {
    try {
      const answer = await outbound.request({
        method,
        url,
        headers,
        ...(body !== null && { body: body.toString() }),
        proxy: configuration().openai_web.proxy,
        // The administrator's own address, like that of the web service.
        addresses: 'any',
        ...DEADLINES,
      })
      const { status } = answer
      if (status < 200 || (status >= 300 && status < 400)) {
        answer.body.destroy()
        throw new Refusal('arkoseError')
      }
      return { status, content_type: answer.header('content-type') ?? '', body: await wholeBody(answer) }
    } catch (cause) {
      throw cause instanceof OutboundFailure ? new Refusal('arkoseError', {}, { cause }) : cause
    }
  }
}

async function wholeBody({ header, body }: OutboundAnswer): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let size = Number(header('content-length') ?? 0)
  if (size > MAX_ANSWER) {
    body.destroy()
    throw new Refusal('arkoseError')
  }
  size = 0
  await body.each(chunk => {
    size += chunk.length
    if (size > MAX_ANSWER) throw new Refusal('arkoseError')
    parts.push(chunk)
    return 'continue'
  })
  return Buffer.concat(parts)
}

/** The script of the challenge comes through the forwarder too; where it cannot, its address is left out. */
export function withForwardedChallenge(json: Buffer, base: string, prefix: string): Buffer {
  try {
    const answer: unknown = JSON.parse(json.toString())
    if (typeof answer !== 'object' || answer === null || !('challenge_url_cdn' in answer)) return json
    const path = typeof answer.challenge_url_cdn === 'string' ? forwardedPath(base, answer.challenge_url_cdn) : null
    return Buffer.from(JSON.stringify({ ...answer, challenge_url_cdn: path === null ? null : prefix + path }))
  } catch {
    return json
  }
}

/** Characters of a path and of a query. */
const MAX_LENGTHS = { path: 1024, query: 4096 }
/**
 * Nothing is encoded in it, so nothing can be hidden: no dots, no slashes, no line breaks. No part of it is empty or
 * begins with a dot.
 */
const PLAIN_PATH = /^(?:[\w~!$'()*+,=:@-][\w.~!$'()*+,=:@-]*\/)*[\w~!$'()*+,=:@-][\w.~!$'()*+,=:@-]*$/
const PLAIN_QUERY = /^(?:[\w.~!$'()*+,;=:@/?&-]|%[\dA-Fa-f]{2})*$/
const CONTROL = /%(?:[01][\dA-F]|7F)/i

/**
 * Where the script finds what it needs, seen from the folder that `v2/` is in: it takes whatever stands before `/v2/`
 * in its own address for its host.
 */
const BESIDE = /^(?:v2|fc|cdn)\//

/** The folder that `v2/` is in. */
const folderOf = (base: string): URL => new URL('..', base)

/**
 * The address at the endpoint for what came behind the ticket, encoded as it came; null for what leads anywhere else.
 */
export function targetOf(base: string, path_and_query: string): string | null {
  const [path = '', ...rest] = path_and_query.split('?')
  const query = rest.join('?')
  if (path.length > MAX_LENGTHS.path || !PLAIN_PATH.test(path)) return null
  if (query.length > MAX_LENGTHS.query || !PLAIN_QUERY.test(query) || CONTROL.test(query)) return null
  const folder = BESIDE.test(path) ? folderOf(base) : new URL(base)
  const target = new URL(folder)
  target.pathname += path
  target.search = query
  const isWithin = target.origin === folder.origin && target.pathname === folder.pathname + path
  return isWithin ? target.href : null
}

/**
 * An address that the endpoint gives, as the path behind a ticket; null where that would lead elsewhere. Whichever host
 * it names, ours is asked.
 */
export function forwardedPath(base: string, address: string): string | null {
  const url = URL.parse(address, base)
  if (url === null) return null
  const { origin, pathname } = folderOf(base)
  const isOwn = url.origin === origin && url.pathname.startsWith(pathname)
  const path = url.pathname.slice(isOwn ? pathname.length : 1)
  const found = `${path}${url.search}`
  return BESIDE.test(path) && targetOf(base, found) !== null ? found : null
}
