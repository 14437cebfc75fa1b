import { type AskRequest, CONTINUE, inconsistentField, MAX_PLUGINS } from '#contract/asking.ts'
import type { Configuration } from '#contract/configuration.ts'
import { WebConversationMetadata } from '#contract/conversations.ts'
import { type Content, isThoughts, type Message } from '#contract/messages.ts'
import { PLUGIN_MODEL } from '#contract/models.ts'
import { iso, toMessage } from '#server/conversations/history.ts'
import { requireNotFull } from '#server/conversations/conversationLimits.ts'
import { type MessageRow, messageStore } from '#server/conversations/messageStore.ts'
import { type MessageTreeStore, messageTreeStore } from '#server/conversations/messageTreeStore.ts'
import { closedReason, type ConversationRow, conversationStore } from '#server/conversations/store.ts'
import type { Transaction } from '#server/foundation/database/open.ts'
import { newId } from '#server/foundation/ids.ts'
import { Refusal } from '#server/foundation/refusal.ts'

/** The place of an ask in a conversation. */
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
  /** The plugins that a new conversation is begun with; empty when the upstream has the conversation already. */
  plugin_ids: readonly string[]
  /** The custom GPT that the conversation is had with; null where there is none. */
  gizmo_id: string | null
}

/** The conversation as it was found: the team account that it belongs to, which upstream was asked last, and why that cannot go on with it. */
export type Found = Target & {
  source_id: string | null
  upstream_id: number | null
  closed: ReturnType<typeof closedReason>
}

type NewAsk = { user_id: number; request: AskRequest; now: number; configuration: Configuration }

const hasFiles = ({ openai_web_attachments, openai_web_multimodal_image_parts }: AskRequest): boolean =>
  (openai_web_attachments ?? []).length + (openai_web_multimodal_image_parts ?? []).length > 0

/** Finds the target of an ask. Foreign, deleted and unknown conversations are refused alike. */
export async function findTarget(trx: Transaction, { user_id, request, now, configuration }: NewAsk): Promise<Found> {
  requireConsistent(request, configuration)
  if (request.new_conversation) return newTarget(request, now)
  const messages = messageStore(trx)
  const conversation_id = request.conversation_id ?? ''
  const [conversation, size, before] = await Promise.all([
    conversationStore(trx).find(conversation_id),
    messages.size(conversation_id),
    messages.find(conversation_id, request.variant_of ?? request.parent ?? ''),
  ])
  if (conversation === undefined || !conversation.is_valid || conversation.user_id !== user_id)
    throw new Refusal('conversationNotFound')
  if (conversation.source !== request.source)
    throw new Refusal('invalidAskRequest', { field: 'source', reason: 'Not that of the conversation' })
  requireNotFull(size, configuration)
  if (before === undefined || isThoughts(toMessage(before, request.source))) throw new Refusal('messageNotFound')
  const { upstream_id, upstream_conversation_id, source_id } = conversation
  const there = {
    conversation_id,
    untitled: false,
    upstream_conversation_id,
    plugin_ids: upstream_conversation_id === null ? metadataOf(conversation).plugin_ids : [],
    gizmo_id: metadataOf(conversation).gizmo_id,
    source_id,
    upstream_id,
    closed: closedReason(conversation, now),
  }
  const question = await questionAfter(messageTreeStore(trx), before, request, now)
  return { ...there, question, parent: question?.id ?? before.message_id }
}

function requireConsistent(request: AskRequest, { asking }: Configuration): void {
  const inconsistent = inconsistentField(request)
  if (inconsistent !== null) throw new Refusal('invalidAskRequest', inconsistent)
  if (request.text_content.trim() === '' && !hasFiles(request)) throw new Refusal('missingMessage')
  if ((request.openai_web_plugin_ids ?? []).length > MAX_PLUGINS) throw new Refusal('pluginsCountMoreThan3')
  if (request.text_content.length > asking.max_text_length) {
    throw new Refusal('invalidAskRequest', { field: 'text_content', maximum: asking.max_text_length })
  }
}

function newTarget(request: AskRequest, now: number): Found {
  const plugin_ids = request.openai_web_plugin_ids ?? []
  if (plugin_ids.length > 0 && (request.source !== 'openai_web' || request.model !== PLUGIN_MODEL))
    throw new Refusal('pluginsNotAllowed')
  const question = newQuestion(request, null, now)
  return {
    conversation_id: newId(),
    question,
    parent: question.id,
    untitled: (request.new_title ?? '') === '',
    upstream_conversation_id: null,
    plugin_ids: [...new Set(plugin_ids)],
    gizmo_id: null,
    source_id: null,
    upstream_id: null,
    closed: null,
  }
}

function metadataOf({ conversation_metadata }: ConversationRow): { plugin_ids: string[]; gizmo_id: string | null } {
  const known = WebConversationMetadata.safeParse({ ...conversation_metadata, source: 'openai_web' }).data
  return { plugin_ids: known?.plugin_ids ?? [], gizmo_id: known?.gizmo_id || null }
}

/** The question of an ask in a conversation. Null when there is none: a question is answered again, or an answer continued. */
async function questionAfter(
  tree: MessageTreeStore,
  found: MessageRow,
  request: AskRequest,
  now: number,
): Promise<Message | null> {
  const [variant_of, given] = [request.variant_of ?? null, request.parent ?? null]
  if (variant_of !== null) {
    if (found.role !== 'user') throw new Refusal('messageNotFound')
    if (given !== null && given !== found.parent) throw new Refusal('invalidAskRequest', { field: 'variant_of' })
    return newQuestion(request, found.parent, now)
  }
  const isAgain = request.text_content === CONTINUE
  if (isAgain && found.role === 'assistant') return null
  if (found.role !== 'user') return newQuestion(request, given, now)
  // The web service knows a question by its answer: there the question is asked once more beside it, so that both have the same tree.
  const isBound = request.source === 'openai_web'
  const isFollowed = isBound && (await tree.isFollowed(found.conversation_id, found.message_id))
  if (isAgain) return isFollowed ? { ...toMessage(found, request.source), id: newId(), create_time: iso(now) } : null
  return newQuestion(request, isBound && !isFollowed ? found.parent : given, now)
}

type Stored = Omit<Found, 'closed'> & {
  user_id: number
  request: AskRequest
  upstream: { id: number }
  create_time: number
}

/** Stores the question, and a new conversation with it. */
export async function storeQuestion(trx: Transaction, admitted: Stored): Promise<void> {
  const { conversation_id, question, user_id, request, upstream, create_time: now, plugin_ids } = admitted
  if (question === null) return
  const store = conversationStore(trx)
  const title = admitted.untitled ? null : (request.new_title ?? null)
  await Promise.all([
    request.new_conversation
      ? store.insert({
          conversation_id,
          source: request.source,
          source_id: admitted.source_id,
          title,
          has_own_title: title !== null,
          user_id,
          model: request.model,
          current_node: question.id,
          upstream_id: upstream.id,
          conversation_metadata: plugin_ids.length === 0 ? null : { plugin_ids },
          now,
        })
      : store.goOn(conversation_id, { current_node: question.id, update_time: now, model: null }),
    messageStore(trx).add(conversation_id, [question]),
  ])
}

function newQuestion(request: AskRequest, parent: string | null, now: number): Message {
  const { source } = request
  const attachments = request.openai_web_attachments ?? []
  return {
    id: newId(),
    source,
    role: 'user',
    author_name: null,
    model: null,
    create_time: iso(now),
    parent,
    children: [],
    content:
      source === 'openai_api' ? { content_type: 'text', text: request.text_content } : contentWithImages(request),
    metadata: source === 'openai_api' ? null : { source, ...(attachments.length > 0 && { attachments }) },
  }
}

function contentWithImages({ text_content, openai_web_multimodal_image_parts }: AskRequest): Content {
  const images = openai_web_multimodal_image_parts ?? []
  if (images.length === 0) return { content_type: 'text', parts: [text_content] }
  const parts = images.map(({ asset_pointer, size_bytes, width, height }) => ({
    content_type: 'image_asset_pointer' as const,
    asset_pointer,
    size_bytes,
    width,
    height,
  }))
  return { content_type: 'multimodal_text', parts: [...parts, text_content] }
}
