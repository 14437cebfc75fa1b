import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject, onTestFinished } from 'vitest'
import { pino } from 'pino'
import { startSimulator, type Simulator } from '#simulator/simulator.ts'
import { openApp, type App } from '#server/app.ts'
import { readStartConfiguration } from '#server/configuration/start.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { DatabaseStorage } from '#server/foundation/database/open.ts'
import type { Providers } from '#server/providers/providers.ts'
import type {} from './globalSetup.ts' // declares the type of what is injected
import { signIn, type Person } from './person.ts'
import { copySqliteTemplate } from './sqliteTemplate.ts'

/** Cheap password hashes: tests have nothing to protect. */
const CHEAP = { memory: 64, passes: 1, parallelism: 1 }
const PASSWORD = 'correct-horse-7'
/** The built page is a route for each of its hundreds of files; nothing that tests of the server ask for. */
const NO_PAGE = join(tmpdir(), 'no-page')

export type Portal = {
  app: App
  simulator: Simulator
  /** http://127.0.0.1:PORT */
  url: string
  admin: Person
  /** A new account, signed in. */
  person(username?: string): Promise<Person>
  close(): Promise<void>
}

type Options = {
  storage?: DatabaseStorage
  environment?: Record<string, string>
  simulator?: Simulator
  clock?: Clock
  log?: (line: string) => void
  /** In place of the providers that there are. */
  providers?: Partial<Providers>
  /** Whether the upstream's models are read. */
  reads_models?: boolean
}

/** The whole server on a free port with the simulator as its upstream, closed at the end of the test. */
export async function startPortal({
  storage,
  environment = {},
  simulator,
  clock,
  log,
  providers,
  reads_models = false,
}: Options = {}): Promise<Portal> {
  const given = storage !== undefined && 'data_dir' in storage ? storage.data_dir : null
  const data_dir = given ?? mkdtempSync(join(tmpdir(), 'commons-portal-'))
  if (storage === undefined) copySqliteTemplate(inject('sqlite'), data_dir)
  const upstream = simulator ?? (await startSimulator({ tokens_per_second: 0 }))
  const env = {
    COMMONS_DATA_DATA_DIR: data_dir,
    HOST: '127.0.0.1',
    PORT: '0',
    OPENAI_BASE_URL: upstream.url,
    OPENAI_API_KEY: 'test-key',
    COMMONS_COMMON_INITIAL_ADMIN_USER_PASSWORD: PASSWORD,
    ...(storage !== undefined && 'database_url' in storage && { DATABASE_URL: storage.database_url }),
    ...environment,
  }
  const lines = log === undefined ? pino({ level: 'silent' }) : pino({ level: 'debug' }, { write: log })
  const app = await openApp({
    start: readStartConfiguration(env),
    env,
    log: lines,
    demonstrationUrls: { openai_api: upstream.url, openai_web: upstream.webUrl },
    password_cost: CHEAP,
    clock,
    providers,
    reads_models,
    page_dir: NO_PAGE,
  })
  const { address: url } = await app.listen()
  let closed: Promise<void> | null = null
  const close = () =>
    (closed ??= (async () => {
      await app.close(0)
      if (simulator === undefined) await upstream.close()
      if (given === null) rmSync(data_dir, { recursive: true, force: true })
    })())
  onTestFinished(close)
  const admin = await signIn(url, 'admin', PASSWORD)
  let count = 0
  return {
    app,
    simulator: upstream,
    url,
    admin,
    close,
    async person(username = `person${++count}`) {
      await admin.call('POST', '/auth/register', {
        username,
        nickname: username,
        email: `${username}@example.org`,
        password: PASSWORD,
      })
      return signIn(url, username, PASSWORD)
    },
  }
}
