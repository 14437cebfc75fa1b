import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Call } from '#contract/call.ts'
import { hasSessionCookie } from './sessionCookies.ts'

/** The calls that the page at a path will make first. Their answers are sent along with it, which saves a signed-in user a round trip. */
export type FirstCalls = (path: string) => readonly Call[]

/** Characters. A long list is better asked for by the page than waited for by its first paint. */
const MAX_ANSWER = 60_000
const SUCCEEDED = '{"code":200,'
/** The part of the built page that they replace. */
const PLACEHOLDER = '<!-- answers -->'

/** By 'METHOD /path', the answers as they went over the wire; null for whoever has no session that holds. */
export async function answersFor(
  fastify: FastifyInstance,
  request: FastifyRequest,
  calls: readonly Call[],
): Promise<Map<string, string> | null> {
  const { cookie, host } = request.headers
  if (cookie === undefined || calls.length === 0 || !hasSessionCookie(cookie)) return null
  // Requested as the page would: rights, rate limits and metrics stay in one place.
  const ask = async ({ method, path }: Call): Promise<[string, string]> => {
    const { payload } = await fastify.inject({
      method,
      url: `/api${path}`,
      headers: { cookie, host },
      remoteAddress: request.ip,
    })
    return [`${method} ${path}`, payload]
  }
  const answers = await Promise.all(calls.map(ask))
  const good = answers.filter(([, answer]) => answer.startsWith(SUCCEEDED) && answer.length <= MAX_ANSWER)
  return good.length === 0 ? null : new Map(good)
}

/** In a script element of type JSON, which no browser runs; escaped, so that no text in it can end the element. */
export function withAnswers(page: string, answers: ReadonlyMap<string, string>): string {
  const entries = [...answers].map(([address, answer]) => `${JSON.stringify(address)}:${answer}`)
  const json = `{${entries.join(',')}}`.replaceAll('<', '\\u003c')
  return page.replace(PLACEHOLDER, () => `<script type="application/json" id="answers">${json}</script>`)
}
