import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Method } from '#contract/call.ts'
import { envelopeOf, type Refusal } from '../refusal.ts'
import { refusalOfError, retryAfter, type ErrorNotes, statusOf } from './errors.ts'

/** What is answered outside the envelope: the HTTP status itself says how it went. */
export type HttpAnswer = {
  status: number
  headers?: Record<string, string | number | string[]>
  body: string | Buffer | Readable
}

/**
 * A route outside the envelope: health checks, metrics, downloads. Calls with an envelope are registered by `answer`.
 */
export type Route<Who> = {
  /** A route for GET answers HEAD as well. */
  method: Method | 'OPTIONS'
  /** The whole path, that of the API included. */
  path: `/${string}`
  /**
   * Who may use it, decided before a body is read. Returns what the handler gets as `who`; throws a refusal for
   * everybody else.
   */
  admit(request: FastifyRequest): Who | Promise<Who>
  handle(request: FastifyRequest, who: Who, reply: FastifyReply): HttpAnswer | Promise<HttpAnswer>
  /** The answer for a refusal; by default its envelope, with the status of the refusal. */
  refused?(refusal: Refusal, request: FastifyRequest): HttpAnswer
  /** What else its scope needs, such as a way to leave bodies unread. */
  prepare?(scope: FastifyInstance): unknown
  onResponse?(request: FastifyRequest, reply: FastifyReply, done: () => void): void
}

export type AddRoute = <Who>(route: Route<Who>) => void

/** For `admit`: no session, no rate limit. */
export const anyone = (): null => null

export function textAnswer(status: number, text: string, headers: HttpAnswer['headers'] = {}): HttpAnswer {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8', ...headers }, body: text }
}

export function jsonAnswer(status: number, json: unknown, headers: HttpAnswer['headers'] = {}): HttpAnswer {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: JSON.stringify(json),
  }
}

export const refusalAnswer = (refusal: Refusal): HttpAnswer =>
  jsonAnswer(statusOf(refusal.key), envelopeOf(refusal), retryAfter(refusal))

export function addingRoutes(fastify: FastifyInstance, notes: ErrorNotes): AddRoute {
  return ({ method, path, admit, handle, refused = refusalAnswer, onResponse = [], prepare }) => {
    const admitted = new WeakMap<FastifyRequest, Awaited<ReturnType<typeof admit>>>()
    const route: RouteOptions = {
      method: method === 'GET' ? ['GET', 'HEAD'] : method,
      url: path,
      onRequest: async request => {
        admitted.set(request, await admit(request))
      },
      onResponse,
      handler: async (request, reply) => {
        // Nobody comes here without having been admitted.
        const who = admitted.get(request) as Awaited<ReturnType<typeof admit>>
        return sendAnswer(request, reply, await handle(request, who, reply))
      },
      errorHandler: (error, request, reply) =>
        sendAnswer(request, reply, refused(refusalOfError(error, request, notes), request)),
    }
    if (prepare === undefined) fastify.route(route)
    else
      void fastify.register(async scope => {
        prepare(scope)
        scope.route(route)
      })
  }
}

export function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, headers = {}, body }: HttpAnswer,
): FastifyReply {
  request.verdict = status
  reply.code(status).headers(headers)
  if (request.method !== 'HEAD' || typeof body === 'string' || Buffer.isBuffer(body)) return reply.send(body)
  body.destroy()
  return reply.send('')
}
