import { createHash, timingSafeEqual } from 'node:crypto'
import type { Metrics } from '../metrics.ts'
import { Refusal } from '../refusal.ts'
import { type AddRoute, anyone, type HttpAnswer, refusalAnswer, textAnswer } from './route.ts'

type Options = { ready(): Promise<boolean>; metrics: Metrics; metricsToken: string | null }

const NOT_KEPT = { 'cache-control': 'no-store' }

/** Health checks and metrics. */
export function serveHealth(
  route: AddRoute,
  { ready, metrics, metricsToken }: Options,
  state: { stopping: boolean },
): void {
  const line = (status: number, text: string): HttpAnswer => textAnswer(status, `${text}\n`, NOT_KEPT)

  route({ method: 'GET', path: '/healthz', admit: anyone, handle: () => line(200, 'ok') })

  route({
    method: 'GET',
    path: '/readyz',
    admit: anyone,
    handle: async () => {
      const isReady = !state.stopping && (await ready().catch(() => false))
      return isReady ? line(200, 'ready') : line(503, 'not ready')
    },
  })

  // Without a token the path does not exist: it gets the not-found answer of any other path.
  if (metricsToken === null) return
  const expected = digest(`Bearer ${metricsToken}`)
  route({
    method: 'GET',
    path: '/metrics',
    admit: ({ headers }) => {
      if (!timingSafeEqual(digest(headers.authorization ?? ''), expected)) throw new Refusal('userNotLogin')
    },
    handle: async () => ({
      status: 200,
      headers: { 'content-type': metrics.registry.contentType, ...NOT_KEPT },
      body: await metrics.registry.metrics(),
    }),
    refused: refusal =>
      refusal.key === 'userNotLogin'
        ? textAnswer(401, 'a token is needed\n', { 'www-authenticate': 'Bearer', ...NOT_KEPT })
        : refusalAnswer(refusal),
  })
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
