import * as z from 'zod/mini'
import { Source } from '#contract/models.ts'
import { NewUpstream, UpstreamChanges, type UpstreamRead } from '#contract/upstreams.ts'
import { accountOfToken, isOtherAccount, readWebToken } from '#contract/webToken.ts'
import type { UpstreamAdministration } from '#server/upstreams/administration.ts'
import { changesIn } from './changes.ts'
import { callOf, type CommandArguments, columns, type Command, CommandFailure, EXIT, type Terminal } from './command.ts'
import { openExisting, readStorage } from './storage.ts'
import { withSources } from './withSources.ts'

/** No key: everybody on the machine can read arguments. */
const Added = z.extend(z.omit(NewUpstream, { secret: true }), { source: z._default(Source, 'openai_api') })
const Changes = z.omit(UpstreamChanges, { secret: true, version: true })

const HEAD = ['id', 'source', 'name', 'state', 'health', 'models', 'token until', 'address']

type Action = (own: UpstreamAdministration, asked: CommandArguments, terminal: Terminal) => Promise<UpstreamRead[]>

const ACTIONS: Record<string, { takes: number; run: Action }> = {
  list: { takes: 0, run: async own => own.list() },
  add: {
    takes: 1,
    run: async (own, { words: [, fields = ''], flags }, terminal) => [
      await addUpstream(own, changesIn(Added, fields), flags, terminal),
    ],
  },
  change: {
    takes: 2,
    async run(own, { words: [, id = '', fields = ''], flags }, terminal) {
      const changes = changesIn(Changes, fields)
      const before = requireListed(own, id)
      const secret = await keyOf(before.source, flags, terminal)
      sayIfOther(before, secret, terminal)
      return [await own.change(Number(id), { ...changes, version: before.version, secret }, null)]
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
    'Lists the shared accounts and keys, or does that to one: add \'{"label": "Second key", "base_url": "https://example.org/v1"}\' (a web account with "source": "openai_web"), change 3 \'{"concurrency": 20}\', pause 3. With --key-stdin the key is read from the first line of the input; for a web account the token, or the JSON of a session with it, from all of it.',
  flags: { 'key-stdin': { type: 'boolean' } },
  example: '{"label": "Second key"}',
  async run(asked, terminal) {
    const [name = ''] = asked.words
    const action = ACTIONS[name]
    if (action === undefined || asked.words.length !== action.takes + 1) {
      terminal.complain(`Usage: ${callOf(upstreams)}`)
      return EXIT.misused
    }
    const shown = await withAdministration(terminal, own => action.run(own, asked, terminal))
    for (const line of columns([HEAD, ...shown.map(rowOf)])) terminal.say(line)
    const [first] = shown
    if (!['add', 'change', 'test'].includes(name) || first?.last_test == null) return EXIT.good
    terminal.say(outcomeOf(first.last_test))
    return name === 'test' && first.last_test.message !== null ? EXIT.failed : EXIT.good
  },
}

async function addUpstream(
  own: UpstreamAdministration,
  fields: z.infer<typeof Added>,
  flags: CommandArguments['flags'],
  terminal: Terminal,
): Promise<UpstreamRead> {
  return own.add({ ...fields, secret: await keyOf(fields.source, flags, terminal) }, null)
}

function requireListed(own: UpstreamAdministration, id: string): UpstreamRead {
  const found = own.list().find(each => String(each.id) === id)
  if (found === undefined)
    throw new CommandFailure(`There is no account ${id}: npm run commons -- upstreams list shows them.`)
  return found
}

/** A key is one line; of a web account the JSON of a session may be given, which has several. */
async function keyOf(
  source: Source,
  flags: CommandArguments['flags'],
  { readInput }: Terminal,
): Promise<string | undefined> {
  if (flags['key-stdin'] !== true) return undefined
  const input = (await readInput()).trim()
  return source === 'openai_web' ? input : (input.split(/\r?\n/)[0] ?? '').trim()
}

/** Says what a token of another account means for the conversations of the present one. */
function sayIfOther({ token_account, label }: UpstreamRead, secret: string | undefined, { say }: Terminal): void {
  const read = readWebToken(secret ?? '')
  const next = 'token' in read ? accountOfToken(read.token) : null
  if (!isOtherAccount(token_account, next)) return
  say(
    `This token is of another account than the one that ${label || 'it'} had: conversations of before can be read, and not`,
  )
  say('continued until the earlier token is back. To use both accounts, add another one in place of this change.')
}

function rowOf({
  id,
  source,
  removable,
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
    label || (removable ? '' : '(of the settings)'),
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
  'errors.keyUnreadable': 'its stored key cannot be opened with the present secret key; enter it again',
  'errors.openai.401': 'the key is not accepted',
  'errors.openai.403': 'it refuses the requests of this key or this machine',
  'errors.openai.404': 'there is no such address',
  'errors.openai.429': 'it has no requests left at the moment',
  'errors.openai.quota': 'its balance or quota is used up',
  'errors.openai.accountDeactivated': 'its account or workspace was deactivated',
  'errors.openai.unusualActivity': 'it noticed unusual activity of this key or this machine',
  'errors.openai.webPage': 'it sends a web page: a check for humans, or the address is wrong',
  'errors.openai.unknown': 'it answers, but not as such a service does',
  'errors.httpError': 'it cannot be reached',
  'errors.upstreamTimeout': 'it gave no answer in time',
}

function outcomeOf({ message, listed }: NonNullable<UpstreamRead['last_test']>): string {
  if (message !== null) return `It does not answer as it should: ${REASONS[message] ?? message.replace('errors.', '')}.`
  return listed === null ? 'It answers.' : `It answers and lists ${listed} models.`
}

async function withAdministration<T>(
  terminal: Terminal,
  work: (administration: UpstreamAdministration) => Promise<T>,
): Promise<T> {
  const storage = readStorage(terminal)
  const open = await openExisting(storage)
  try {
    return await withSources({ storage, open, terminal }, ({ administration }) => work(administration))
  } finally {
    await open.close()
  }
}
