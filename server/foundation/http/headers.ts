import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** On every answer. */
const ALWAYS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
}

/** Answers under /api are data: nothing of them may run, be framed or be kept. */
const OF_THE_API = {
  ...ALWAYS,
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}

/** What programs of any origin may ask for: by a key that they send themselves, and never by a cookie. */
const OF_ANY_ORIGIN = {
  ...OF_THE_API,
  'cross-origin-resource-policy': 'cross-origin',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': '*',
}

/**
 * The page's policy. Formulas put their layout into style attributes, hence 'unsafe-inline' for those and no more; the
 * plain style-src is read only by browsers that do not know the two finer ones.
 */
const policyFor = (scripts: readonly string[], { connect = [], frame = [] }: FurtherOrigins) =>
  [
    "default-src 'none'",
    ["script-src 'self'", ...scripts].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "style-src-elem 'self'",
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' blob: data:",
    "font-src 'self'",
    ["connect-src 'self'", ...connect].join(' '),
    ...(frame.length > 0 ? [['frame-src', ...frame].join(' ')] : []),
    "media-src 'self' blob:",
    "worker-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join('; ')

const OF_THE_PAGE = {
  ...ALWAYS,
  // Only reported yet: a library that makes markup in an unforeseen way must not leave people with a blank page.
  'content-security-policy-report-only': "require-trusted-types-for 'script'; trusted-types default offline",
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
}

/**
 * Scripts, styles and fonts: the page's policy is the page's; none of its own lets one of them do anything when it is
 * opened by itself.
 */
const OF_AN_ASSET = { ...ALWAYS, 'content-security-policy': "default-src 'none'" }

/**
 * What reads people's files (web/reading): it loads scripts of the page and compiles decoders of pictures, and can send
 * nothing to anybody, whatever a file makes of it.
 */
const OF_A_READER = {
  ...ALWAYS,
  'content-security-policy': "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'none'",
}

const HTTPS_ONLY = { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }

type FixedHeaders = Record<string, string>
export type HeaderKind = 'api' | 'asset' | 'page' | 'reader' | 'anyOrigin'

/** Other origins that the page may send requests to, and show in frames: settings say which. */
export type FurtherOrigins = { connect?: readonly string[]; frame?: readonly string[] }

type Fixed = { publicOrigin: string | null; scripts: readonly string[]; furtherOrigins?(): FurtherOrigins }

/**
 * Made once, so that a request only copies them; those of the page anew when its further origins change. `scripts` are
 * the digests of what may run though it stands in the page.
 */
export function fixedHeaders({ publicOrigin, scripts, furtherOrigins = () => ({}) }: Fixed) {
  const transport = publicOrigin?.startsWith('https:') ? HTTPS_ONLY : {}
  const made: Record<HeaderKind, FixedHeaders> = {
    api: { ...OF_THE_API, ...transport },
    asset: { ...OF_AN_ASSET, ...transport },
    reader: { ...OF_A_READER, ...transport },
    anyOrigin: { ...OF_ANY_ORIGIN, ...transport },
    page: {},
  }
  let madeFor = ''
  return (kind: HeaderKind): FixedHeaders => {
    if (kind !== 'page') return made[kind]
    const further = furtherOrigins()
    const key = JSON.stringify(further)
    if (key !== madeFor)
      made.page = { ...OF_THE_PAGE, 'content-security-policy': policyFor(scripts, further), ...transport }
    madeFor = key
    return made.page
  }
}

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

/** The answer to a browser that asks whether a page of another origin may send a request: whatever it names. */
export function preflightHeaders({ 'access-control-request-headers': asked }: IncomingHttpHeaders) {
  return {
    'access-control-allow-methods': METHODS,
    'access-control-allow-headers': typeof asked === 'string' && asked !== '' ? asked : 'authorization, content-type',
    'access-control-max-age': '600',
    vary: 'Access-Control-Request-Headers',
  }
}
