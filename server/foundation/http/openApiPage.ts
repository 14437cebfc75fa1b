import fastifySwagger from '@fastify/swagger'
import fastifySwaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Call } from '#contract/call.ts'
import { type ErrorNotes, refusalOfError } from './errors.ts'
import { openApiDocument } from './openApi.ts'
import { type AddRoute, jsonAnswer, refusalAnswer, sendAnswer } from './route.ts'

/** The viewer sets styles while it runs; nothing but this page's own scripts may run, and nothing may be sent to another host. */
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

type Options = {
  route: AddRoute
  notes: ErrorNotes
  calls: readonly Call[]
  version: string
  requireSuperuser(request: FastifyRequest): Promise<unknown>
}

/** /api/openapi.json and a page to browse it at /api/docs/, both for administrators. */
export function serveOpenApi(
  fastify: FastifyInstance,
  { route, notes, calls, version, requireSuperuser }: Options,
): void {
  // Not before the first request, so that every call has been registered.
  let document: ReturnType<typeof openApiDocument> | undefined
  const description = () => (document ??= openApiDocument(calls, version))

  route({
    method: 'GET',
    path: '/api/openapi.json',
    admit: requireSuperuser,
    handle: () => jsonAnswer(200, description()),
  })

  void fastify.register(
    async scope => {
      scope.addHook('onRequest', async request => {
        await requireSuperuser(request)
      })
      scope.setErrorHandler((error, request, reply) =>
        sendAnswer(request, reply, refusalAnswer(refusalOfError(error, request, notes))),
      )
      // The plugin's types know OpenAPI up to 3.0 only; it hands the document on as it is.
      await scope.register(fastifySwagger, { mode: 'static', specification: { document: description() as never } })
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
