import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NODE_ENVIRONMENT } from '../scripts/runNode.mjs'
import { SERVER_ENVIRONMENT, SERVER_FLAGS } from '../scripts/serverProcess.mjs'
import { startChild, type Child } from './child.ts'

export const ADMIN = { username: 'admin', password: 'bench-admin-password' }

export type Product = {
  url: string
  /** The folder with its database. */
  data: string
  child: Child
  /** Signs in and returns the cookies as a browser would send them. */
  signIn: (who: { username: string; password: string }) => Promise<string>
  /** Makes a call of the API; resolves with its result, and rejects unless it succeeded. */
  call: <Result>(cookie: string, method: string, path: string, body?: object) => Promise<Result>
  /** Creates that many accounts and signs each in. */
  people: (count: number) => Promise<string[]>
  stop: () => Promise<void>
}

/**
 * The whole product with a new data folder, in front of the given upstream; `more` settings by their environment names.
 */
export async function startProduct(upstream: string, more: Record<string, string> = {}): Promise<Product> {
  const data = await mkdtemp(join(tmpdir(), 'commons-bench-'))
  const child = startChild(
    'dist/server/main.js',
    [],
    {
      // As scripts/start.mjs starts it.
      ...NODE_ENVIRONMENT,
      ...SERVER_ENVIRONMENT,
      COMMONS_DATA_DATA_DIR: data,
      COMMONS_COMMON_INITIAL_ADMIN_USER_PASSWORD: ADMIN.password,
      COMMONS_HTTP_REQUESTS_PER_MINUTE: '1000000',
      COMMONS_HTTP_MAX_SOCKETS: '10000',
      COMMONS_LOG_CONSOLE_LOG_LEVEL: 'WARNING',
      PORT: '0',
      OPENAI_BASE_URL: upstream,
      OPENAI_API_KEY: 'none',
      ...more,
    },
    SERVER_FLAGS,
  )
  const url = await child.address()

  async function send(method: string, path: string, headers: Record<string, string>, body: BodyInit | null) {
    const response = await fetch(`${url}/api${path}`, { method, headers: { origin: url, ...headers }, body })
    const { code, message, result } = await response.json()
    if (code >= 300 || code < 0) throw new Error(`${path}: ${code} ${message}`)
    return { result, headers: response.headers }
  }

  const call: Product['call'] = async (cookie, method, path, body) => {
    const type = body && { 'content-type': 'application/json' }
    return (await send(method, path, { cookie, ...type }, body ? JSON.stringify(body) : null)).result
  }

  async function signIn(who: { username: string; password: string }): Promise<string> {
    const { headers } = await send('POST', '/auth/login', {}, new URLSearchParams(who))
    return headers
      .getSetCookie()
      .map(cookie => cookie.split(';')[0])
      .join('; ')
  }

  return {
    url,
    data,
    child,
    signIn,
    call,
    async people(count) {
      const cookie = await signIn(ADMIN)
      const cookies: string[] = []
      for (let person = 0; person < count; person += 1) {
        const who = { username: `person${person}`, password: `bench-password-${person}` }
        const about = { nickname: `Person ${person}`, email: `person${person}@example.org` }
        await call(cookie, 'POST', '/auth/register', { ...who, ...about })
        cookies.push(await signIn(who))
      }
      return cookies
    },
    async stop() {
      await child.stop()
      await rm(data, { recursive: true, force: true })
    },
  }
}
