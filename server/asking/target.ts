import { type AskRequest, CONTINUE, fitsItself } from '#contract/asking.ts'
import type { Configuration } from '#contract/configuration.ts'
import { type Content, isThoughts, type Message } from '#contract/messages.ts'
import { iso, toMessage } from '#server/conversations/history.ts'
import { requireNotFull } from '#server/conversations/conversationLimits.ts'
import { type MessageRow, messageStore } from '#server/conversations/messageStore.ts'
import { conversationStore } from '#server/conversations/store.ts'
import type { Transaction } from '#server/foundation/database/open.ts'
import { newId } from '#server/foundation/ids.ts'
import { Refusal } from '#server/foundation/refusal.ts'

/** Where in which conversation an ask belongs. */
export type Target = {
  conversation_id: string
  /** `null` when the ask continues an answer or answers a question again, and so has no question of its own. */
  question: Message | null
  /** The message that the answer follows: the question, or the answer to be continued. */
  parent: string
  /** A new conversation without a title of its own. */
  untitled: boolean
  /** The id of the conversation at the upstream; null when it is not known. */
  upstream_conversation_id: string | null
}

/** The conversation as it was found: whether it is of the team account, and which upstream was asked last. */
type Found = Target & { of_team: boolean; upstream_id: number | null }

type NewAsk = { user_id: number; request: AskRequest; now: number; configuration: Configuration }

const hasFiles = ({ openai_web_attachments, openai_web_multimodal_image_parts }: AskRequest): boolean =>
  (openai_web_attachments ?? []).length + (openai_web_multimodal_image_parts ?? []).length > 0

/** Finds the target of an ask. Foreign, deleted and unknown conversations are refused alike. */
export async function findTarget(trx: Transaction, { user_id, request, now, configuration }: NewAsk): Promise<Found> {
  if (!fitsItself(request)) throw new Refusal('invalidAskRequest')
  if (request.text_content.trim() === '' && !hasFiles(request)) throw new Refusal('missingMessage')
  if (request.text_content.length > configuration.asking.max_text_length) {
    throw new Refusal('invalidAskRequest', { field: 'text_content', maximum: configuration.asking.max_text_length })
  }
  if (request.new_conversation) {
    const question = newQuestion(request, null, now)
    return {
      conversation_id: newId(),
      question,
      parent: question.id,
      untitled: (request.new_title ?? '') === '',
      upstream_conversation_id: null,
      of_team: false,
      upstream_id: null,
    }
  }
  const messages = messageStore(trx)
  const conversation_id = request.conversation_id ?? ''
  const [conversation, size, before] = await Promise.all([
    conversationStore(trx).find(conversation_id),
    messages.size(conversation_id),
    messages.find(conversation_id, request.variant_of ?? request.parent ?? ''),
  ])
  if (conversation === undefined || !conversation.is_valid || conversation.user_id !== user_id)
    throw new Refusal('conversationNotFound')
  if (conversation.source !== request.source) throw new Refusal('invalidAskRequest', { field: 'source' })
  requireNotFull(size, configuration)
  if (before === undefined || isThoughts(toMessage(before, request.source))) throw new Refusal('messageNotFound')
  const { parent, answers } = parentOf(before, request)
  const { upstream_id, upstream_conversation_id } = conversation
  const of_team = conversation.source_id !== null
  const there = { conversation_id, untitled: false, upstream_conversation_id, of_team, upstream_id }
  if (answers !== null) return { ...there, question: null, parent: answers }
  const question = newQuestion(request, parent, now)
  return { ...there, question, parent: question.id }
}

/** The parent of the question; or, when there is no question, of the answer: a question to be answered again, or an answer to be continued. */
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

type Stored = Target & { user_id: number; request: AskRequest; upstream: { id: number }; create_time: number }

/** Stores the question, and a new conversation with it. */
export async function storeQuestion(trx: Transaction, admitted: Stored): Promise<void> {
  const { conversation_id, question, user_id, request, upstream, create_time: now } = admitted
  if (question === null) return
  const store = conversationStore(trx)
  const title = admitted.untitled ? null : (request.new_title ?? null)
  await Promise.all([
    request.new_conversation
      ? store.insert({
          conversation_id,
          source: request.source,
          title,
          user_id,
          model: request.model,
          current_node: question.id,
          upstream_id: upstream.id,
          now,
        })
      : store.goOn(conversation_id, { current_node: question.id, update_time: now, model: null }),
    messageStore(trx).add(conversation_id, [question]),
  ])
}

function newQuestion(request: AskRequest, parent: string | null, now: number): Message {
  const content: Content =
    request.source === 'openai_api'
      ? { content_type: 'text', text: request.text_content }
      : { content_type: 'text', parts: [request.text_content] }
  return {
    id: newId(),
    source: request.source,
    role: 'user',
    author_name: null,
    model: null,
    create_time: iso(now),
    parent,
    children: [],
    content,
    metadata: null,
  }
}
