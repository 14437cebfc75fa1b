import * as z from 'zod/mini'
import { onTestFinished } from 'vitest'
import { type Call, nothing } from '#contract/call.ts'
import type { Envelope } from '#contract/envelope.ts'
import { openHttp, type Http, type HttpOptions } from '#server/foundation/http/http.ts'
import { openLog, type Log } from '#server/foundation/logging.ts'
import { openMetrics, type Metrics } from '#server/foundation/metrics.ts'

export type EdgeUser = { id: number; is_superuser: boolean }

/** The users behind the session cookies. */
export const SESSIONS: Record<string, EdgeUser> = {
  ann: { id: 1, is_superuser: false },
  ben: { id: 2, is_superuser: false },
  sue: { id: 3, is_superuser: true },
}
const authenticate = async (token: string): Promise<EdgeUser | null> => SESSIONS[token] ?? null
export const cookieOf = (name: string): string => `commons_session=${name}`

export const readThing = {
  ...nothing,
  access: 'user',
  method: 'GET',
  path: '/thing/:id',
  summary: 'A thing.',
  params: z.object({ id: z.string().check(z.regex(/^\d+$/)) }),
  query: z.object({ color: z.optional(z.string()) }),
  result: z.object({ id: z.string(), color: z.optional(z.string()), user: z.int() }),
} as const satisfies Call
export const keepThing = {
  ...nothing,
  access: 'user',
  method: 'POST',
  path: '/thing',
  summary: 'Keeps one.',
  body: z.object({
    name: z.string(),
    count: z.optional(z.int().check(z.minimum(0), z.maximum(1000))),
    more: z.optional(z.unknown()),
  }),
  result: z.unknown(),
} as const satisfies Call
export const openThing = {
  ...nothing,
  access: 'anyone',
  method: 'POST',
  path: '/thing/open',
  summary: 'Needs no session.',
  body: z.object({ word: z.string() }),
  bodyKind: 'form',
  result: z.object({ word: z.string(), user: z.nullable(z.int()) }),
} as const satisfies Call
export const dropThings = {
  ...nothing,
  access: 'superuser',
  method: 'DELETE',
  path: '/thing',
  summary: 'Drops all.',
  result: z.null(),
} as const satisfies Call

/** The server's log, line by line. */
export type Lines = Record<string, unknown>[]

type EdgeDependencies = { log: Log; metrics: Metrics }

/** The HTTP edge with a few calls of its own, listening on loopback until the end of the test. */
export async function anEdge(
  options: Partial<HttpOptions<EdgeUser>> = {},
  more: (http: Http<EdgeUser>, dependencies: EdgeDependencies) => void = () => {},
) {
  const lines: Lines = []
  const metrics = openMetrics()
  const log = openLog('DEBUG', {
    write: line => {
      lines.push(JSON.parse(line))
    },
  })
  const http = openHttp<EdgeUser>({
    authenticate,
    log,
    metrics,
    publicOrigin: () => null,
    corsOrigins: [],
    trustedProxies: [],
    requestsPerMinute: () => 1_000_000,
    page_dir: null,
    ready: async () => true,
    metricsToken: null,
    ...options,
  })
  http.answer(readThing, ({ params, query, user }) => ({ id: params.id, color: query.color, user: user.id }))
  http.answer(keepThing, ({ body }) => body)
  http.answer(openThing, ({ body, user }) => ({ word: body.word, user: user?.id ?? null }))
  http.answer(dropThings, () => null)
  more(http, { log, metrics })
  const url = await http.fastify.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => http.close(0))
  return { http, url, lines, metrics, call: caller(url) }
}
export type Edge = Awaited<ReturnType<typeof anEdge>>

type Sent = { method?: string; as?: string; headers?: Record<string, string>; body?: BodyInit; json?: unknown }

/** Sends requests as our page does unless the test says otherwise: with a session, from the same origin. */
function caller(url: string) {
  return async (path: string, { method = 'GET', as, headers = {}, body, json }: Sent = {}) => {
    const response = await fetch(url + path, {
      method,
      redirect: 'manual',
      body: json === undefined ? body : JSON.stringify(json),
      headers: {
        ...(method === 'GET' ? {} : { origin: url }),
        ...(as === undefined ? {} : { cookie: cookieOf(as) }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
    })
    const text = await response.text()
    // Every JSON answer under /api is an envelope; tests of other paths read the text.
    const envelope = (
      method !== 'HEAD' && response.headers.get('content-type')?.startsWith('application/json')
        ? JSON.parse(text)
        : null
    ) as Envelope
    return { status: response.status, headers: response.headers, text, envelope }
  }
}
