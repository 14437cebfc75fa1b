import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Metrics } from '../metrics.ts'

type Options = { ready(): Promise<boolean>; metrics: Metrics; metricsToken: string | null }

/** Many a load balancer asks for no more than the status. */
const LOOKING = ['GET', 'HEAD']

/** Health checks and metrics: real HTTP statuses, no session, no rate limit. */
export function serveHealth(
  fastify: FastifyInstance,
  { ready, metrics, metricsToken }: Options,
  state: { stopping: boolean },
): void {
  const say = (reply: FastifyReply, status: number, line: string): FastifyReply =>
    reply.code(status).type('text/plain').header('cache-control', 'no-store').send(`${line}\n`)

  fastify.route({ method: LOOKING, url: '/healthz', handler: (_request, reply) => say(reply, 200, 'ok') })

  fastify.route({
    method: LOOKING,
    url: '/readyz',
    handler: async (_request, reply) => {
      const isReady = !state.stopping && (await ready().catch(() => false))
      return isReady ? say(reply, 200, 'ready') : say(reply, 503, 'not ready')
    },
  })

  // Without a token the path does not exist: it gets the not-found answer of any other path.
  if (metricsToken === null) return
  const expected = digest(`Bearer ${metricsToken}`)
  fastify.get('/metrics', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    if (!timingSafeEqual(digest(request.headers.authorization ?? ''), expected)) {
      return reply.code(401).header('www-authenticate', 'Bearer').type('text/plain').send('a token is needed\n')
    }
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics())
  })
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
