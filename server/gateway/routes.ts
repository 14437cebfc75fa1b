import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Dialect } from '#contract/gateway.ts'
import { leaveBytes } from '#server/foundation/http/body.ts'
import { preflightHeaders } from '#server/foundation/http/headers.ts'
import type { Http } from '#server/foundation/http/http.ts'
import { anyone, type HttpAnswer, jsonAnswer, type Route } from '#server/foundation/http/route.ts'
import type { SignedIn } from '#server/foundation/http/sessionGuard.ts'
import { parseJsonAsWritten } from '#server/foundation/json.ts'
import type { Metrics } from '#server/foundation/metrics.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { FoundKey, Keys } from '#server/keys/keys.ts'
import { connectionStream } from './connectionStream.ts'
import { inputTokens } from './dialects/readRequest.ts'
import { keyInRequest } from './keyInRequest.ts'
import { hasVersion, pathOfUrl } from './paths.ts'
import { reading, type ReadingDependencies } from './reading.ts'
import type { openToolAsks } from './toolAsks.ts'
import { toolName } from './toolName.ts'
import { trialRoutes } from './trialRoutes.ts'
import type { Trials } from './trials.ts'

type Dependencies = ReadingDependencies & {
  keys: Pick<Keys, 'find' | 'noteUse'>
  toolAsks: ReturnType<typeof openToolAsks>
  trials: Trials
  metrics: Metrics
}

/** Bytes: a conversation of a tool with its pictures. */
const MAX_BODY = 32 * 1024 * 1024
/** Of what stands in each other: schemas of tools go deep. */
const MAX_DEPTH = 100

const ASKED: readonly [path: `/${string}`, Dialect][] = [
  ['/v1/chat/completions', 'chat'],
  ['/chat/completions', 'chat'],
  ['/v1/responses', 'responses'],
  ['/responses', 'responses'],
  ['/v1/messages', 'messages'],
  ['/messages', 'messages'],
  ['/v1/embeddings', 'chat'],
  ['/embeddings', 'chat'],
]

/** The addresses of other tools. Registers them; what they ask is in `toolAsks`. */
export function gatewayRoutes<U extends SignedIn>(http: Http<U>, dependencies: Dependencies): void {
  const { toolAsks, trials } = dependencies
  const admit = admission(http, dependencies)
  const refusedIn =
    (dialect: Dialect) =>
    (refusal: Refusal, request: FastifyRequest): HttpAnswer => {
      trials.refused(request, refusal)
      return toolAsks.refused(dialect, refusal)
    }
  const asked = (path: `/${string}`, dialect: Dialect, handle: Route<FoundKey>['handle']): void =>
    http.route<FoundKey>({
      method: 'POST',
      path,
      admit,
      prepare: leaveBytes(MAX_BODY),
      handle,
      refused: refusedIn(dialect),
      onResponse: observed(dependencies, 'POST', path),
    })

  for (const [path, dialect] of ASKED)
    asked(path, dialect, (request, { caller, key }, reply) => {
      const { headers, id: request_id } = request
      const trial = trials.of(request)
      return toolAsks.answer({
        dialect,
        embeddings: path.endsWith('/embeddings'),
        body: jsonIn(request),
        headers,
        caller,
        key,
        request_id,
        gone: goneFrom(reply),
        trial,
      })
    })
  for (const path of ['/v1/messages/count_tokens', '/messages/count_tokens'] as const)
    asked(path, 'messages', request => jsonAnswer(200, { input_tokens: inputTokens(jsonIn(request)) }))

  const { listModels, readModel, readUsage } = reading(dependencies)
  for (const [path, read] of [
    ['/v1/models', listModels],
    ['/v1/models/*', readModel],
    ['/v1/usage', readUsage],
  ] as const)
    http.route<FoundKey>({
      ...{ method: 'GET', path, admit, handle: read },
      refused: (refusal, request) => refusedIn(dialectOf(request))(refusal, request),
      onResponse: observed(dependencies, 'GET', path),
    })

  http.route({ method: 'GET', path: '/api/hello', admit: anyone, handle: () => ({ status: 200, body: '' }) })
  connectionStream(http)
  preflights(http)
  unknownPaths(http, (refusal, request) => refusedIn(dialectOf(request))(refusal, request))
  trialRoutes(http, trials)
}

/** Who asks, before a body is read. */
function admission<U extends SignedIn>(http: Http<U>, { keys }: Pick<Dependencies, 'keys'>): Route<FoundKey>['admit'] {
  return async request => {
    const { headers, url, raw } = request
    const secret = keyInRequest(headers)
    // A page of the portal may be there: nothing tells that there is anything else.
    if (secret === null && !hasVersion(url)) throw new Refusal('resourceNotFound')
    const encoding = headers['content-encoding']
    if (encoding !== undefined && encoding.toLowerCase() !== 'identity') throw new Refusal('mediaTypeNotSupported')
    try {
      if (secret === null) throw new Refusal('keyInvalid')
      const found = await keys.find(secret)
      keys.noteUse(found.key, toolName(headers))
      return found
    } catch (refusal) {
      // Whoever tries keys is slowed down by the address; a key that is good never is.
      http.guard.requireRate(raw, [])
      throw refusal
    }
  }
}

const jsonIn = ({ body }: FastifyRequest): unknown =>
  parseJsonAsWritten(Buffer.isBuffer(body) ? body : Buffer.alloc(0), MAX_DEPTH)

/** Aborts when the connection closes before the answer is out. */
function goneFrom({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort()
  })
  return gone.signal
}

/** Browsers ask first, and send no key with that. */
function preflights<U extends SignedIn>(http: Http<U>): void {
  const paths = new Set<`/${string}`>(['/v1', '/v1/*', '/messages/count_tokens', ...ASKED.map(([path]) => path)])
  for (const path of paths) {
    if (path.startsWith('/v1/') && path !== '/v1/*') continue
    http.route({
      method: 'OPTIONS',
      path,
      admit: anyone,
      handle: ({ headers }) => ({ status: 204, headers: preflightHeaders(headers), body: '' }),
    })
  }
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** By what a tool says of itself, where the address does not. */
const dialectOf = ({ url, headers }: FastifyRequest): Dialect =>
  headers['anthropic-version'] !== undefined || pathOfUrl(url).includes('/messages') ? 'messages' : 'chat'

/** Everything else under the gateway's address. */
function unknownPaths<U extends SignedIn>(
  http: Http<U>,
  refused: (refusal: Refusal, request: FastifyRequest) => HttpAnswer,
): void {
  for (const method of METHODS)
    for (const path of ['/v1', '/v1/*'] as const)
      http.route({
        method,
        path,
        admit: anyone,
        prepare: leaveBytes(MAX_BODY),
        handle: request => refused(new Refusal('resourceNotFound', { hint: hintFor(pathOfUrl(request.url)) }), request),
        refused,
      })
}

/** What is wrong with an address that was probably meant for the gateway. */
function hintFor(path: string): string {
  if (path.startsWith('/v1/v1/'))
    return 'The address has /v1 twice: leave it out of the address that the tool is given.'
  const meant = ASKED.find(([known]) => known === path || known === `${path}/`)
  if (meant !== undefined) return `${meant[0]} is asked with POST.`
  return 'There is nothing at this address. Tools ask /v1/chat/completions, /v1/responses or /v1/messages.'
}

function observed(
  { metrics }: Pick<Dependencies, 'metrics'>,
  method: string,
  route: string,
): Route<FoundKey>['onResponse'] {
  return ({ verdict }, { elapsedTime }, done) => {
    metrics.requests.labels({ method, route, code: String(verdict) }).observe(elapsedTime / 1000)
    done()
  }
}
