import { CONTINUE } from '#contract/asking.ts'
import type { Configuration } from '#contract/configuration/configuration.ts'
import { isThoughts, type Message, textOf } from '#contract/messages.ts'
import type { AdmittedAsk, AskedConversation, Relay, RequestedAsk } from '#server/asks/ask.ts'
import { iso, toMessage } from '#server/conversations/history.ts'
import { requireNotFull } from '#server/conversations/conversationLimits.ts'
import {
  type MessageRow,
  messageStore,
  type MessageTreeStore,
  messageTreeStore,
} from '#server/conversations/messageStore.ts'
import { closedReason, conversationStore } from '#server/conversations/store.ts'
import { instructionStore } from '#server/instructions/instructions.ts'
import type { Transaction } from '#server/foundation/database/open.ts'
import { newId } from '#server/foundation/ids.ts'
import type { AskRow } from '#server/asks/store.ts'
import { titleFromText } from '#server/conversations/titles.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { SourceObject } from '#server/sources/source.ts'
import { storedQuestion } from './quiet/storedRequest.ts'

/**
 * Where an ask stands in its conversation, and what is known of that: whose it is, which upstream was asked last, why
 * that cannot go on with it.
 */
export type Target = Pick<
  AdmittedAsk,
  'conversation_id' | 'question' | 'parent' | 'upstream_conversation_id' | 'extras'
> & {
  source_id: string | null
  upstream_id: number | null
  closed: ReturnType<typeof closedReason>
}

/** An ask with its source, at the moment of its admission. */
export type AskContext = {
  ask: RequestedAsk
  source: SourceObject
  configuration: Configuration
  now: number
  /** One that was admitted before, waited until it is quiet, and begins now; null: a new one. */
  stored: AskRow | null
}

/** Whether an ask is to wait until it is quiet. One without a conversation is asked now or refused. */
export const waitsForQuiet = ({ ask, stored }: AskContext): boolean =>
  ask.quiet_until !== null && stored === null && ask.conversation !== null

/** Finds the target of an ask. Foreign, deleted and unknown conversations are refused alike. */
export async function findTarget(trx: Transaction, asked: AskContext): Promise<Target> {
  const { ask, source, configuration, now, stored } = asked
  if (stored !== null) return storedTarget(trx, asked, stored)
  if (ask.relay !== null) return relayTarget(ask, ask.relay)
  requireQuestion(ask, configuration)
  const { conversation: wanted } = ask
  if (wanted === null) return beginning(null, newQuestion(asked, ask.earlier.at(-1)?.id ?? null), ask)
  if (wanted.id === null) return beginning(newId(), newQuestion(asked, null), ask)
  const messages = messageStore(trx)
  const [conversation, size, before] = await Promise.all([
    conversationStore(trx).find(wanted.id),
    messages.size(wanted.id),
    messages.find(wanted.id, wanted.variant_of ?? wanted.parent ?? ''),
  ])
  if (conversation === undefined || !conversation.is_valid || conversation.user_id !== ask.caller.user_id)
    throw new Refusal('conversationNotFound')
  if (conversation.source !== source.code)
    throw new Refusal('invalidAskRequest', { field: 'source', reason: 'Not that of the conversation' })
  requireNotFull(size, configuration)
  if (before === undefined || isThoughts(toMessage(before, source.code))) throw new Refusal('messageNotFound')
  const question = await questionAfter(messageTreeStore(trx), before, wanted, asked)
  const { upstream_id, upstream_conversation_id, source_id } = conversation
  return {
    conversation_id: wanted.id,
    question,
    parent: question?.id ?? before.message_id,
    upstream_conversation_id,
    extras: source.asks?.extrasIn?.(conversation, ask) ?? ask.extras,
    source_id,
    upstream_id,
    closed: closedReason(conversation, now),
  }
}

/**
 * Of an ask that waited: its question stands where it was stored. A conversation that it began is still nowhere else.
 */
async function storedTarget(trx: Transaction, { ask, source, now }: AskContext, stored: AskRow): Promise<Target> {
  const { conversation, question } = await storedQuestion(trx, stored)
  const { upstream_id, upstream_conversation_id, source_id } = conversation
  return {
    conversation_id: conversation.conversation_id,
    question,
    parent: stored.question_id,
    upstream_conversation_id,
    extras: source.asks?.extrasIn?.(conversation, ask) ?? ask.extras,
    source_id,
    upstream_id: ask.conversation?.id === null ? null : upstream_id,
    closed: closedReason(conversation, now),
  }
}

function requireQuestion({ text, attachments }: RequestedAsk, { asking }: Configuration): void {
  if (text.trim() === '' && attachments.length === 0) throw new Refusal('missingMessage')
  if (text.length > asking.max_text_length)
    throw new Refusal('invalidAskRequest', { field: 'text_content', maximum: asking.max_text_length })
}

/** Of a request that is passed on: nothing of it is stored. */
const relayTarget = ({ extras }: RequestedAsk, { last_upstream_id = null }: Relay): Target => ({
  ...{ conversation_id: null, question: null, parent: newId(), extras },
  ...{ upstream_conversation_id: null, source_id: null, upstream_id: last_upstream_id, closed: null },
})

/** What no upstream knows anything of yet: a new conversation, or none. */
function beginning(conversation_id: string | null, question: Message, { extras }: RequestedAsk): Target {
  const unknown = { upstream_conversation_id: null, source_id: null, upstream_id: null, closed: null }
  return { conversation_id, question, parent: question.id, extras, ...unknown }
}

/**
 * The question of an ask in a conversation. Null when there is none: a question is answered again, or an answer
 * continued.
 */
async function questionAfter(
  tree: MessageTreeStore,
  before: MessageRow,
  { variant_of, parent }: AskedConversation,
  asked: AskContext,
): Promise<Message | null> {
  const { ask, source, now } = asked
  if (variant_of !== null) {
    if (before.role !== 'user') throw new Refusal('messageNotFound')
    if (parent !== null && parent !== before.parent) throw new Refusal('invalidAskRequest', { field: 'variant_of' })
    return newQuestion(asked, before.parent)
  }
  const isAgain = ask.text === CONTINUE
  if (isAgain && before.role === 'assistant') return null
  if (before.role !== 'user') return newQuestion(asked, parent)
  // An upstream that keeps conversations knows a question by its answer: there it is asked once more beside it, so that
  // both have the same tree.
  const isBound = source.keepsConversations
  const isFollowed = isBound && (await tree.isFollowed(before.conversation_id, before.message_id))
  if (isAgain) return isFollowed ? { ...toMessage(before, source.code), id: newId(), create_time: iso(now) } : null
  return newQuestion(asked, isBound && !isFollowed ? before.parent : parent)
}

function newQuestion({ ask: { text, attachments }, source, now }: AskContext, parent: string | null): Message {
  const plain = { content: { content_type: 'text', text }, metadata: null } as const
  return {
    id: newId(),
    source: source.code,
    role: 'user',
    author_name: null,
    model: null,
    create_time: iso(now),
    parent,
    children: [],
    ...(source.asks?.question?.(text, attachments) ?? plain),
  }
}

/** Stores the question, and a new conversation with it. */
export async function storeQuestion(trx: Transaction, source: SourceObject, admitted: AdmittedAsk): Promise<void> {
  const { conversation_id, conversation, question, model, caller, upstream, destination, create_time: now } = admitted
  if (question === null || conversation === null || conversation_id === null) return
  const store = conversationStore(trx)
  const { title, instructions } = conversation
  const thinking_level = admitted.parameters.reasoning_effort ?? null
  await Promise.all([
    conversation.id === null
      ? store.insert({
          conversation_id,
          source: source.code,
          source_id: destination.source_id,
          // One that waits for hours is in the list all the while.
          title: title ?? (admitted.quiet_until === null ? null : titleFromText(textOf(question)) || null),
          has_own_title: title !== null,
          user_id: caller.user_id,
          model,
          current_node: question.id,
          thinking_level,
          upstream_id: upstream.id,
          conversation_metadata: source.asks?.metadata?.(admitted) ?? null,
          now,
        })
      : store.change(conversation_id, { current_node: question.id, thinking_level, update_time: now }),
    messageStore(trx).add(conversation_id, [question]),
    instructions !== null && instructionStore(trx).saveOfConversation(conversation_id, instructions),
  ])
}
