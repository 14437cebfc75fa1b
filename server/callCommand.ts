import { globSync } from 'node:fs'
import * as z from 'zod/mini'
import type { Call } from '#contract/call.ts'
import { parseJson } from '#server/foundation/json.ts'
import type { Http } from '#server/foundation/http/http.ts'
import { openLog } from '#server/foundation/logging.ts'
import type { User } from '#server/users/user.ts'
import { answerCalls } from './app.ts'
import { checked, type Command, CommandFailure, EXIT, type Terminal } from './commands/command.ts'
import { openExisting, readStorage } from './commands/storage.ts'
import { openServices, type Services } from './services.ts'

/** What a call is given: its parts by name. */
const Parts = z.object({
  params: z.optional(z.record(z.string(), z.unknown())),
  query: z.optional(z.record(z.string(), z.unknown())),
  body: z.optional(z.unknown()),
})

const EXAMPLE = '{"params": {"id": 3}, "body": {"is_active": false}}'

export const call: Command = {
  name: 'call',
  usage: '<name> [parts] [--as …]',
  summary: `Makes a call of the API, as the first administrator or the one named with --as, and prints its result as JSON. Names are those of contract/, such as listUsers, updateUser or changeUpstream ("call names" lists them); the parts are JSON such as ${EXAMPLE}, or - to read it from the input, which is the way for a key or a password.`,
  flags: { as: { type: 'string' } },
  example: EXAMPLE,
  async run({ words: [name = '', given = '{}'], flags }, terminal) {
    const calls = await callsByName()
    if (name === 'names') for (const [each, { summary }] of calls) terminal.say(`${each}: ${summary}`)
    if (name === 'names') return EXIT.good
    const asked = calls.get(name)
    if (asked === undefined)
      throw new CommandFailure(`There is no call ${name}: npm run commons -- call names lists them.`)
    if (asked.resultKind === 'file' || (asked.bodyKind ?? 'json') !== 'json')
      throw new CommandFailure(`${name} takes a form or a file, or gives one: that is for the page.`)
    const parts = partsOf(asked, parseJson(given === '-' ? await terminal.readInput() : given, 'changes'))
    const result = await withServices(terminal, async services => {
      const work = worksOf(services).get(asked)
      if (work === undefined) throw new Error(`nothing answers ${name}`)
      return work({ ...parts, user: await callerNamed(services, flags['as']), request: ofABrowser, reply: ofABrowser })
    })
    if (result != null) terminal.say(JSON.stringify(result, null, 2))
    return EXIT.good
  },
}

/** By the name under which the contract exports it. */
async function callsByName(): Promise<Map<string, Call>> {
  const files = globSync('*.ts', { cwd: new URL('../contract/', import.meta.url), exclude: ['*.test.ts'] })
  // any module is one
  const modules = await Promise.all(files.toSorted().map(file => import(`#contract/${file}`) as Promise<object>))
  return new Map(modules.flatMap(module => Object.entries(module)).filter(isCall))
}

function isCall(entry: [string, unknown]): entry is [string, Call] {
  const [, value] = entry
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value
}

/**
 * In the schemas of the call. In an address everything is text; unknown fields are refused, because here they are
 * misspelt.
 */
function partsOf({ params, query, body }: Call, given: unknown): Partial<Record<keyof z.infer<typeof Parts>, unknown>> {
  const parts = checked(Parts, given)
  return {
    params: params === null ? undefined : checked(params, texts(parts.params)),
    query: query === null ? undefined : checked(query, texts(parts.query)),
    body: body === null ? undefined : checked(body, parts.body ?? {}),
  }
}

function texts(part: Record<string, unknown> = {}): Record<string, unknown> {
  const text = (value: unknown) => (typeof value === 'number' || typeof value === 'boolean' ? String(value) : value)
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, text(value)]))
}

/** In place of a session: no browser has it. */
const SESSION = ''

type Work = (asked: object) => unknown

function worksOf(services: Services): Map<Call, Work> {
  const works = new Map<Call, Work>()
  const http: Pick<Http<User>, 'answer' | 'route'> = {
    // What it takes has been parsed by the schemas of the call that it is registered with.
    answer: (of, work) => works.set(of, work as Work),
    route: () => {},
  }
  // Routes register answers and nothing else of it.
  answerCalls(http as Http<User>, services, Promise.resolve())
  return works
}

/** Of a request and its reply there is nothing here: cookies are a browser's. */
const ofABrowser = new Proxy(
  {},
  {
    get() {
      throw new CommandFailure('This call concerns the session of a browser: it is for the page.')
    },
  },
)

async function callerNamed({ users }: Services, named: unknown): Promise<User> {
  const administrators = (await users.directory.list()).filter(
    ({ is_superuser, is_active }) => is_superuser && is_active,
  )
  const caller = administrators.find(({ username }) => named === undefined || username === named)
  if (caller === undefined)
    throw new CommandFailure(
      named === undefined
        ? 'There is no administrator: create-admin makes one.'
        : `${String(named)} is no administrator.`,
    )
  return { ...caller, session: SESSION, session_create_time: Date.now() }
}

/** Opens every service for one call, also while a portal is running, and closes them afterwards. */
async function withServices<T>(terminal: Terminal, work: (services: Services) => Promise<T>): Promise<T> {
  const { env, password_cost } = terminal
  const storage = readStorage(terminal)
  // Says in words what is wrong with the database before anything else is opened.
  await (await openExisting(storage)).close()
  const services = await openServices({
    start: storage.start,
    env,
    log: openLog('WARNING', { write: () => {} }),
    password_cost,
    demonstrationUrls: { openai_api: '', openai_web: '' },
    for_command: true,
  })
  const signedOut = new Set<number>()
  services.users.onSessionsEnded(({ user_id, except = SESSION }) => {
    if (user_id !== undefined && except === SESSION) signedOut.add(user_id)
  })
  try {
    const result = await work(services)
    for (const user_id of signedOut) await services.asking.stopAllOf(user_id)
    return result
  } finally {
    await services.close(AbortSignal.abort())
  }
}
