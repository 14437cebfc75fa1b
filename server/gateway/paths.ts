/** Where the gateway answers, for tools that leave out the version; pages have these paths too. */
const WITHOUT_VERSION: ReadonlySet<string> = new Set([
  '/chat/completions',
  '/responses',
  '/messages',
  '/messages/count_tokens',
  '/embeddings',
])

export const pathOfUrl = (url: string): string => url.split('?', 1)[0] ?? ''

/** Whether it is under the gateway's own address, where no page is. */
export const hasVersion = (url: string): boolean => /^\/v1(?:[/?]|$)/.test(url)

/** Whether other tools may send it, from wherever they run. */
export function isOfGateway({ method = 'GET', url }: { method?: string; url: string }): boolean {
  return hasVersion(url) || ((method === 'POST' || method === 'OPTIONS') && WITHOUT_VERSION.has(pathOfUrl(url)))
}

const ASKED: ReadonlySet<string> = new Set(['/chat/completions', '/responses', '/messages', '/embeddings'])

/** A question that came with another method than POST. */
export const meantForPost = ({ method, url }: { method: string; url: string }): boolean =>
  method === 'GET' && ASKED.has(pathOfUrl(url).replace(/^\/v1/, ''))
