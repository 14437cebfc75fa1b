import type { AskRequest } from '#contract/asking.ts'
import type { ConversationHistory, ConversationRecord } from '#contract/conversations.ts'
import { pathTo, threadTo, withMessage } from '#contract/messageTree.ts'
import { isThoughts, type Message } from '#contract/messages.ts'
import { apiMetadata, endingOf, webMetadata } from '#web/messages/metadata.ts'
import { pageSource } from '#web/sources/list/list.ts'
import { type Ask, hasText, isLiving } from './askState.ts'

type Mapping = ConversationHistory['mapping']

/** A conversation with its ask: the whole tree, and the thread, which ends with the ask. */
export function withAsk(
  history: ConversationHistory | null,
  ask: Ask | null,
): { mapping: Mapping; messages: Message[] } {
  if (ask === null)
    return history === null
      ? { mapping: {}, messages: [] }
      : { mapping: history.mapping, messages: threadTo(history.mapping, history.current_node) }
  const asked = messagesOf(ask)
  if (history === null) return { mapping: {}, messages: asked }
  const parent = parentOf(ask, history)
  return {
    // A question that the server does not have yet belongs to no branch.
    mapping: withMessages(
      history.mapping,
      parent,
      asked.filter(({ id }) => id !== ask.ask_id),
    ),
    messages: [...pathTo(history.mapping, parent), ...asked],
  }
}

/** The history once the ask is over: with the messages and the record that the server has stored. */
export function afterAsk(
  history: ConversationHistory,
  { question, replies, record }: Pick<Ask, 'question' | 'replies' | 'record'>,
): ConversationHistory {
  const stored = question === null ? replies : [question, ...replies]
  return {
    ...history,
    mapping: withMessages(history.mapping, null, stored),
    current_node: stored.findLast(message => !isThoughts(message))?.id ?? history.current_node,
    current_model: record?.current_model ?? history.current_model,
    title: record?.title ?? history.title,
    update_time: record?.update_time ?? history.update_time,
    running_ask: null,
  }
}

/** A conversation that the server has just accepted, until it is read: its question is all it has. */
export function newHistory(conversation_id: string, { request, question }: Ask): ConversationHistory {
  const source = request?.source ?? 'openai_api'
  const slot = pageSource(source).newConversation
  const time = question?.create_time ?? new Date().toISOString()
  return {
    _id: conversation_id,
    source,
    title: request?.new_title ?? '',
    create_time: time,
    update_time: time,
    mapping: question === null ? {} : { [question.id]: question },
    current_node: question?.id ?? null,
    current_model: request?.model ?? null,
    ...(request?.parameters?.reasoning_effort !== undefined && { thinking_level: request.parameters.reasoning_effort }),
    metadata: slot?.metadataOf(slot.fieldsOf(request)) ?? null,
  }
}

/** The same for the list. */
export function newRecord({ _id, ...history }: ConversationHistory): ConversationRecord {
  const { source, title, current_model, create_time, update_time } = history
  return {
    id: 0,
    source,
    conversation_id: _id,
    source_id: null,
    title,
    user_id: null,
    is_valid: true,
    current_model,
    create_time,
    update_time,
  }
}

/**
 * The fields that say where the next question goes. It replaces a question without an answer; one at the root has no
 * parent, so it is named itself.
 */
export function nextParent({ mapping, current_node }: ConversationHistory): Pick<AskRequest, 'parent' | 'variant_of'> {
  const current = current_node === null ? undefined : mapping[current_node]
  if (current?.role !== 'user') return { parent: current_node }
  return current.parent === null ? { variant_of: current.id } : { parent: current.parent }
}

/** The question at the end of a thread that has no answer. */
export function unansweredIn(messages: readonly Message[]): Message | null {
  const last = messages.findLast(message => !isThoughts(message))
  return last?.role === 'user' ? last : null
}

/** Whether the last answer is incomplete and can be continued. */
export function canContinue(messages: readonly Message[]): boolean {
  const last = messages.at(-1)
  if (last?.role !== 'assistant' || last.metadata === null || isThoughts(last)) return false
  return apiMetadata(last) === null ? webMetadata(last)?.finish_details?.type === 'max_tokens' : endingOf(last) !== null
}

/**
 * The question and the replies. Of an ask that ended before the first word of its answer, only the thoughts are kept.
 */
function messagesOf(ask: Ask): Message[] {
  const { question, replies, state } = ask
  const shown = isLiving(state) || hasText(ask) ? replies : replies.filter(isThoughts)
  return question === null ? shown : [question, ...shown]
}

/** Where the messages of the ask belong: under the parent of its question, or what is answered again or continued. */
function parentOf({ question, request, replies }: Ask, history: ConversationHistory): string | null {
  if (question !== null) return question.parent
  return request?.parent ?? replies[0]?.parent ?? history.current_node
}

/**
 * The specification, section 4: consecutive new messages are chained. Those of the web source name no parent while they
 * grow.
 */
function withMessages(mapping: Mapping, parent: string | null, messages: readonly Message[]): Mapping {
  let next = mapping
  let above = parent
  for (const message of messages) {
    const children = next[message.id]?.children ?? message.children
    next = withMessage(next, { ...message, parent: message.parent ?? above, children })
    above = message.id
  }
  return next
}
