import { type AskRequest, CONTINUE, fitsItself } from '#contract/asking.ts'
import type { Configuration } from '#contract/configuration.ts'
import type { Content, Message } from '#contract/messages.ts'
import { settingStore } from '#server/accounts/settingStore.ts'
import { iso } from '#server/conversations/history.ts'
import { conversationStore, type MessageRow } from '#server/conversations/store.ts'
import { requireShort } from '#server/conversations/room.ts'
import { requireOwnFiles } from '#server/files/attachedFiles.ts'
import type { OpenDatabase, Transaction } from '#server/foundation/database/open.ts'
import { newId } from '#server/foundation/ids.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { readSourceFacts } from '#server/limits/facts.ts'
import { checkLimits, type Reserved, reserve } from '#server/limits/limits.ts'
import { askStore } from './store.ts'
import { roundOf } from './turnOrder.ts'

/** An ask that has been accepted: its question is stored and one ask is reserved for it. */
export type Admitted = {
  ask_id: string
  user_id: number
  request: AskRequest
  conversation_id: string
  /** `null` when the ask goes on with an answer or answers a question once more, and so has no question of its own. */
  question: Message | null
  /** The message that the answer follows: the question, or the answer to be continued. */
  parent: string
  reply_id: string
  lane: string
  queueing: boolean
  reserved: Reserved
  /** A new conversation without a title of its own. */
  untitled: boolean
  create_time: number
}

export type Asked = {
  user_id: number
  /** The hash of the session's token. */
  session: string
  request: AskRequest
  ask_id: string
  /** Whether the lane is chosen by what is known of an endpoint of their own now, and not when the session was looked at before. */
  endpoint_known: boolean
  lane: string
  places: number
  holder: string
  now: number
  /** The same moment by the clock of the leases. */
  lease_from: number
  configuration: Configuration
}

/** Thrown when it turns out that somebody may have another lane: find that out and ask again. */
export class EndpointUnknown extends Error {
  override name = 'EndpointUnknown'
}

type Target = Pick<Admitted, 'conversation_id' | 'question' | 'parent' | 'untitled'> & { of_team: boolean }

/**
 * One transaction: the session looked at once more (the socket may have been opened long before), every limit checked and reserved, the
 * question and a new conversation stored, the ask written down. The search learns of the question when its ask ends (endings.ts), which
 * lets everybody in sooner when many ask at once.
 */
export function openAdmission(open: OpenDatabase) {
  return (asked: Asked): Promise<Admitted> => open.transaction(async (trx, last) => {
    const { request, user_id, session, ask_id, lane, now, lease_from, holder, places, configuration } = asked
    const asks = askStore(trx)
    // All are asked at once, and checked in this order. The person's row is the lock that keeps two asks of the same instant
    // from both passing, that of the setting keeps the counts as they were checked, and the ticket is the lock of the lane.
    const [locked, setting] = [begun(asks.lockPerson(user_id, open.engine)), settingStore(trx).sourceForUpdate(user_id, request.source, open.engine)]
    const [found, ticket, standing] = [
      begun(findTarget(trx, asked)), begun(asks.nextTicket(lane)), begun(asks.standing({ ask_id, user_id, session, source: request.source, lane, now })),
    ]
    const [read, files] = [
      begun(readSourceFacts(trx, { ...asked, source: request.source }, { setting, standing })), begun(requireOwnFiles(trx, user_id, request)),
    ]
    await locked
    const { live_sessions, has_own_endpoint, of_this_id, running, waiting, ...rounds } = await standing
    if (live_sessions === 0) throw new Refusal('loginExpired')
    if (has_own_endpoint && !asked.endpoint_known) throw new EndpointUnknown('this person has got an endpoint of their own')
    if (of_this_id > 0) throw new Refusal('askAlreadyUsed')
    const { of_team, ...target } = await found
    const facts = await read
    const reserved = checkLimits(facts, request)
    if (of_team && !facts.setting.use_team) throw new Refusal('teamConversationNotAllowed')
    await files
    const queueing = waiting > 0 || running >= places
    const reply_id = newId()
    const row = {
      ask_id, user_id, source: request.source, model: request.model, conversation_id: target.conversation_id, question_id: target.question?.id ?? target.parent,
      reply_id, ask_state: queueing ? 'queueing' : 'asking', lane, round: roundOf(rounds), ticket: await ticket, holder,
      lease_until: lease_from + configuration.asking.lease_seconds * 1000, reserved, create_time: now, start_time: queueing ? null : now,
    }
    last(
      reserve(trx, { ask_id, user_id, source: request.source, model: request.model, now }, reserved),
      storeQuestion(trx, asked, target), asks.insert(row),
    )
    return { ...target, ask_id, user_id, request, reply_id, lane, queueing, reserved, create_time: now }
  })
}

/** A promise that is awaited later, unless something else has failed by then. */
function begun<T>(work: Promise<T>): Promise<T> {
  work.catch(() => undefined)
  return work
}

const hasFiles = ({ openai_web_attachments, openai_web_multimodal_image_parts }: AskRequest): boolean =>
  (openai_web_attachments ?? []).length + (openai_web_multimodal_image_parts ?? []).length > 0

/** Where the question goes; foreign, deleted and unknown conversations are the same. */
async function findTarget(trx: Transaction, { user_id, request, now, configuration }: Asked): Promise<Target> {
  if (!fitsItself(request)) throw new Refusal('invalidAskRequest')
  if (request.text_content.trim() === '' && !hasFiles(request)) throw new Refusal('missingMessage')
  if (request.text_content.length > configuration.asking.max_text_length) {
    throw new Refusal('invalidAskRequest', { field: 'text_content', maximum: configuration.asking.max_text_length })
  }
  if (request.new_conversation) {
    const question = newQuestion(request, null, now)
    return { conversation_id: newId(), question, parent: question.id, untitled: (request.new_title ?? '') === '', of_team: false }
  }
  const store = conversationStore(trx)
  const conversation_id = request.conversation_id ?? ''
  const [conversation, size, before] = await Promise.all([
    store.find(conversation_id), store.size(conversation_id), store.message(conversation_id, request.variant_of ?? request.parent ?? ''),
  ])
  if (conversation === undefined || !conversation.is_valid || conversation.user_id !== user_id) throw new Refusal('conversationNotFound')
  if (conversation.source !== request.source) throw new Refusal('invalidAskRequest', { field: 'source' })
  requireShort(size, configuration)
  if (before === undefined) throw new Refusal('messageNotFound')
  const { parent, answers } = parentOf(before, request)
  const there = { conversation_id, untitled: false, of_team: conversation.source_id !== null }
  if (answers !== null) return { ...there, question: null, parent: answers }
  const question = newQuestion(request, parent, now)
  return { ...there, question, parent: question.id }
}

/** What the question follows; or, when there is no question, what the answer does: a question answered (once more), or an answer to be continued. */
function parentOf(found: MessageRow, request: AskRequest): { parent: string | null; answers: string | null } {
  const [variant_of, given] = [request.variant_of ?? null, request.parent ?? null]
  if (variant_of === null) {
    const goesOn = request.text_content === CONTINUE && (found.role === 'assistant' || found.role === 'user')
    return { parent: given, answers: goesOn ? given : null }
  }
  if (found.role !== 'user') throw new Refusal('messageNotFound')
  if (given !== null && given !== found.parent) throw new Refusal('invalidAskRequest', { field: 'variant_of' })
  return { parent: found.parent, answers: null }
}

async function storeQuestion(trx: Transaction, { user_id, request, now }: Asked, target: Omit<Target, 'of_team'>): Promise<void> {
  const { conversation_id, question } = target
  if (question === null) return
  const store = conversationStore(trx)
  const title = target.untitled ? null : request.new_title ?? null
  await Promise.all([
    request.new_conversation
      ? store.insert({ conversation_id, source: request.source, title, user_id, model: request.model, current_node: question.id, now })
      : store.goOn(conversation_id, { current_node: question.id, update_time: now, model: null }),
    store.addMessages(conversation_id, [question]),
  ])
}

function newQuestion(request: AskRequest, parent: string | null, now: number): Message {
  const content: Content = request.source === 'openai_api'
    ? { content_type: 'text', text: request.text_content }
    : { content_type: 'text', parts: [request.text_content] }
  return {
    id: newId(), source: request.source, role: 'user', author_name: null, model: null, create_time: iso(now), parent, children: [], content, metadata: null,
  }
}
