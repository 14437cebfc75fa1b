import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import fastifyCookie from '@fastify/cookie'
import { fastify as openFastify, type FastifyInstance, type FastifyRequest } from 'fastify'
import { systemClock, type Clock } from '../clock.ts'
import type { Log } from '../logging.ts'
import type { Metrics } from '../metrics.ts'
import { answering, type Answer, type CountRequests } from './answer.ts'
import { MAX_JSON, readBodies } from './body.ts'
import { badRequest, notDecodable, notFound, refusalOfError, sendRefusal } from './errors.ts'
import { crossOrigin, fixedHeaders, type FurtherOrigins, type HeaderKind } from './headers.ts'
import { serveHealth } from './health.ts'
import { serveOpenApi } from './openApi.ts'
import { originReport, originRule } from './origin.ts'
import { scriptDigests, servePage, type FirstCalls } from './page.ts'
import { requestRates } from './rates.ts'
import { addingRoutes, type AddRoute } from './route.ts'
import { sessionGuard, type SessionGuard, type SignedIn } from './sessionGuard.ts'

export type HttpOptions<U extends SignedIn> = {
  /** Returns whom a session belongs to; null where nobody has it. */
  authenticate(token: string): Promise<U | null>
  log: Log
  metrics: Metrics
  /** For statistics of the calls that are answered. */
  countRequests?: CountRequests
  publicOrigin(): string | null
  furtherOrigins?(): FurtherOrigins
  corsOrigins: readonly string[]
  /** Which requests programs of any origin may send: none of them is answered by a cookie. */
  anyOrigin?(request: { method?: string; url: string }): boolean
  /** Addresses or ranges whose X-Forwarded headers count. */
  trustedProxies: readonly string[]
  requestsPerMinute(): number
  /** The built page; null when only the API is served. */
  page_dir: string | null
  /** The calls whose answers are sent along with the page to somebody signed in. */
  firstCalls?: FirstCalls
  ready(): Promise<boolean>
  metricsToken: string | null
  printTraceback?(): boolean
  /** Of the program, for whoever browses the API. */
  version?: string
  clock?: Pick<Clock, 'monotonic'>
}

export type Http<U extends SignedIn> = {
  /** Registers the handler of a call. The call's declaration decides who may make it and what the handler receives. */
  answer: Answer<U>
  /** Registers a route outside the envelope. */
  route: AddRoute
  /** 'METHOD /path' of each call that has an answer. */
  answered: ReadonlySet<string>
  /** Whether a request that changes state may come from that origin; shared with the socket. */
  originAllowed(headers: IncomingHttpHeaders): boolean
  /** Sessions and rate limits; shared with the socket, whose handshakes count as well. */
  guard: SessionGuard<U>
  fastify: FastifyInstance
  /** Accepts nothing new, gives open requests until the time is up, then closes. */
  close(grace_ms?: number): Promise<void>
}

export function openHttp<U extends SignedIn>(options: HttpOptions<U>): Http<U> {
  const headersOf = fixedHeaders({
    ...options,
    publicOrigin: options.publicOrigin(),
    scripts: scriptDigests(options.page_dir),
  })
  const kindOf = ({ method, url }: FastifyRequest): HeaderKind =>
    options.anyOrigin?.({ method, url }) === true ? 'anyOrigin' : kindOfOwn(url)
  const fastify = openFastify({
    ...serverOptions(options.trustedProxies),
    frameworkErrors: (error, request, reply) => {
      const kind = kindOf(request)
      reply.headers(headersOf(kind)).header('x-request-id', request.id)
      if (kind === 'api') sendRefusal(reply, refusalOfError(error, request, options))
      else notDecodable(request, reply)
    },
  })
  const isAllowed = originRule(options)
  const reportOrigin = originReport({ ...options, clock: options.clock ?? systemClock })
  const originAllowed: Http<U>['originAllowed'] = given => {
    const allowed = isAllowed(given)
    if (!allowed) reportOrigin(given)
    return allowed
  }
  const state = { stopping: false }
  const guard = sessionGuard<U>({
    ...options,
    rates: requestRates(options.requestsPerMinute, options.clock ?? systemClock),
  })
  const route = addingRoutes(fastify, options)
  const calls = answering<U>(fastify, { ...options, originAllowed, guard, state }, route)

  fastify.addHook('onRequest', (request, reply, done) => {
    reply.headers(headersOf(kindOf(request))).header('x-request-id', request.id)
    if (state.stopping) reply.header('connection', 'close')
    done()
  })
  if (options.corsOrigins.length > 0) crossOrigin(fastify, options.corsOrigins)
  void fastify.register(fastifyCookie, { hook: false })
  readBodies(fastify)
  fastify.setErrorHandler((error, request, reply) => sendRefusal(reply, refusalOfError(error, request, options)))
  serveHealth(route, options, state)
  serveOpenApi(fastify, {
    route,
    notes: options,
    calls: calls.calls,
    version: options.version ?? '',
    requireSuperuser: request => calls.admit(BROWSING, request),
  })
  const page = servePage(fastify, options.page_dir, options.firstCalls ?? (() => []))
  fastify.setNotFoundHandler(notFound(calls.answered, page))

  return {
    answer: calls.answer,
    route,
    answered: calls.answered,
    originAllowed,
    guard,
    fastify,
    async close(grace_ms = 10_000) {
      state.stopping = true
      const cut = setTimeout(() => fastify.server.closeAllConnections(), grace_ms)
      // A connection whose last answer has gone out meanwhile would be kept for the next request.
      const sweep = setInterval(() => fastify.server.closeIdleConnections(), 50)
      await fastify.close()
      clearTimeout(cut)
      clearInterval(sweep)
    },
  }
}

/** What reading the description of the API needs. */
const BROWSING = { access: 'superuser', method: 'GET', body: null } as const

/**
 * Milliseconds. The whole request, its headers, and a connection nobody uses: a little longer than proxies keep theirs.
 */
const TIMES = { requestTimeout: 60_000, headersTimeout: 15_000, keepAliveTimeout: 65_000 }
const MAX_HEADERS = 16 * 1024

function serverOptions(trustedProxies: readonly string[]) {
  return {
    bodyLimit: MAX_JSON,
    requestTimeout: TIMES.requestTimeout,
    keepAliveTimeout: TIMES.keepAliveTimeout,
    maxRequestsPerSocket: 1000,
    forceCloseConnections: 'idle' as const,
    return503OnClosing: false,
    trustProxy: trustedProxies.length === 0 ? false : [...trustedProxies],
    routerOptions: { ignoreTrailingSlash: false, caseSensitive: true, maxParamLength: 200 },
    exposeHeadRoutes: false,
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    requestIdHeader: false as const,
    genReqId: requestIds(),
    clientErrorHandler: badRequest,
    http: {
      maxHeaderSize: MAX_HEADERS,
      headersTimeout: TIMES.headersTimeout,
      connectionsCheckingInterval: 5000,
      // A client that offers to upgrade to another protocol, such as HTTP/2, continues with HTTP/1.1.
      shouldUpgradeCallback: ({ headers }: IncomingMessage) => headers.upgrade?.toLowerCase() === 'websocket',
    },
  }
}

/**
 * Names each request for the log and for whoever reports an error: eight random characters of this process and a
 * number.
 */
function requestIds(): () => string {
  const process = randomBytes(6).toString('base64url')
  let count = 0
  return () => `${process}-${(++count).toString(36)}`
}

/**
 * Calls are checked by the contract (answer.ts). Without this Fastify loads two compilers of JSON schemas of its own.
 */
function noSchemas(): never {
  throw new Error('a route has a JSON schema: calls are declared in the contract')
}

/** Most requests are for the API; files named by a digest of their content are served under /assets. */
function kindOfOwn(url: string): HeaderKind {
  if (url.startsWith('/api/') || url === '/api') return 'api'
  // A worker has the policy that its own script comes with.
  if (url.startsWith('/assets/readingWorker-')) return 'reader'
  return url.startsWith('/assets/') ? 'asset' : 'page'
}
