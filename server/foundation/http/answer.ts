import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import * as z from 'zod/mini'
import type { BodyOf, Call, ParamsOf, QueryOf, ResultOf } from '#contract/call.ts'
import { REQUEST_SUCCESS } from '#contract/envelope.ts'
import { runAs } from '../actor.ts'
import type { Log } from '../logging.ts'
import type { Metrics } from '../metrics.ts'
import type { SessionGuard, SignedIn } from './sessionGuard.ts'
import { MAX_FORM, parseRequest, requireContentType } from './body.ts'
import { compressed } from './compression.ts'
import { type ArrivingPart, withParts } from './parts.ts'
import { type ArrivingFile, leaveBodies, leaveContent, withContent, withFile } from './upload.ts'
import type { AddRoute, HttpAnswer, Route } from './route.ts'
import { Refusal } from '../refusal.ts'

/** Bodies that the handler reads as they come. */
type Streamed = { file: ArrivingFile; parts: AsyncIterable<ArrivingPart>; content: Readable }

/** What a call's handler is given: the parsed request and who made it. */
type CallRequest<C extends Call, U> = {
  params: ParamsOf<C>
  query: QueryOf<C>
  body: C extends { bodyKind: keyof Streamed } ? Streamed[C['bodyKind']] : BodyOf<C>
  user: C['access'] extends 'anyone' ? U | null : U
  request: FastifyRequest
  reply: C extends { resultKind: 'file' } ? never : FastifyReply
}

/** What it returns: the result that goes into the envelope, or the whole answer where that is a file. */
type CallResult<C extends Call> = C extends { resultKind: 'file' } ? HttpAnswer : ResultOf<C>

export type Answer<U> = <const C extends Call>(
  call: C,
  work: (request: CallRequest<C, U>) => CallResult<C> | Promise<CallResult<C>>,
) => void

/** Counts the answers of one route, given once: who asked, null where nobody was signed in, and how long it took. */
export type CountRequests = (method: string, route_path: string) => (user_id: number | null, elapsed_ms: number) => void

type Dependencies<U extends SignedIn> = {
  log: Log
  metrics: Metrics
  countRequests?: CountRequests | undefined
  originAllowed(headers: FastifyRequest['headers']): boolean
  guard: SessionGuard<U>
  state: { stopping: boolean }
}

/** The part of a call that decides who may make it. */
type Admitted = Pick<Call, 'access' | 'method' | 'body' | 'bodyKind'>

declare module 'fastify' {
  interface FastifyRequest {
    /** Who makes the request, once that is known; typed where a call is answered. */
    signedIn: SignedIn | null
    /** The code in the envelope, or the HTTP status where there is none; for the metrics. */
    verdict: number
  }
}

/** How every successful answer begins; the result follows. */
const WITH_DATA = `{"code":200,"message":"${REQUEST_SUCCESS}","result":`
const WITHOUT_DATA = '{"code":200,"message":"","result":'

export function answering<U extends SignedIn>(
  fastify: FastifyInstance,
  dependencies: Dependencies<U>,
  addRoute: AddRoute,
) {
  const answered = new Set<string>()
  const calls: Call[] = []
  const admit = admission(dependencies, fastify)
  fastify.decorateRequest('signedIn', null).decorateRequest('verdict', 200)

  const answer: Answer<U> = (call, work) => {
    const address = `${call.method} ${call.path}`
    if (answered.has(address)) throw new Error(`${address} has two answers`)
    answered.add(address)
    calls.push(call)
    // The call's type ties what its work takes to what it returns; from here on both are as the call says.
    const untyped = work as (asked: unknown) => unknown
    const parse = parseRequest(call)
    const common = {
      admit: async (request: FastifyRequest) => (request.signedIn = await admit(call, request)),
      onResponse: observed(dependencies, call),
    }
    if (call.resultKind === 'file') {
      const handle = (request: FastifyRequest, user: SignedIn | null, body: object = {}) =>
        // its work is typed by the call
        asCaller(request, () => untyped({ ...parse(request), ...body, user, request }) as Promise<HttpAnswer>)
      const route = { ...common, method: call.method, path: `/api${call.path}` } as const
      if (call.bodyKind !== 'content') addRoute({ ...route, handle })
      else
        addRoute({
          ...route,
          handle: (request, user) => withContent(request, body => handle(request, user, { body })),
          prepare: leaveContent,
        })
    } else
      addEnveloped(fastify, call, {
        ...common,
        work(request, reply) {
          const asked = { ...parse(request), user: request.signedIn, request, reply }
          const streamed = STREAMED[call.bodyKind ?? 'json']
          return streamed === undefined ? untyped(asked) : streamed.read(request, body => untyped({ ...asked, body }))
        },
      })
  }
  return { answer, answered, calls, admit }
}

/** How a body is left unread, and how its handler gets it. */
type Streaming = {
  leave(scope: FastifyInstance): FastifyInstance
  read(request: FastifyRequest, work: (body: unknown) => unknown): unknown
}
const STREAMED: Partial<Record<NonNullable<Call['bodyKind']>, Streaming>> = {
  file: { leave: leaveBodies, read: withFile },
  parts: { leave: leaveBodies, read: withParts },
  content: { leave: leaveContent, read: async (request, work) => withContent(request, async body => work(body)) },
}

/** Characters of what a browser says of itself. */
const MAX_USER_AGENT = 300

/** What the request changes is changed by whoever makes it. */
function asCaller<T>(request: FastifyRequest, work: () => T): T {
  const { signedIn, ip, id, headers } = request
  const from = { address: ip, user_agent: headers['user-agent']?.slice(0, MAX_USER_AGENT) ?? null, request_id: id }
  if (signedIn === null) return runAs({ kind: 'sign_in', ...from }, work)
  return runAs({ kind: 'user', id: signedIn.id, name: signedIn.nickname ?? null, ...from }, work)
}

type Enveloped = Pick<Route<SignedIn | null>, 'admit' | 'onResponse'> & {
  work(request: FastifyRequest, reply: FastifyReply): unknown
}

/** The route of a call whose answer goes into the envelope, with HTTP 200 whatever it is. */
function addEnveloped(fastify: FastifyInstance, call: Call, { admit, onResponse, work }: Enveloped): void {
  const head = isEmpty(call) ? WITHOUT_DATA : WITH_DATA
  const route: RouteOptions = {
    method: call.method,
    url: `/api${call.path}`,
    ...(call.bodyKind === 'form' ? { bodyLimit: MAX_FORM } : {}),
    onRequest: async request => {
      await admit(request)
    },
    onResponse: onResponse ?? [],
    handler: async (request, reply) => {
      const result = await asCaller(request, () => work(request, reply))
      reply.header('content-type', 'application/json; charset=utf-8')
      return compressed(`${head}${JSON.stringify(result) ?? 'null'}}`, reply)
    },
  }
  const streamed = STREAMED[call.bodyKind ?? 'json']
  if (streamed === undefined) fastify.route(route)
  else
    void fastify.register(async scope => {
      streamed.leave(scope).route(route)
    })
}

/** The checks before a body is read: own origin, known content type, rate limit, access. */
function admission<U extends SignedIn>({ originAllowed, guard, state }: Dependencies<U>, fastify: FastifyInstance) {
  return async (call: Admitted, request: FastifyRequest): Promise<U | null> => {
    const { headers } = request
    if (state.stopping) throw new Refusal('serverStopping')
    if (call.method !== 'GET') {
      if (!originAllowed(headers)) throw new Refusal('originNotAllowed')
      requireContentType(call, headers)
    }
    const cookies = headers.cookie === undefined ? {} : fastify.parseCookie(headers.cookie)
    request.cookies = cookies
    const sent = guard.sessionsIn(cookies, headers.host)
    guard.requireRate(request.raw, sent)
    const user = await guard.authenticate(sent)
    requireAccess(call, user, sent.length > 0)
    return user
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

type Observers = Pick<Dependencies<SignedIn>, 'metrics' | 'log' | 'countRequests'>

function observed({ metrics, log, countRequests }: Observers, { method, path: route }: Call) {
  const count = countRequests?.(method, route)
  // Labels are looked up once for each code, not for each request.
  const series = new Map<number, { observe(seconds: number): void }>()
  return ({ id, verdict, signedIn }: FastifyRequest, { elapsedTime }: FastifyReply, done: () => void): void => {
    let one = series.get(verdict)
    if (one === undefined)
      series.set(verdict, (one = metrics.requests.labels({ method, route, code: String(verdict) })))
    one.observe(elapsedTime / 1000)
    count?.(signedIn?.id ?? null, elapsedTime)
    // The route as it is declared: the actual path and query may contain somebody's own words.
    if (log.isLevelEnabled('debug'))
      log.debug({ request: id, method, route, code: verdict, elapsed_ms: Math.round(elapsedTime) }, 'answered')
    done()
  }
}
