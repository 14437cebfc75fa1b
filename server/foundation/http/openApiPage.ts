import fastifySwagger from '@fastify/swagger'
import fastifySwaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Call } from '#contract/call.ts'
import { openApiDocument } from './openApi.ts'

/** The viewer sets styles while it runs; nothing but this page's own scripts may run, and nothing leaves for elsewhere. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const VIEW = { layout: 'BaseLayout', docExpansion: 'none', deepLinking: true } as const

type Options = { calls: readonly Call[]; version: string; requireSuperuser(request: FastifyRequest): Promise<void> }

/** /api/openapi.json and a page to browse it at /api/docs/, both for administrators. */
export function serveOpenApi(fastify: FastifyInstance, { calls, version, requireSuperuser }: Options): void {
  // Runs when everything has been registered, so that the document is complete.
  void fastify.register(
    async scope => {
      scope.addHook('onRequest', requireSuperuser)
      const document = openApiDocument(calls, version)
      const json = JSON.stringify(document)
      scope.get('/openapi.json', (_request, reply) => reply.type('application/json; charset=utf-8').send(json))
      // The plugin's types know OpenAPI up to 3.0 only; it hands the document on as it is.
      await scope.register(fastifySwagger, { mode: 'static', specification: { document: document as never } })
      await scope.register(fastifySwaggerUi, {
        routePrefix: '/docs',
        indexPrefix: '/api',
        staticCSP: POLICY,
        uiConfig: VIEW,
        theme: { title: 'Chat Commons API' },
      })
    },
    { prefix: '/api' },
  )
}
