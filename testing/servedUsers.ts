import { onTestFinished } from 'vitest'
import type * as z from 'zod/mini'
import { SESSION_COOKIE, withPort } from '#contract/users.ts'
import type { Call } from '#contract/call.ts'
import { Configuration } from '#contract/configuration/configuration.ts'
import { Envelope } from '#contract/envelope.ts'
import { type UserDependencies, openUsers } from '#server/users/users.ts'
import { accountRoutes } from '#server/users/routes.ts'
import type { User } from '#server/users/user.ts'
import { openBus } from '#server/foundation/database/bus.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { openHttp } from '#server/foundation/http/http.ts'
import { openLog } from '#server/foundation/logging.ts'
import { openMetrics } from '#server/foundation/metrics.ts'

/** Milliseconds; an arbitrary time that is not now. */
export const SOME_TIME = 1_800_000_000_000

type Settings = z.input<typeof Configuration>
type Options = { settings?: Settings; trustedProxies?: string[] } & Partial<
  Pick<UserDependencies, 'chatStatus' | 'password_cost'>
>

/** The accounts of a portal alone, over real HTTP, with a clock that the test sets. */
export async function servedUsers(
  open: OpenDatabase,
  { settings = {}, trustedProxies = [], ...options }: Options = {},
) {
  const clock = { time: SOME_TIME, now: () => clock.time, monotonic: () => clock.time }
  const state = { configuration: Configuration.parse(settings) }
  const bus = await openBus(open)
  const log = openLog('WARNING')
  const users = openUsers({
    open,
    clock,
    bus,
    log,
    configuration: { current: () => state.configuration },
    secretBox: plainBox,
    chatStatus: async () => new Map(),
    resolve: (hostname, _options, done) =>
      done(null, [{ address: hostname.startsWith('inside.') ? '10.0.0.1' : '93.184.215.14', family: 4 }]),
    password_cost: { memory: 8, passes: 1, parallelism: 1 },
    ...options,
  })
  const http = openHttp<User>({
    authenticate: token => users.authenticate(token),
    log,
    metrics: openMetrics(),
    corsOrigins: [],
    trustedProxies,
    page_dir: null,
    metricsToken: null,
    publicOrigin: () => state.configuration.portal.public_origin,
    requestsPerMinute: () => 100_000,
    ready: async () => true,
  })
  accountRoutes(http, users)
  const url = await http.fastify.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(async () => {
    await http.close(0)
    await users.close()
    await bus.close()
  })
  return {
    users,
    clock,
    url,
    bus,
    configure: (changed: Settings) => {
      state.configuration = Configuration.parse(changed)
    },
    aBrowser: () => new Browser(url),
  }
}

type Sent = { params?: Record<string, string | number>; body?: unknown; headers?: Record<string, string> }

/** A client that keeps cookies and sends Origin as a browser does. */
export class Browser {
  readonly cookies = new Map<string, string>()
  readonly url: string
  /** The Set-Cookie headers of the latest answer, as received. */
  setCookies: string[] = []

  constructor(url: string) {
    this.url = url
  }

  /** The session token; empty without a session. */
  get token(): string {
    return this.cookies.get(withPort(SESSION_COOKIE, this.url)) ?? ''
  }

  async call({ method, path, bodyKind }: Call, { params = {}, body, headers = {} }: Sent = {}): Promise<Envelope> {
    const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
    const form = bodyKind === 'form'
    const sent =
      body === undefined
        ? {}
        : {
            headers: { 'content-type': form ? 'application/x-www-form-urlencoded' : 'application/json' },
            // the fields of a form are texts
            body: form ? String(new URLSearchParams(body as Record<string, string>)) : JSON.stringify(body),
          }
    return this.send(`/api${filled}`, { method, ...sent, headers: { ...sent.headers, ...headers } })
  }

  async send(path: string, init: RequestInit): Promise<Envelope> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = new Headers(init.headers)
    headers.set('origin', this.url)
    if (cookie !== '') headers.set('cookie', cookie)
    const answer = await fetch(this.url + path, { ...init, headers })
    this.setCookies = answer.headers.getSetCookie()
    for (const set of this.setCookies) this.#keep(set)
    return Envelope.parse(await answer.json())
  }

  #keep(set: string): void {
    const [name = '', value = ''] = set.slice(0, set.indexOf(';')).split('=')
    if (set.includes('Max-Age=0')) this.cookies.delete(name)
    else this.cookies.set(name, value)
  }
}

/** A stand-in for encryption whose output shows what was sealed and in which context. */
export const plainBox: UserDependencies['secretBox'] = {
  seal: (text, context) => `sealed:${context}:${Buffer.from(text).toString('hex')}`,
  open(sealed, context) {
    if (!sealed.startsWith(`sealed:${context}:`)) throw new Error('sealed for something else')
    return Buffer.from(sealed.slice(`sealed:${context}:`.length), 'hex').toString()
  },
}
