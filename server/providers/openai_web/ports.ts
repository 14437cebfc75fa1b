import type { InterpreterInfo } from '#contract/conversations.ts'
import { type CheckedAccounts, UpstreamAccount } from '#contract/upstreamAccounts.ts'
import type { Outbound } from '#server/foundation/outbound/outbound.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { type Fields, fieldOf, isFields } from '../looseJson.ts'
import type { ProviderPorts, ListedConversation } from '../ports.ts'
import { UpstreamRefusal } from '../upstreamRefusal.ts'
import { filePorts, downloadUrlIn, type FileRefusals, orMissing, webStorage } from './files.ts'
import { keptConversation } from './history.ts'
import { codesOf, toMessage } from './message.ts'
import { pluginPorts } from './plugins.ts'
import { timeIn, titleIn } from './reach.ts'
import { openWebRequests, type AskWeb, pathPart, isWebId } from './request.ts'
import { storableValue } from './storable.ts'

/** Bytes of a page of the list, and of a whole conversation. */
const MAX_PAGE = 4 * 1024 * 1024
const MAX_CONVERSATION = 40 * 1024 * 1024

type ConversationPorts = Pick<
  ProviderPorts,
  | 'listConversations'
  | 'readConversation'
  | 'renameConversation'
  | 'hideConversation'
  | 'showConversation'
  | 'titleConversation'
  | 'test'
>

/** The conversations of a web account. */
function conversationPorts(ask: AskWeb): ConversationPorts {
  const list: ConversationPorts['listConversations'] = (endpoint, { offset, limit }, signal) => {
    const query = { offset, limit }
    return ask(endpoint, { method: 'GET', path: 'conversations', query, max_bytes: MAX_PAGE }, listedIn, signal)
  }

  return {
    listConversations: list,

    async test(endpoint, signal) {
      await list(endpoint, { offset: 0, limit: 1 }, signal)
    },

    async readConversation(endpoint, id, signal) {
      const path = `conversation/${pathPart(id)}`
      const answer = await ofConversation(
        ask(endpoint, { method: 'GET', path, max_bytes: MAX_CONVERSATION }, conversationIn, signal),
      )
      const codeOf = codesOf(endpoint.web?.model_code_mapping)
      return keptConversation(answer, given => toMessage(given, codeOf))
    },

    async renameConversation(endpoint, id, title, signal) {
      const path = `conversation/${pathPart(id)}`
      await ofConversation(ask(endpoint, { method: 'PATCH', path, body: { title } }, successIn, signal))
    },

    async hideConversation(endpoint, id, signal) {
      const path = `conversation/${pathPart(id)}`
      const done = ask(endpoint, { method: 'PATCH', path, body: { is_visible: false } }, successIn, signal)
      await ofConversation(done).catch(throwUnlessGone)
    },

    async showConversation(endpoint, id, signal) {
      const path = `conversation/${pathPart(id)}`
      await ofConversation(ask(endpoint, { method: 'PATCH', path, body: { is_visible: true } }, successIn, signal))
    },

    titleConversation(endpoint, id, message_id, signal) {
      const path = `conversation/gen_title/${pathPart(id)}`
      const request = { method: 'POST', path, body: { message_id } } as const
      return ofConversation(ask(endpoint, request, ({ title }) => titleIn(title), signal))
    },
  }
}

/**
 * The conversations on a page of the list. What is no conversation is left out; a page of nothing but such is null,
 * since it must not pass for the end of the list.
 */
function listedIn({ items }: Fields): ListedConversation[] | null {
  if (!Array.isArray(items)) return null
  const listed = items.flatMap(item =>
    isFields(item) && isWebId(item['id'])
      ? [{ id: item['id'], title: titleIn(item['title']), create_time: timeIn(item['create_time']) }]
      : [],
  )
  return listed.length === 0 && items.length > 0 ? null : listed
}

const conversationIn = (answer: Fields): Fields | null => (isFields(answer['mapping']) ? answer : null)

const successIn = ({ success }: Fields): true | null => (success === false ? null : true)

/**
 * A conversation is gone when the upstream says so: a page about something not found is of somebody else, such as a
 * proxy.
 */
async function ofConversation<Answer>(asked: Promise<Answer>): Promise<Answer> {
  try {
    return await asked
  } catch (error) {
    if (!(error instanceof Refusal) || error.key !== 'openai.404' || saysItself(error)) throw error
    throw new Refusal('openai.unknown', error.values, { cause: error.cause })
  }
}

const saysItself = ({ cause }: Refusal): boolean =>
  cause instanceof UpstreamRefusal && /\bjson\b/i.test(cause.said.content_type ?? '')

function throwUnlessGone(error: unknown): void {
  if (!(error instanceof Refusal) || !['openai.404', 'conversationGone'].includes(error.key)) throw error
}

/** All that a web account can do beside answering. It has no list of models. */
export function webPorts(outbound: Outbound): Omit<ProviderPorts, 'models'> {
  const ask = openWebRequests(outbound)
  return {
    ...conversationPorts(ask),
    ...pluginPorts(ask),
    ...interpreterPorts(ask),
    ...filePorts(ask),
    ...webStorage(outbound),
    ...accountPorts(ask),
  }
}

const REFUSALS: FileRefusals = { missing: 'sandboxFileNotFound', other: 'sandboxFileDownloadError' }
/** Milliseconds: a day. */
const MAX_REMAINING = 86_400_000

/** The interpreter of a conversation, and the files in its sandbox. */
function interpreterPorts(ask: AskWeb): Pick<ProviderPorts, 'readInterpreter' | 'sandboxFileUrl'> {
  return {
    readInterpreter(endpoint, id, signal) {
      const path = `conversation/${pathPart(id)}/interpreter`
      return ask(endpoint, { method: 'GET', path }, interpreterIn, signal)
    },

    sandboxFileUrl(endpoint, id, { message_id, sandbox_path }, signal) {
      const path = `conversation/${pathPart(id)}/interpreter/download`
      const request = { method: 'GET', path, query: { message_id, sandbox_path } } as const
      return orMissing(
        ask(endpoint, request, answer => downloadUrlIn(answer, REFUSALS), signal),
        REFUSALS.missing,
      )
    },
  }
}

function interpreterIn({ kernel_started, time_remaining_ms }: Fields): InterpreterInfo | null {
  if (typeof kernel_started !== 'boolean') return null
  const remaining = typeof time_remaining_ms === 'number' ? time_remaining_ms : 0
  return { kernel_started, time_remaining_ms: Math.round(Math.min(Math.max(remaining, 0), MAX_REMAINING)) }
}

type Account = CheckedAccounts['accounts'][string]

const MAX_CHECK = 1024 * 1024
const MAX_ACCOUNTS = 100

/** The accounts of a token: the personal one, and those of teams. */
function accountPorts(ask: AskWeb): Pick<ProviderPorts, 'checkAccounts'> {
  return {
    checkAccounts(endpoint, signal) {
      const request = { method: 'GET', path: 'accounts/check/v4-2023-04-27', max_bytes: MAX_CHECK } as const
      return ask(endpoint, request, answer => accountsIn(answer, Date.now()), signal)
    },
  }
}

/** The accounts in an answer, the most useful first; null where there is none. */
export function accountsIn({ accounts, account_ordering }: Fields, now: number): CheckedAccounts | null {
  if (!isFields(accounts)) return null
  const read = Object.entries(accounts)
    .filter(([id]) => isWebId(id))
    .slice(0, MAX_ACCOUNTS)
    .flatMap(([id, given]) => {
      const account = accountIn(given)
      return account === null ? [] : [[id, account] as const]
    })
  if (read.length === 0) return null
  return { accounts: Object.fromEntries(read), account_ordering: ordered(new Map(read), account_ordering, now) }
}

/** Its picture is left out: nothing of the page's is fetched from an address that an upstream gives. */
function accountIn(given: unknown): Account | null {
  const account = UpstreamAccount.safeParse(storableValue(given)).data
  return account === undefined ? null : { ...account, account: { ...account.account, profile_picture_url: null } }
}

/**
 * The most useful first: an active team, then plus, then free; what is over or deactivated last; among equals as the
 * upstream has them.
 */
function ordered(accounts: ReadonlyMap<string, Account>, given: unknown, now: number): string[] {
  const named = Array.isArray(given) ? given.filter(id => typeof id === 'string' && accounts.has(id)) : []
  const known = new Set<string>([...named, ...withoutAlias(accounts)])
  return [...known]
    .map(id => ({ id, rank: rankOf(accounts.get(id), now) }))
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ id }) => id)
}

/** The upstream has one of them once more as `default`. */
function withoutAlias(accounts: ReadonlyMap<string, Account>): string[] {
  const same = accounts.get('default')?.account.account_id
  return [...accounts.keys()].filter(id => id !== 'default' || same == null || !accounts.has(same))
}

function rankOf(account: Account | undefined, now: number): number {
  if (account === undefined || account.account.is_deactivated === true) return 5
  const plan = `${account.account.plan_type ?? ''} ${account.entitlement?.subscription_plan ?? ''}`.toLowerCase()
  const isTeam = account.account.structure === 'workspace' || /team|enterprise|business/.test(plan)
  const isPaid = isTeam || /plus|pro/.test(plan)
  if (!isPaid) return 2
  return isOver(account, now) ? (isTeam ? 4 : 3) : isTeam ? 0 : 1
}

/** A paid plan that has ended. */
function isOver({ entitlement }: Account, now: number): boolean {
  const expires = timeIn(fieldOf(entitlement, 'expires_at'))
  return fieldOf(entitlement, 'has_active_subscription') === false || (expires !== null && expires <= now)
}
