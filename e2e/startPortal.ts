import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Insertable } from 'kysely'
import type { ConversationHistory } from '#contract/conversations.ts'
import { openDatabase, type OpenDatabase, type Tables } from '#server/foundation/database/open.ts'
import { newId } from '#server/foundation/ids.ts'
import { PATIENCE } from '#testing/patience.ts'
import { signIn, type Person } from '#testing/person.ts'
import { storedConversation, storedHistory } from '#testing/rows.ts'
import { startSimulator, type Simulator } from '#simulator/simulator.ts'
import { WEB_TOKEN } from '#simulator/openaiWeb/state/web.ts'

/** A person with an account, signed in over the API. */
export type Account = Person & { username: string; password: string }

export type Portal = {
  /** http://127.0.0.1:PORT, the same after a restart. */
  readonly url: string
  /** The upstream; a demonstration portal does not use it. */
  readonly simulator: Simulator
  /** Output since the latest start. */
  printed(): string
  admin(): Promise<Account>
  /** A new account. */
  person(): Promise<Account>
  /** An account that there is. */
  signedIn(username: string, password: string): Promise<Account>
  /** Stores a conversation for an account and returns its id. */
  had(account: Account, history: ConversationHistory): Promise<string>
  /** Stores as many conversations without messages, with these fields each. */
  hadMany(account: Account, rows: readonly Partial<Insertable<Tables['conversations']>>[]): Promise<void>
  /** As if a person’s conversations had been deleted, or used last, so many milliseconds ago. */
  deletedBefore(account: Account, milliseconds: number): Promise<void>
  usedBefore(account: Account, milliseconds: number): Promise<void>
  /** Kills the server without warning. */
  kill(): Promise<void>
  /** Restarts on the same data and port. */
  startAgain(): Promise<void>
  close(): Promise<void>
}

export type PortalOptions = {
  environment?: Record<string, string>
  /** With the web source, at the simulator. With `arkose`, questions to it go with a token of an endpoint there. */
  web?: boolean | 'arkose'
  /**
   * As on a new machine: no upstream is configured, the administrator's password is generated, and passwords are hashed
   * at full cost.
   */
  demonstration?: boolean
}

const MAIN = join(import.meta.dirname, '../dist/server/main.js')
const QUICK_HASHING = ['--import', new URL('quickHashing.ts', import.meta.url).href]
const ADMIN = 'admin'
const PASSWORD = 'correct-horse-7'
/** Milliseconds. */
const MAX_START = 2 * PATIENCE

/** Starts the program as `npm start` does, with a new data folder. */
export async function startPortal({
  environment = {},
  demonstration = false,
  web = false,
}: PortalOptions = {}): Promise<Portal> {
  const data_dir = mkdtempSync(join(tmpdir(), 'commons-journey-'))
  const simulator = await startSimulator({ tokens_per_second: 0 })
  const connected = {
    OPENAI_BASE_URL: simulator.url,
    OPENAI_API_KEY: 'key-of-the-journeys',
    COMMONS_OPENAI_API_ENABLED_MODELS: '["gpt_3_5","gpt_4"]',
    COMMONS_COMMON_INITIAL_ADMIN_USER_PASSWORD: PASSWORD,
  }
  const env = {
    PATH: process.env['PATH'],
    COMMONS_DATA_DATA_DIR: data_dir,
    HOST: '127.0.0.1',
    ...(demonstration ? {} : connected),
    ...(web === false ? {} : webAccount(simulator, web === 'arkose')),
    ...environment,
  }
  const flags = demonstration ? [] : QUICK_HASHING
  const first = await startServer({ ...env, PORT: '0' }, flags)
  let server = first
  const url = first.address
  const account = async (username: string, password = PASSWORD): Promise<Account> => ({
    ...(await signIn(url, username, password)),
    username,
    password,
  })
  const inDatabase = async <Result>(work: (open: OpenDatabase) => Promise<Result>): Promise<Result> => {
    const open = await openDatabase({ data_dir }, { migrate: false })
    try {
      return await work(open)
    } finally {
      await open.close()
    }
  }
  const admin = () => account(ADMIN, printedPassword(first.printed()))
  let registering: Promise<Account> | null = null
  let count = 0
  return {
    url,
    simulator,
    printed: () => server.printed(),
    admin,
    signedIn: account,
    async person() {
      registering ??= admin()
      const username = `person${++count}`
      await (
        await registering
      ).result('POST', '/auth/register', {
        username,
        nickname: username,
        email: `${username}@example.org`,
        password: PASSWORD,
      })
      return account(username)
    },
    had: ({ id }, history) => inDatabase(({ database }) => storedHistory(database, id, { ...history, _id: newId() })),
    hadMany: ({ id }, rows) =>
      inDatabase(({ transaction }) =>
        transaction(async database => {
          for (const row of rows) await storedConversation(database, { ...row, user_id: id })
        }),
      ),
    deletedBefore: ({ id }, milliseconds) =>
      inDatabase(async ({ database }) => {
        await database
          .updateTable('conversations')
          .set({ ends_from: Date.now() - milliseconds })
          .where('user_id', '=', id)
          .where('is_valid', '=', false)
          .execute()
      }),
    usedBefore: ({ id }, milliseconds) =>
      inDatabase(async ({ database }) => {
        await database
          .updateTable('conversations')
          .set({ update_time: Date.now() - milliseconds })
          .where('user_id', '=', id)
          .execute()
      }),
    kill: () => server.end('SIGKILL'),
    async startAgain() {
      await server.end('SIGTERM')
      server = await startServer({ ...env, PORT: new URL(url).port }, flags)
    },
    async close() {
      await server.end('SIGKILL')
      await simulator.close()
      rmSync(data_dir, { recursive: true, force: true })
    },
  }
}

const webAccount = ({ webUrl, arkoseUrl }: Simulator, needsToken: boolean): Record<string, string> => ({
  COMMONS_OPENAI_WEB_ENABLED: 'true',
  COMMONS_OPENAI_WEB_CHATGPT_BASE_URL: webUrl,
  COMMONS_CREDENTIALS_OPENAI_WEB_ACCESS_TOKEN: WEB_TOKEN,
  COMMONS_OPENAI_WEB_ENABLED_MODELS:
    '["gpt_3_5","gpt_4","gpt_4_browsing","gpt_4_code_interpreter","gpt_4_plugins","gpt_4_dalle"]',
  ...(needsToken && {
    COMMONS_OPENAI_WEB_ENABLE_ARKOSE_ENDPOINT: 'true',
    COMMONS_OPENAI_WEB_ARKOSE_ENDPOINT_BASE: arkoseUrl,
  }),
})

/** The generated password of the administrator in the output, if any. */
export function printedPassword(printed: string): string | undefined {
  return /^Password: +(\S{16,})/m.exec(printed)?.[1]
}

type Server = { address: string; printed(): string; end(signal: NodeJS.Signals): Promise<void> }

async function startServer(env: NodeJS.ProcessEnv, flags: string[]): Promise<Server> {
  const child = spawn(process.execPath, [...flags, MAIN], { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', chunk => {
      printed += String(chunk)
    })
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
  try {
    return { address: await addressOf(child), printed: () => printed, end }
  } catch (cause) {
    await end('SIGKILL')
    throw new Error(`the server did not start:\n${printed}`, { cause })
  }
}

async function addressOf(child: ChildProcess): Promise<string> {
  const started = once(child, 'message', { signal: AbortSignal.timeout(MAX_START) })
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`it ended with ${code}`)
  })
  const [message] = await Promise.race([started, ended])
  const { address } = message as { address: string } // what the server sends when it is ready
  return address
}
