import { isRecord } from '../../foundation/http.ts'
import { refuse, type WebCall } from '../state/call.ts'
import {
  addMessage,
  newConversation,
  nodeOf,
  type WebConversation,
  aMessage,
  textOf,
  type WebContent,
  type WebMessage,
} from '../state/conversation.ts'

/** A valid request: a question, or to continue an answer. */
export type WebAsk = {
  conversation: WebConversation
  is_new: boolean
  model: string
  /** Null: the answer `parent` is continued. */
  question: WebMessage | null
  /** The parent of the question, or the answer to continue. */
  parent: string
  /** The text of the question, with its directives. */
  words: string
}

/** Reads POST conversation as strictly as the upstream does; undefined when it was refused. */
export function readAsk(call: WebCall): WebAsk | undefined {
  const { body } = call
  if (!isRecord(body)) return refused(call, 422, 'the body is no JSON object')
  const { action, model, parent_message_id } = body
  if (action !== 'next' && action !== 'continue') return refused(call, 422, 'action is next or continue')
  if (typeof model !== 'string' || model === '') return refused(call, 422, 'model is wanted')
  if (model.startsWith('missing')) return refused(call, 404, `The model ${model} does not exist`, 'model_not_found')
  if (typeof parent_message_id !== 'string') return refused(call, 422, 'parent_message_id is wanted')
  const plugin_ids = pluginsOf(call, model)
  if (plugin_ids === undefined) return undefined

  const is_new = body.conversation_id === null || body.conversation_id === undefined
  const conversation = is_new ? newConversation(model, plugin_ids) : existing(call, body.conversation_id)
  if (!conversation) return undefined
  if (!is_new && !nodeOf(conversation, parent_message_id))
    return refused(call, 404, `Parent message ${parent_message_id} not found`, 'parent_message_not_found')

  return action === 'continue' ? continued(call, conversation, model) : asked(call, conversation, is_new, model)
}

/** Adds the question to its conversation. */
export function takeQuestion({ account }: WebCall, { conversation, is_new, model, question, parent }: WebAsk) {
  if (is_new) account.addConversation(conversation)
  conversation.model = model
  if (question) {
    addMessage(conversation, question, parent)
    conversation.characters += textOf(question).length
  }
  account.changed()
}

function refused(call: WebCall, status: number, message: string, code?: string): undefined {
  refuse(call, status, message, code)
  return undefined
}

function existing(call: WebCall, id: unknown): WebConversation | undefined {
  const conversation = typeof id === 'string' ? call.account.conversations.get(id) : undefined
  return conversation?.is_visible
    ? conversation
    : refused(call, 404, 'Conversation not found', 'conversation_not_found')
}

/** The plugins of a new conversation, null for none; undefined when they are refused. */
function pluginsOf(call: WebCall, model: string): string[] | null | undefined {
  const given = isRecord(call.body) ? call.body.plugin_ids : undefined
  if (!Array.isArray(given) || given.length === 0) return null
  const ids = given.filter(id => typeof id === 'string')
  if (ids.length > 3) return refused(call, 400, 'At most 3 plugins can be used', 'too_many_plugins')
  if (model !== 'gpt-4-plugins')
    return refused(call, 400, `Plugins cannot be used with ${model}`, 'plugins_not_supported')
  return ids
}

function continued(call: WebCall, conversation: WebConversation, model: string): WebAsk | undefined {
  const parent = isRecord(call.body) ? String(call.body.parent_message_id) : ''
  const message = nodeOf(conversation, parent)?.message
  if (message?.author.role !== 'assistant') return refused(call, 400, 'Only an answer can go on', 'cannot_continue')
  return { conversation, is_new: false, model, question: null, parent, words: '' }
}

function asked(call: WebCall, conversation: WebConversation, is_new: boolean, model: string): WebAsk | undefined {
  const body = isRecord(call.body) ? call.body : {}
  const given = Array.isArray(body.messages) ? body.messages[0] : undefined
  if (!isRecord(given) || typeof given.id !== 'string' || given.id === '' || !isContent(given.content))
    return refused(call, 422, 'a message with id and content is wanted')
  const parent = is_new ? conversation.current_node : String(body.parent_message_id)
  const present = nodeOf(conversation, given.id)
  if (present && (present.message?.author.role !== 'user' || present.parent !== parent))
    return refused(call, 409, 'There is a message with this id', 'duplicate_message')
  const question = aMessage('user', given.content, {
    id: given.id,
    metadata: { ...(isRecord(given.metadata) && given.metadata), timestamp_: 'absolute', message_type: null },
  })
  return { conversation, is_new, model, question, parent, words: textOf(question) }
}

const isContent = (content: unknown): content is WebContent =>
  isRecord(content) &&
  (content.content_type === 'text' || content.content_type === 'multimodal_text') &&
  Array.isArray(content.parts)
