import * as z from 'zod/mini'
import fastifySwagger from '@fastify/swagger'
import fastifySwaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { SESSION_COOKIE } from '#contract/users.ts'
import type { Call } from '#contract/call.ts'
import { Envelope } from '#contract/envelope.ts'
import { type ErrorNotes, refusalOfError } from './errors.ts'
import { type AddRoute, jsonAnswer, refusalAnswer, sendAnswer } from './route.ts'

type Schema = NonNullable<Call['body']>
type JsonSchema = Record<string, unknown>

const MEDIA_TYPES: Record<NonNullable<Call['bodyKind']>, string[]> = {
  json: ['application/json'],
  form: ['application/x-www-form-urlencoded', 'multipart/form-data'],
  file: ['multipart/form-data'],
  parts: ['multipart/form-data'],
  content: ['application/octet-stream'],
}

const NOTES: Record<Call['access'], string> = {
  anyone: 'Needs no session.',
  user: 'Needs a session.',
  superuser: 'Needs the session of an administrator.',
}

const SESSION = {
  type: 'apiKey',
  in: 'cookie',
  name: SESSION_COOKIE,
  description:
    'Where the address has a port, it stands behind the name: commons_session_8000. Over https, __Host- stands before it.',
}

/** The calls that have an answer, as an OpenAPI 3.1 document. */
export function openApiDocument(calls: readonly Call[], version: string) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const call of calls) {
    const path = (paths[call.path.replaceAll(/:(\w+)/g, '{$1}')] ??= {})
    path[call.method.toLowerCase()] = operation(call)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Chat Commons',
      version,
      description:
        'Every answer but a file has HTTP status 200; whether it is a success says the code inside: 200, or the code of a refusal.',
    },
    servers: [{ url: '/api' }],
    components: { securitySchemes: { session: SESSION } },
    paths,
  }
}

function operation(call: Call) {
  const { access, summary, body, params, query, bodyKind = 'json' } = call
  return {
    summary,
    description: NOTES[access],
    tags: [call.path.split('/')[1]],
    ...(access === 'anyone' ? {} : { security: [{ session: [] }] }),
    parameters: [...parameters('path', params), ...parameters('query', query)],
    ...(body === null
      ? {}
      : { requestBody: { required: true, content: content(MEDIA_TYPES[bodyKind], jsonSchema(body, 'input')) } }),
    responses: call.resultKind === 'file' ? FILE : inEnvelope(call.result),
  }
}

const FILE = {
  200: { description: 'The file', content: content(['application/octet-stream'], {}) },
  206: { description: 'The part of it that Range names' },
  416: { description: 'It ends before that part' },
  default: { description: 'A refusal', content: content(['application/json'], jsonSchema(Envelope, 'output')) },
}

function inEnvelope(result: Schema) {
  return { 200: { description: 'Success or refusal', content: content(['application/json'], envelopeWith(result)) } }
}

function parameters(location: 'path' | 'query', schema: Schema | null) {
  if (schema === null) return []
  const { properties = {}, required = [] } = jsonSchema(schema, 'input')
  // That is what a JSON schema of an object looks like.
  return Object.entries(properties as Record<string, JsonSchema>).map(([name, described]) => {
    return {
      name,
      in: location,
      required: location === 'path' || (required as string[]).includes(name),
      schema: described,
    }
  })
}

function envelopeWith(result: Schema): JsonSchema {
  const envelope = jsonSchema(Envelope, 'output')
  return {
    ...envelope,
    properties: { ...(envelope['properties'] as JsonSchema), result: jsonSchema(result, 'output') },
  }
}

/** What JSON cannot say of a schema, such as a file, is left open. */
function jsonSchema(schema: Schema, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...described } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return described
}

function content(types: string[], schema: JsonSchema) {
  return Object.fromEntries(types.map(type => [type, { schema }]))
}

/**
 * The viewer sets styles while it runs; nothing but this page's own scripts may run, and nothing may be sent to another
 * host.
 */
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
  // At the first request: every call has been registered by then, and most servers are never asked for it.
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
      // The plugin's types know OpenAPI up to 3.0 only. The viewer puts the document into the place of this one.
      await scope.register(fastifySwagger, { mode: 'static', specification: { document: {} as never } })
      await scope.register(fastifySwaggerUi, {
        transformSpecification: description,
        transformSpecificationClone: false,
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
