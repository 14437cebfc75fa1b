import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import * as z from 'zod/mini'
import type { BodyOf, Call, ParamsOf, QueryOf, ResultOf } from '#contract/call.ts'
import { REQUEST_SUCCESS } from '#contract/envelope.ts'
import type { HttpOptions, SignedIn } from './http.ts'
import { MAX_FORM, requireContentType } from './body.ts'
import { compressed } from './compression.ts'
import { FileAnswer, leaveBodies, sendFile, withFile } from './file.ts'
import { parseRequest } from './requestParts.ts'
import type { Visits } from './visits.ts'
import type { ArrivingFile } from './multipartFile.ts'
import { Refusal } from '../refusal.ts'

/** What a call's handler is given: the parsed request and who made it. */
export type Asked<C extends Call, U> = {
  params: ParamsOf<C>
  query: QueryOf<C>
  body: C extends { bodyKind: 'file' } ? ArrivingFile : BodyOf<C>
  user: C['access'] extends 'anyone' ? U | null : U
  request: FastifyRequest
  reply: FastifyReply
}

export type Answer<U> = <const C extends Call>(
  call: C,
  work: (asked: Asked<C, U>) => ResultOf<C> | Promise<ResultOf<C>>,
) => void

type Edge<U extends SignedIn> = HttpOptions<U> & {
  originAllowed(headers: FastifyRequest['headers']): boolean
  visits: Visits<U>
  state: { stopping: boolean }
}

/** The part of a call that decides who may make it. */
type Admitted = Pick<Call, 'access' | 'method' | 'body' | 'bodyKind'>

declare module 'fastify' {
  interface FastifyRequest {
    /** Who makes the request, once that is known; typed where a call is answered. */
    signedIn: SignedIn | null
    /** The code in the envelope, for the metrics. */
    verdict: number
  }
}

/** How every successful answer begins; the result follows. */
const WITH_DATA = `{"code":200,"message":"${REQUEST_SUCCESS}","result":`
const WITHOUT_DATA = '{"code":200,"message":"","result":'

export function answering<U extends SignedIn>(fastify: FastifyInstance, edge: Edge<U>) {
  const answered = new Set<string>()
  const calls: Call[] = []
  const admit = admission(edge, fastify)
  fastify.decorateRequest('signedIn', null).decorateRequest('verdict', 200)

  const answer: Answer<U> = (call, work) => {
    const address = `${call.method} ${call.path}`
    if (answered.has(address)) throw new Error(`${address} has two answers`)
    answered.add(address)
    calls.push(call)
    const head = isEmpty(call) ? WITHOUT_DATA : WITH_DATA
    const parse = parseRequest(call)
    const route: RouteOptions = {
      method: call.resultKind === 'file' ? [call.method, 'HEAD'] : call.method,
      url: `/api${call.path}`,
      ...(call.bodyKind === 'form' ? { bodyLimit: MAX_FORM } : {}),
      onRequest: request => admit(call, request),
      onResponse: observed(edge, call),
      handler: async (request, reply) => {
        const { params, query, body } = parse(request)
        // Admission has put there what `authenticate` gave, and nobody for calls that anyone may make.
        const user = request.signedIn as never
        // The one or the other, as the call's type has it.
        const worked = (body: unknown) => work({ params, query, body: body as never, user, request, reply })
        const result = await (call.bodyKind === 'file' ? withFile(request, worked) : worked(body))
        if (result instanceof FileAnswer) return sendFile(request, reply, result)
        reply.header('content-type', 'application/json; charset=utf-8')
        return compressed(`${head}${JSON.stringify(result) ?? 'null'}}`, reply)
      },
    }
    if (call.bodyKind !== 'file') fastify.route(route)
    else
      void fastify.register(async scope => {
        leaveBodies(scope).route(route)
      })
  }
  return { answer, answered, calls, admit }
}

/** The checks before a body is read: own origin, known content type, rate limit, access. */
function admission<U extends SignedIn>({ originAllowed, visits, state }: Edge<U>, fastify: FastifyInstance) {
  return async (call: Admitted, request: FastifyRequest): Promise<void> => {
    const { headers } = request
    if (state.stopping) throw new Refusal('serverStopping')
    if (call.method !== 'GET') {
      if (!originAllowed(headers)) throw new Refusal('originNotAllowed')
      requireContentType(call, headers['content-type'], headers['content-encoding'])
    }
    const cookies = headers.cookie === undefined ? {} : fastify.parseCookie(headers.cookie)
    request.cookies = cookies
    const sent = visits.sessionsIn(cookies, headers.host)
    visits.count(request.raw, sent)
    const user = await visits.recognise(sent)
    requireAccess(call, user, sent.length > 0)
    request.signedIn = user
  }
}

function requireAccess({ access }: Admitted, user: SignedIn | null, hasCookie: boolean): void {
  if (access === 'anyone') return
  if (user === null) throw new Refusal(hasCookie ? 'loginExpired' : 'userNotLogin')
  if (access === 'superuser' && !user.is_superuser) throw new Refusal('authorityDeny')
}

function isEmpty({ result }: Call): boolean {
  return result instanceof z.ZodMiniNull
}

function observed({ metrics, log }: Pick<Edge<SignedIn>, 'metrics' | 'log'>, { method, path: route }: Call) {
  // Labels are looked up once for each code, not for each request.
  const series = new Map<number, { observe(seconds: number): void }>()
  return ({ id, verdict }: FastifyRequest, { elapsedTime }: FastifyReply, done: () => void): void => {
    let one = series.get(verdict)
    if (one === undefined)
      series.set(verdict, (one = metrics.requests.labels({ method, route, code: String(verdict) })))
    one.observe(elapsedTime / 1000)
    // The route as it is declared: the actual path and query may contain somebody's own words.
    if (log.isLevelEnabled('debug'))
      log.debug({ request: id, method, route, code: verdict, elapsed_ms: Math.round(elapsedTime) }, 'answered')
    done()
  }
}
