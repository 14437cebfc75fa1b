import type { FastifyInstance } from 'fastify'

const METHODS = 'GET, POST, PUT, PATCH, DELETE'

/** Lets the configured further origins read answers. Without any configured nothing of this is ever sent. */
export function crossOrigin(fastify: FastifyInstance, origins: readonly string[]): void {
  const allowed = new Set(origins)
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.header('vary', 'Origin')
    const { origin } = request.headers
    if (origin === undefined || !allowed.has(origin) || !request.url.startsWith('/api/')) return done()
    reply.headers({ 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true' })
    if (request.method !== 'OPTIONS') return done()
    reply
      .code(204)
      .headers({
        'access-control-allow-methods': METHODS,
        'access-control-allow-headers': 'content-type',
        'access-control-max-age': '600',
      })
      .send()
  })
}
