import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Call } from '#contract/call.ts'
import { hasSessionCookie } from './sessionCookies.ts'

/** What the page at a path will ask for first. Sent along with it, so that whoever is signed in need not wait for it once more. */
export type FirstCalls = (path: string) => readonly Call[]

/** Characters. A long list is better asked for by the page than waited for by its first paint. */
const LONGEST_ANSWER = 60_000
const SUCCEEDED = '{"code":200,'
/** Where the built page takes them. */
const PLACE = '<!-- answers -->'

/** By 'METHOD /path', the answers as they went over the wire; null for whoever has no session that holds. */
export async function answersFor(
  fastify: FastifyInstance,
  request: FastifyRequest,
  calls: readonly Call[],
): Promise<Map<string, string> | null> {
  const { cookie, host } = request.headers
  if (cookie === undefined || calls.length === 0 || !hasSessionCookie(cookie)) return null
  // Made as the page would make them, through the same door: who may, how often, and what is counted stays in one place.
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
  const good = answers.filter(([, answer]) => answer.startsWith(SUCCEEDED) && answer.length <= LONGEST_ANSWER)
  return good.length === 0 ? null : new Map(good)
}

/** As data, which no policy has to allow and nothing runs: whatever people have written stays inside of it. */
export function withAnswers(page: string, answers: ReadonlyMap<string, string>): string {
  const entries = [...answers].map(([address, answer]) => `${JSON.stringify(address)}:${answer}`)
  const json = `{${entries.join(',')}}`.replaceAll('<', '\\u003c')
  return page.replace(PLACE, () => `<script type="application/json" id="answers">${json}</script>`)
}
