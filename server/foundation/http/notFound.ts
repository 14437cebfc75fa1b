import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../refusal.ts'
import { sendRefusal } from './errors.ts'
import type { SendPage } from './page.ts'

/** Outside the page as well: paths with a meaning of their own, which must not look like a page when they are switched off. */
const NO_PAGE = /^\/(?:healthz|readyz|metrics|v1|assets)(?:[/?]|$)/

/** Unknown addresses: an envelope under /api, the page for whoever navigates, a plain line for the rest. */
export function notFound(answered: ReadonlySet<string>, page: SendPage) {
  const known = patternsOf(answered)
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply> => {
    const { url, method } = request
    if (url.startsWith('/api/') || url === '/api') {
      const methods = known(url.slice('/api'.length).split('?', 1)[0] ?? '')
      if (methods.length === 0) return sendRefusal(reply, new Refusal('resourceNotFound'))
      return sendRefusal(reply.header('allow', methods.join(', ')), new Refusal('methodNotAllowed'))
    }
    if ((method === 'GET' || method === 'HEAD') && !NO_PAGE.test(url) && request.headers.accept?.includes('text/html'))
      return page(request, reply)
    return reply.code(404).type('text/plain').send('not found\n')
  }
}

/** Which methods a path is answered for; looked up only when a request found nobody. */
function patternsOf(answered: ReadonlySet<string>): (path: string) => string[] {
  let patterns: { method: string; pattern: RegExp }[] | null = null
  return path => {
    patterns ??= [...answered].map(address => {
      const [method = '', template = ''] = address.split(' ')
      return { method, pattern: new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`) }
    })
    return patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
  }
}
