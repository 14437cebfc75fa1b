import * as z from 'zod/mini'
import { Source } from '#contract/models.ts'
import { NewUpstream, UpstreamChanges, type UpstreamRead } from '#contract/upstreams.ts'
import { openConfiguration } from '#server/configuration/configuration.ts'
import type { StartConfiguration } from '#server/configuration/start.ts'
import { openCredentials } from '#server/credentials/credentials.ts'
import { openBus } from '#server/foundation/bus.ts'
import { systemClock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { openJobs } from '#server/foundation/jobs/jobs.ts'
import { openLog } from '#server/foundation/logging.ts'
import { openOutbound } from '#server/foundation/outbound/outbound.ts'
import { openSecretBox, type SecretBox } from '#server/foundation/secrets.ts'
import { openProviders } from '#server/providers/providers.ts'
import { openUpstreamAdministration, type UpstreamAdministration } from '#server/upstreams/administration.ts'
import { openModelReading } from '#server/upstreams/modelReading.ts'
import { openUpstreams } from '#server/upstreams/upstreams.ts'
import { changesIn } from './changes.ts'
import { type Asked, columns, type Command, CommandFailure, EXIT, type Terminal } from './command.ts'
import { openExisting, readStorage } from './storage.ts'

/** No key: everybody on the machine can read arguments. */
const Added = z.extend(z.omit(NewUpstream, { secret: true }), { source: z._default(Source, 'openai_api') })
const Changes = z.omit(UpstreamChanges, { secret: true, version: true })

const HEAD = ['id', 'source', 'name', 'state', 'health', 'models', 'token until', 'address']

type Action = (own: UpstreamAdministration, asked: Asked, terminal: Terminal) => Promise<UpstreamRead[]>

const ACTIONS: Record<string, { takes: number; run: Action }> = {
  list: { takes: 0, run: async own => own.list() },
  add: {
    takes: 1,
    run: async (own, { words: [, fields = ''], flags }, terminal) => [
      await own.add({ ...changesIn(Added, fields), secret: await keyOf(flags, terminal) }, null),
    ],
  },
  change: {
    takes: 2,
    async run(own, { words: [, id = '', fields = ''], flags }, terminal) {
      const changes = changesIn(Changes, fields)
      const { version } = requireListed(own, id)
      return [await own.change(Number(id), { ...changes, version, secret: await keyOf(flags, terminal) }, null)]
    },
  },
  pause: { takes: 1, run: async (own, { words: [, id = ''] }) => [await own.pause(requireListed(own, id).id, null)] },
  resume: { takes: 1, run: async (own, { words: [, id = ''] }) => [await own.resume(requireListed(own, id).id)] },
  remove: {
    takes: 1,
    async run(own, { words: [, id = ''] }, { say }) {
      const { id: removed, label } = requireListed(own, id)
      await own.remove(removed)
      say(`${label} (${removed}) is removed.`)
      return own.list()
    },
  },
  test: { takes: 1, run: async (own, { words: [, id = ''] }) => [await own.test(requireListed(own, id).id)] },
}

export const upstreams: Command = {
  name: 'upstreams',
  usage: '<list, add, change, pause, resume, remove or test> [id] [fields] [--key-stdin]',
  summary:
    'Lists the shared accounts and keys, or does that to one: add \'{"label": "Second key", "base_url": "https://example.org/v1"}\' (a web account with "source": "openai_web"), change 3 \'{"concurrency": 20}\', pause 3. With --key-stdin the key or token is read from the first line of the input.',
  flags: { 'key-stdin': { type: 'boolean' } },
  async run(asked, terminal) {
    const [name = ''] = asked.words
    const action = ACTIONS[name]
    if (action === undefined || asked.words.length !== action.takes + 1) {
      terminal.complain(`It is called so: npm run commons -- upstreams ${upstreams.usage}`)
      return EXIT.misused
    }
    const shown = await withUpstreams(terminal, own => action.run(own, asked, terminal))
    for (const line of columns([HEAD, ...shown.map(rowOf)])) terminal.say(line)
    const [first] = shown
    if (!['add', 'change', 'test'].includes(name) || first?.last_test == null) return EXIT.good
    terminal.say(outcomeOf(first.last_test))
    return name === 'test' && first.last_test.message !== null ? EXIT.failed : EXIT.good
  },
}

function requireListed(own: UpstreamAdministration, id: string): UpstreamRead {
  const found = own.list().find(each => String(each.id) === id)
  if (found === undefined)
    throw new CommandFailure(`There is no account ${id}: npm run commons -- upstreams list shows them.`)
  return found
}

async function keyOf(flags: Asked['flags'], { readLine }: Terminal): Promise<string | undefined> {
  return flags['key-stdin'] === true ? (await readLine()).trim() : undefined
}

function rowOf({
  id,
  source,
  is_first,
  label,
  enabled,
  paused_since,
  health,
  models,
  token_expire_time,
  base_url,
}: UpstreamRead): string[] {
  return [
    String(id),
    source,
    label || (is_first ? '(of the settings)' : ''),
    enabled ? (paused_since === null ? 'in use' : `paused since ${paused_since}`) : 'off',
    healthText(health),
    // Those of a web account are the settings’.
    source === 'openai_web' ? '' : String(models.filter(({ offered }) => offered).length),
    token_expire_time?.slice(0, 10) ?? '',
    base_url ?? '',
  ]
}

function healthText({ state, until, message }: UpstreamRead['health']): string {
  if (state === 'normal') return 'normal'
  const reason = message?.replace('errors.', '') ?? ''
  return state === 'cooling' ? `asked less until ${until} (${reason})` : `needs attention (${reason})`
}

const REASONS: Record<string, string> = {
  'errors.openai.401': 'the key is not accepted',
  'errors.openai.403': 'it refuses the requests of this key or this machine',
  'errors.openai.404': 'there is no such address',
  'errors.openai.429': 'it has no requests left at the moment',
  'errors.openai.unknown': 'it answers, but not as such a service does',
  'errors.httpError': 'it cannot be reached',
  'errors.upstreamTimeout': 'it gave no answer in time',
}

function outcomeOf({ message, listed }: NonNullable<UpstreamRead['last_test']>): string {
  if (message !== null) return `It does not answer as it should: ${REASONS[message] ?? message.replace('errors.', '')}.`
  return listed === null ? 'It answers.' : `It answers and lists ${listed} models.`
}

/** Opens the shared accounts and keys for a command, also while a portal is running, and closes them afterwards. */
async function withUpstreams<T>(
  terminal: Terminal,
  work: (administration: UpstreamAdministration) => Promise<T>,
): Promise<T> {
  const storage = readStorage(terminal)
  const open = await openExisting(storage)
  try {
    const secretBox = openSecretBox(storage.data_dir, terminal.env)
    const services = await openServices(storage.start, open, secretBox, terminal)
    try {
      return await work(services.administration)
    } finally {
      await services.close()
    }
  } finally {
    await open.close()
  }
}

async function openServices(start: StartConfiguration, open: OpenDatabase, secretBox: SecretBox, { env }: Terminal) {
  const bus = await openBus(open)
  const outbound = openOutbound()
  const log = openLog('WARNING', { write: () => {} })
  const foundation = { open, bus, clock: systemClock, log, secretBox }
  const configuration = await openConfiguration(start, open, bus)
  const credentials = await openCredentials(start, open, secretBox, configuration, bus)
  const upstreams = await openUpstreams({
    ...foundation,
    configuration,
    credentials,
    demonstrationUrls: { openai_api: '', openai_web: '' },
    env,
  })
  const providers = openProviders(outbound, log)
  // Nothing is started here: a portal that runs reads the models again when it is time.
  const jobs = openJobs(foundation)
  const shared = { ...foundation, configuration, credentials, upstreams, providers }
  const models = openModelReading({ ...shared, jobs })
  return {
    administration: openUpstreamAdministration({ ...shared, models }),

    async close(): Promise<void> {
      await models.close()
      await jobs.close()
      await upstreams.close()
      credentials.close()
      configuration.close()
      await outbound.close()
      await bus.close() // what was published has been sent then
    },
  }
}
