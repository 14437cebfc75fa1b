import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Call } from '#contract/call.ts'
import { compressed } from './compression.ts'
import { hasSessionCookie } from './sessionGuard.ts'

const MISSING = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Chat Commons</title>
<p>The page has not been built yet. Run <code>npm run build</code>, or start with <code>npm start</code>, which does it by itself.</p>
<p>The API answers under <code>/api/</code>.</p></html>
`

/** The page for any address. */
const ANYWHERE = 'index.html'
/**
 * Pages of a screen each, for those who are signed in and for those who are not. The build draws them
 * (scripts/firstPaint.ts).
 */
const DRAWN = 'drawn'

/** Files under this folder carry a digest of their content in their name. */
const HASHED = /[\\/]assets[\\/]/

export type SendPage = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | Promise<FastifyReply>

/** Serves the built page, compressed beforehand. Gives what to send for any address of its router. */
export function servePage(fastify: FastifyInstance, page_dir: string | null, firstCalls: FirstCalls): SendPage {
  const page =
    page_dir === null || !existsSync(join(page_dir, ANYWHERE)) ? missing : sendFrom(fastify, page_dir, firstCalls)
  fastify.route({ method: ['GET', 'HEAD'], url: '/', handler: page })
  if (page === missing || page_dir === null) return missing
  void fastify.register(fastifyStatic, {
    root: page_dir,
    serve: false,
    index: false,
    preCompressed: true,
    cacheControl: false,
    // They are small and sent whole: a range that is none would be an error of ours.
    acceptRanges: false,
    // The ETag says the same more precisely, and is asked for first (RFC 9110, 13.2.2).
    lastModified: false,
    dotfiles: 'ignore',
    setHeaders(reply, path) {
      reply.header('cache-control', HASHED.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  const files = filesIn(page_dir)
  fastify.route<{ Params: { '*': string } }>({
    method: ['GET', 'HEAD'],
    url: '/*',
    handler: ({ params }, reply) => (files.has(params['*']) ? reply.sendFile(params['*']) : reply.callNotFound()),
  })
  return page
}

/** Every page has one inline script (web/firstPaint/start.ts). It may run by its digest, and no other inline script. */
export function scriptDigests(page_dir: string | null): string[] {
  if (page_dir === null || !existsSync(join(page_dir, ANYWHERE))) return []
  const [, ...scripts] = readFileSync(join(page_dir, ANYWHERE), 'utf8').split('<script>')
  return scripts.map(rest => {
    const [script = ''] = rest.split('</script>', 1)
    return `'sha256-${createHash('sha256').update(script).digest('base64')}'`
  })
}

/**
 * The names of the built files, folders included, as they are at the start. The drawn pages have no address of their
 * own.
 */
function filesIn(page_dir: string): ReadonlySet<string> {
  const names = readdirSync(page_dir, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(({ parentPath, name }) => relative(page_dir, join(parentPath, name)).replaceAll(sep, '/'))
  return new Set(names.filter(name => !name.startsWith(`${DRAWN}/`)))
}

function sendFrom(fastify: FastifyInstance, page_dir: string, firstCalls: FirstCalls): SendPage {
  const [signedIn, signedOut] = [pagesIn(page_dir, `${DRAWN}/signedIn`), pagesIn(page_dir, `${DRAWN}/signedOut`)]
  return async (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? ''
    const answers = request.method === 'GET' ? await answersFor(fastify, request, firstCalls(path)) : null
    if (answers === null) return reply.sendFile(signedOut.get(path) ?? ANYWHERE)
    const page = withAnswers(await readFile(join(page_dir, signedIn.get(path) ?? ANYWHERE), 'utf8'), answers)
    // Somebody's own: not for the next one at this device, and not for a cache on the way.
    return reply
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(await compressed(page, reply))
  }
}

/** By the address that they are for. */
function pagesIn(page_dir: string, folder: string): Map<string, string> {
  const names = existsSync(join(page_dir, folder))
    ? readdirSync(join(page_dir, folder)).filter(name => name.endsWith('.html'))
    : []
  return new Map(names.map(name => [`/${name.slice(0, -'.html'.length)}`, `${folder}/${name}`]))
}

function missing(_request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply.code(503).type('text/html; charset=utf-8').header('cache-control', 'no-store').send(MISSING)
}

/**
 * The calls that the page at a path will make first. Their answers are sent along with it, which saves a signed-in user
 * a round trip.
 */
export type FirstCalls = (path: string) => readonly Call[]

/** Characters. A long list is better asked for by the page than waited for by its first paint. */
const MAX_ANSWER = 60_000
const SUCCEEDED = '{"code":200,'
/** The part of the built page that they replace. */
const PLACEHOLDER = '<!-- answers -->'

/** By 'METHOD /path', the answers as they went over the wire; null for whoever has no session that holds. */
async function answersFor(
  fastify: FastifyInstance,
  request: FastifyRequest,
  calls: readonly Call[],
): Promise<Map<string, string> | null> {
  const { cookie, host } = request.headers
  if (cookie === undefined || calls.length === 0 || !hasSessionCookie(cookie)) return null
  // Requested as the page would: rights, rate limits and metrics stay in one place.
  const ask = async ({ method, path }: Call): Promise<[string, string]> => {
    const { payload } = await fastify.inject({
      method,
      url: `/api${path}`,
      headers: { cookie, host },
      remoteAddress: request.ip,
    })
    return [`${method} ${path}`, payload]
  }
  const answers = await Promise.all(calls.map(ask))
  const good = answers.filter(([, answer]) => answer.startsWith(SUCCEEDED) && answer.length <= MAX_ANSWER)
  return good.length === 0 ? null : new Map(good)
}

/** In a script element of type JSON, which no browser runs; escaped, so that no text in it can end the element. */
function withAnswers(page: string, answers: ReadonlyMap<string, string>): string {
  const entries = [...answers].map(([address, answer]) => `${JSON.stringify(address)}:${answer}`)
  const json = `{${entries.join(',')}}`.replaceAll('<', '\\u003c')
  return page.replace(PLACEHOLDER, () => `<script type="application/json" id="answers">${json}</script>`)
}
