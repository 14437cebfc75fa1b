import type { Configuration } from '#contract/configuration/configuration.ts'
import { type Outbound, type OutboundAnswer, OutboundFailure } from '#server/foundation/outbound/outbound.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { forwardedPath } from './target.ts'

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
