import type { Outcome } from '#contract/asking.ts'
import { isShown, isThoughts, type Message, textOf } from '#contract/messages.ts'
import type { Source } from '#contract/models.ts'
import { toMessage, toRecord } from '#server/conversations/history.ts'
import { keepMessages, messageStore } from '#server/conversations/messageStore.ts'
import {
  type ConversationChanges,
  type ConversationRow,
  conversationStore,
  removeWithOnly,
} from '#server/conversations/store.ts'
import { titleFromText } from '#server/conversations/titles.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase, Transaction, Database } from '#server/foundation/database/open.ts'
import type { MessageKey } from '#server/foundation/search/search.ts'
import type { SearchQueue } from '#server/foundation/search/searchQueue.ts'
import { askFailure } from '#server/foundation/refusal.ts'
import type { AskNotices } from '#server/notices/askNotices.ts'
import type { Sources } from '#server/sources/source.ts'
import type { Reserved } from '#server/asks/ask.ts'
import { settle } from '#server/limits/limits.ts'
import { queueStore } from '#server/asks/queueStore.ts'
import type { Pools } from '#server/limits/shares/pools.ts'
import { chunkStore, type AskRow, askStore } from '#server/asks/store.ts'
import { giveBackUse, type PriceAt, settleUse, type SettledUse, settledUse } from '#server/limits/settlement.ts'
import {
  askLogStore,
  NO_TOKENS,
  type RelayedTokens,
  type Tokens,
  tokensOf,
  tokensOfRelay,
} from '#server/asks/logStore.ts'
import { type RefusalKey, REFUSALS } from '#contract/refusals.ts'
import type { AskEnd, Failure } from './liveReply.ts'

/** What came of an ask, to be stored. */
export type AskResult = {
  ask_id: string
  upstream_id: number
  outcome: Outcome
  failure: Failure | null
  messages: readonly Message[]
  /**
   * Whether anything of the answer has come. If so the ask is charged, else it is given back, and only thoughts are
   * stored.
   */
  hasText: boolean
  first_token_time: number | null
  /** The id of the conversation at the upstream; null when it is not known. */
  upstream_conversation_id: string | null
  /** What was sent to the upstream; null when it is not known. */
  thread?: readonly Message[] | null
  /** What has come of an answer that was passed on; null for any other. */
  metered?: RelayedTokens | null
  /** The ask began its conversation, which is removed with it when no answer has come. */
  removesUnanswered?: boolean
}

export type Complete = ReturnType<typeof openCompletion>

type Dependencies = {
  open: OpenDatabase
  clock: Clock
  searchQueue: Pick<SearchQueue, 'add' | 'wake'>
  sources: Pick<Sources, 'noteChange' | 'sendChanges'>
  priceAt: PriceAt
  notices: Pick<AskNotices, 'ended' | 'wake'>
  pools: Pick<Pools, 'poolOf'>
}

/**
 * Completion: one transaction, once for every ask, stores the answer, queues it and its question for the search index,
 * settles the reservation, writes the log and drops the chunks. Low priority, since its readers have the answer
 * already: admissions may be written first.
 */
export function openCompletion({ open, clock, searchQueue, sources, priceAt, notices, pools }: Dependencies) {
  return async (result: AskResult): Promise<AskEnd> => {
    let notified: number | null = null
    const end = await open.transaction(
      async (trx, sendWithCommit) => {
        // What was used of a pool is written in the order in which it is settled, as admission reads it (decision 057).
        if (pools.poolOf(result.upstream_id) !== null) await queueStore(trx).lockOne(result.upstream_id)
        const { end, searched, ask } = await complete(trx, { sources, priceAt }, result, clock.now())
        sendWithCommit(searchQueue.add(trx, searched))
        if (ask !== undefined) sendWithCommit(notices.ended(trx, ask, result.outcome))
        notified = ask?.user_id ?? null
        return end
      },
      { lowPriority: true },
    )
    searchQueue.wake()
    if (notified !== null) notices.wake(notified)
    if (result.upstream_conversation_id !== null) sources.sendChanges()
    return end
  }
}

/** The end as it is stored, the messages that the search has to know, and the ask, if it ends by this. */
type CompletedAsk = { end: AskEnd; searched: MessageKey[]; ask?: AskRow }

type ChangeNotes = Pick<Sources, 'noteChange'>

type Completing = { sources: ChangeNotes; priceAt: PriceAt }

async function complete(
  trx: Transaction,
  { sources, priceAt }: Completing,
  result: AskResult,
  now: number,
): Promise<CompletedAsk> {
  const { ask_id, outcome, failure, hasText } = result
  const asks = askStore(trx)
  const answer = result.messages.filter(message => isKept(message, hasText))
  const messages = answer.map(message =>
    message === answer.at(-1) || isThoughts(message) ? marked(message, result) : message,
  )
  const ask = await asks.close(ask_id, {
    outcome,
    failure_key: failure?.key ?? null,
    failure_values: failure?.values ?? null,
    first_token_time: hasText ? (result.first_token_time ?? now) : null,
    end_time: now,
    last_message_id: messages.at(-1)?.id ?? null,
  })
  if (ask === undefined) {
    const before = await storedEnd(trx, await asks.find(ask_id))
    return { end: before ?? { outcome, failure, charged: hasText, stored: null }, searched: [] }
  }
  const source = ask.source as Source // only admission writes it
  const used = hasText ? settledUse(ask, messages, usedTokens(result, messages), priceAt) : null
  const [{ conversation, ...kept }] = await Promise.all([
    keepAnswer(trx, sources, ask, { ...result, messages: chained(messages, ask.question_id) }, now),
    // as admission wrote it
    settle(
      trx,
      { ask_id, user_id: ask.user_id, source, model: ask.model, charged: ask.charged, now },
      ask.reserved as Reserved,
      hasText,
    ),
    used === null ? giveBackUse(trx, ask) : settleUse(trx, ask, used, now),
    chunkStore(trx).remove(ask_id),
    askLogStore(trx).write(logOf(ask, result, used, now)),
  ])
  const stored = { messages: kept.messages, conversation: conversation === null ? null : toRecord(conversation) }
  return { end: { outcome, failure, charged: hasText, stored }, searched: kept.searched, ask }
}

const usedTokens = ({ metered, thread = null }: AskResult, messages: readonly Message[]): Tokens =>
  metered == null ? tokensOf(messages, thread) : tokensOfRelay(metered)

type SavedAnswer = { messages: readonly Message[]; conversation: ConversationRow | null; searched: MessageKey[] }

/** Of an ask without a conversation, or of one whose conversation was removed for good while it was being answered. */
const NO_SAVED_ANSWER: SavedAnswer = { messages: [], conversation: null, searched: [] }

/** Stores the answer in its conversation, where there is one. */
async function keepAnswer(
  trx: Transaction,
  sources: ChangeNotes,
  ask: AskRow,
  result: AskResult,
  now: number,
): Promise<SavedAnswer> {
  const { conversation_id, question_id } = ask
  if (conversation_id === null) return NO_SAVED_ANSWER
  const conversations = conversationStore(trx)
  const [conversation, row] = await Promise.all([
    conversations.find(conversation_id),
    messageStore(trx).find(conversation_id, question_id),
  ])
  const isUnwanted = result.removesUnanswered === true && !result.hasText
  if (conversation === undefined || (isUnwanted && (await removeWithOnly(trx, conversation_id, question_id))))
    return NO_SAVED_ANSWER
  const question = row?.role === 'user' ? toMessage(row, ask.source as Source) : null // only admission writes it
  const title = result.outcome === 'finished' || conversation.title !== null ? '' : titleOfBeginning(question)
  const { upstream_conversation_id } = result
  if (upstream_conversation_id !== null && upstream_conversation_id !== conversation.upstream_conversation_id) {
    await conversations.nameAtUpstream(conversation_id, upstream_conversation_id)
    // The upstream did not know the conversation when these were set here, and is notified now.
    if (conversation.has_own_title) await sources.noteChange(trx, { conversation_id }, 'title', now)
    if (!conversation.is_valid) await sources.noteChange(trx, { conversation_id }, 'visibility', now)
  }
  if (title !== '') await conversations.titleOnce(conversation_id, title)
  const closed = closedBy(result, conversation, now)
  if (closed !== null) await conversations.change(conversation_id, closed)
  // The upstream may report that another model has answered; the next question goes to the chosen model all the same.
  const goesOn = await keepMessages(trx, conversation_id, result.messages, now, ask.model)
  // A question that was stored with this ask is new. The question of a further answer is older, and in the search since
  // its own ask ended.
  const isNew = question !== null && (row?.create_time === ask.create_time || ask.quiet_until !== null)
  return {
    messages: result.messages,
    conversation: goesOn ?? (title === '' ? conversation : { ...conversation, title }),
    searched: [...(isNew ? [question] : []), ...result.messages]
      .filter(isShown)
      .map(({ id }) => ({ conversation_id, message_id: id })),
  }
}

/**
 * What the end of an ask says about whether its conversation can go on where it is kept; null where that stays as it
 * is.
 */
function closedBy(
  { failure, hasText }: AskResult,
  { gone_upstream_time, gizmo_refused_time }: ConversationRow,
  now: number,
): ConversationChanges | null {
  if (failure?.key === 'conversationGone') return { gone_upstream_time: now }
  if (failure?.key === 'customGptRefused') return { gizmo_refused_time: now }
  const isOpen = gone_upstream_time === null && gizmo_refused_time === null
  return isOpen || !hasText ? null : { gone_upstream_time: null, gizmo_refused_time: null }
}

/** The title of a conversation whose first ask did not finish, made of the question: no model is asked for one then. */
function titleOfBeginning(question: Message | null): string {
  return question?.parent === null ? titleFromText(textOf(question)) : ''
}

function logOf(
  {
    source,
    model,
    user_id,
    conversation_id,
    create_time,
    start_time,
    upstream_id,
    charged,
    quiet_request,
    ...by
  }: AskRow,
  { outcome, failure, hasText }: AskResult,
  used: SettledUse | null,
  now: number,
) {
  return {
    log_time: now,
    source,
    model,
    user_id,
    conversation_id,
    // Whoever waits until it is quiet waits for nobody's turn.
    queueing_time: quiet_request === null ? seconds((start_time ?? now) - create_time) : 0,
    ask_time: seconds(now - (start_time ?? now)),
    upstream_id,
    outcome: outcome === 'stopped' && start_time === null ? ('left' as const) : outcome,
    failure_key: failure?.key ?? null,
    answered: hasText,
    charged,
    ...(used?.tokens ?? NO_TOKENS),
    cost: used?.cost ?? null,
    key_id: by.key_id,
    tool: by.tool,
  }
}

/**
 * Whether a message is stored: without a visible answer only the thoughts are. The question never is, since it is
 * stored already.
 */
function isKept({ content, role }: Message, hasText: boolean): boolean {
  return role !== 'user' && (content?.content_type === 'thoughts' ? content.text !== '' : hasText)
}

/** Messages whose source names no parent follow each other; the first follows what was asked. */
function chained(messages: readonly Message[], question_id: string): Message[] {
  return messages.map((message, at) => ({ ...message, parent: message.parent ?? messages[at - 1]?.id ?? question_id }))
}

/** Marks the last message of an incomplete answer with how it ended, and why; also thoughts that no answer follows. */
function marked(message: Message, { outcome, failure, hasText }: AskResult): Message {
  if (outcome === 'finished' || message.metadata === null || (hasText && isThoughts(message))) return message
  return {
    ...message,
    metadata: {
      ...message.metadata,
      ending: outcome,
      ...(failure !== null && { failure: askFailure(failure, hasText) }),
    },
  }
}

const seconds = (milliseconds: number) => Math.max(0, Math.round(milliseconds) / 1000)

/** Most messages of one answer; a bound against cycles. */
const MAX_MESSAGES = 500

/** The end of an ask as it is stored, by whichever process; null when it has not ended or its row is gone. */
export async function storedEnd(database: Database, ask: AskRow | undefined): Promise<AskEnd | null> {
  if (ask === undefined || ask.outcome === null) return null
  const { conversation_id } = ask
  const [conversation, messages] =
    conversation_id === null
      ? [undefined, []]
      : await Promise.all([
          conversationStore(database).find(conversation_id),
          answerOf(database, { ...ask, conversation_id }),
        ])
  const key = ask.failure_key
  return {
    outcome: ask.outcome as Outcome, // only completion.ts writes it
    failure: isRefusal(key) ? { key, values: ask.failure_values ?? {} } : null,
    charged: ask.first_token_time !== null,
    stored: { messages, conversation: conversation === undefined ? null : toRecord(conversation) },
  }
}

/** The messages of an answer: from the last one, which the ask names, up to the question. */
async function answerOf(
  database: Database,
  { conversation_id, source, question_id, reply_id }: AskRow & { conversation_id: string },
): Promise<Message[]> {
  const stored = messageStore(database)
  const messages: Message[] = []
  for (let id: string | null = reply_id; id !== null && id !== question_id && messages.length < MAX_MESSAGES;) {
    const row = await stored.find(conversation_id, id)
    if (row === undefined) break
    messages.unshift(toMessage(row, source as Source)) // only the two sources are ever stored
    id = row.parent
  }
  return messages
}

const isRefusal = (key: string | null): key is RefusalKey => key !== null && Object.hasOwn(REFUSALS, key)
