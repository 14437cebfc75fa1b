import { type AskRequest, CONTINUE } from '#contract/asking.ts'
import type { ConversationHistory, ConversationRecord, FailedAsk } from '#contract/conversations.ts'
import { pathTo, threadTo, withMessage } from '#contract/messageTree.ts'
import { type Ending, isThoughts, type Message } from '#contract/messages.ts'
import { type Ask, failureOf, hasText, isAwaited } from './askState.ts'

/** What is shown: the path to the current node, then the ask that runs. */
export function threadOf(history: ConversationHistory | null, ask: Ask | null): Message[] {
  if (ask === null) return history === null ? [] : threadTo(history.mapping, history.current_node)
  const asked = messagesOf(ask)
  const before = history === null ? [] : pathTo(history.mapping, parentOf(ask, history))
  return asked.length === 0
    ? before
    : [...before.filter(({ id }) => asked.every(message => message.id !== id)), ...asked]
}

/** Where the next question belongs: one that got no answer is passed by. Beside the first question there is no parent to name. */
export function nextPlace({ mapping, current_node }: ConversationHistory): Pick<AskRequest, 'parent' | 'variant_of'> {
  const current = current_node === null ? undefined : mapping[current_node]
  if (current?.role !== 'user') return { parent: current_node }
  return current.parent === null ? { variant_of: current.id } : { parent: current.parent }
}

/** The tree with what is being asked, as far as the server has taken it. */
export function growingTree(history: ConversationHistory, ask: Ask | null): ConversationHistory['mapping'] {
  if (ask === null) return history.mapping
  let parent = parentOf(ask, history)
  let { mapping } = history
  for (const message of messagesOf(ask).filter(({ id }) => id !== ask.ask_id)) {
    mapping = withMessage(mapping, {
      ...message,
      parent: message.parent ?? parent,
      children: mapping[message.id]?.children ?? message.children,
    })
    parent = message.id
  }
  return mapping
}

/** The question that stands at the end without an answer. */
export function unansweredIn(messages: readonly Message[]): Message | null {
  const last = messages.findLast(message => !isThoughts(message))
  return last?.role === 'user' ? last : null
}

/** Whether there is more to come of the last answer, if one asks for it. */
export function mayGoOn(messages: readonly Message[]): boolean {
  const last = messages.at(-1)
  if (last?.role !== 'assistant' || last.metadata === null || isThoughts(last)) return false
  return last.metadata.source === 'openai_api'
    ? last.metadata.ending != null || last.metadata.finish_reason === 'length'
    : last.metadata.finish_details?.type === 'max_tokens'
}

/**
 * The history with what an ask has brought. The specification, section 4: consecutive new messages are chained as parent and
 * child, the first is attached to the current node, and the current node moves to the last.
 */
export function withAsk(history: ConversationHistory, ask: Ask, now: Date): ConversationHistory {
  let { mapping } = history
  let parent = parentOf(ask, history)
  let last = history.current_node
  for (const message of after(ask.question, keptReplies(ask))) {
    mapping = withMessage(mapping, { ...marked(message, ask), parent: message.parent ?? parent })
    parent = message.id
    if (!isThoughts(message)) last = message.id
  }
  const { record } = ask
  const current_model =
    record?.current_model ?? ask.request?.model ?? ask.replies.at(-1)?.model ?? history.current_model
  return {
    ...history,
    mapping,
    current_node: last,
    current_model,
    title: ask.title ?? (history.title === '' ? (record?.title ?? '') : history.title),
    update_time: record?.update_time ?? now.toISOString(),
    running_ask: null,
    failures: failuresAfter(history, ask, now),
  }
}

/** Why questions have no answer, now that this ask is over. */
function failuresAfter(
  { failures, current_model }: ConversationHistory,
  ask: Ask,
  now: Date,
): Record<string, FailedAsk> {
  const { ask_id, question, request, state } = ask
  const asked = question?.id ?? request?.parent ?? ''
  const { [asked]: _, ...others } = failures ?? {}
  const failure = failureOf(state)
  if (failure === null || asked === '' || hasText(ask)) return others
  return {
    ...others,
    [asked]: { ask_id, model: request?.model ?? current_model ?? '', time: now.toISOString(), ...failure },
  }
}

/** A conversation that the server has just stored, as it will be read later. */
export function newHistory(ask: Ask, conversation_id: string, title: string, now: Date): ConversationHistory {
  const time = now.toISOString()
  const source = ask.request?.source ?? 'openai_api'
  const empty: ConversationHistory = {
    _id: conversation_id,
    source,
    title,
    create_time: time,
    update_time: time,
    mapping: {},
    current_node: null,
    current_model: null,
    metadata: source === 'openai_web' ? { source, plugin_ids: ask.request?.openai_web_plugin_ids ?? null } : null,
  }
  return withAsk(empty, ask, now)
}

export function recordOf(history: ConversationHistory, known: ConversationRecord | undefined): ConversationRecord {
  const { _id, source, title, current_model, create_time, update_time, current_node, mapping, failures } = history
  const { id, source_id, user_id, is_valid } = known ?? { id: 0, source_id: null, user_id: null, is_valid: true }
  const last = current_node === null ? undefined : mapping[current_node]
  return {
    id,
    source_id,
    user_id,
    is_valid,
    source,
    conversation_id: _id,
    title,
    current_model,
    create_time,
    update_time,
    ...(current_node !== null && failures?.[current_node] !== undefined && { unanswered: true }),
    ...(last?.metadata?.source === 'openai_api' && last.metadata.failure != null && { broken_off: true }),
  }
}

function messagesOf(ask: Ask): Message[] {
  return after(ask.question, isAwaited(ask.state) ? ask.replies : keptReplies(ask))
}

/** Of an answer without any text only what was thought. */
const keptReplies = (ask: Ask) => (hasText(ask) ? ask.replies : ask.replies.filter(isThoughts))

const after = (question: Message | null, replies: Message[]) => (question === null ? replies : [question, ...replies])

function parentOf({ question, request, replies }: Ask, history: ConversationHistory): string | null {
  if (question !== null) {
    // Messages of the web source come without a parent; they follow what is current.
    return question.parent ?? request?.parent ?? (question.source === 'openai_web' ? history.current_node : null)
  }
  if (request?.text_content === CONTINUE) return request.parent ?? null
  return replies[0]?.parent ?? history.current_node
}

/** The server marks an answer that did not come to its own end when it stores it; where nothing was heard of that, it is done here. */
function marked(message: Message, { state, isStored }: Ask): Message {
  if (isStored) return message
  const ending: Ending | null =
    state.phase === 'stopped' || state.phase === 'interrupted' || (state.phase === 'failed' && state.charged !== null)
      ? state.phase
      : null
  if (ending === null || message.role === 'user' || isThoughts(message) || message.metadata?.source === 'openai_web')
    return message
  const failure = failureOf(state)
  return {
    ...message,
    metadata: { ...(message.metadata ?? { source: 'openai_api' }), ending, ...(failure !== null && { failure }) },
  }
}
