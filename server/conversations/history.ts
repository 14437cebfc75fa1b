import type { ConversationHistory, ConversationRecord, FailedAsk } from '#contract/conversations.ts'
import { formedBy, MESSAGE_FORMS } from '#contract/messageForms/messageForms.ts'
import { type Content, isThoughts, type Message, type MessageMetadata, type Role } from '#contract/messages.ts'
import { withoutNodes } from '#contract/messageTree.ts'
import type { Source } from '#contract/models.ts'
import type { EndedAsk, FailureStore } from '#server/asks/failureStore.ts'
import { askFailure } from '#server/foundation/refusal.ts'
import type { MessageRow } from './messageStore.ts'
import type { ConversationRow } from './store.ts'

let latest = { time: NaN, text: '' }

/** Remembers the latest result: messages of one ask often have the same time. */
export function iso(time: number): string {
  if (time !== latest.time) latest = { time, text: new Date(time).toISOString() }
  return latest.text
}

/** The record of the specification, section 3. */
export function toRecord(row: ConversationRow): ConversationRecord {
  return {
    id: row.id,
    source: sourceOf(row),
    conversation_id: row.conversation_id,
    source_id: row.source_id,
    title: row.title,
    user_id: row.user_id,
    is_valid: row.is_valid,
    current_model: row.current_model,
    create_time: iso(row.create_time),
    update_time: row.update_time === null ? null : iso(row.update_time),
    ...(isPublic(row) && { is_public: true }),
    ...byTool(row),
  }
}

/** Where a tool began it, and it was kept (exchanges.ts). */
const byTool = ({ conversation_metadata }: ConversationRow): Pick<ConversationRecord, 'by_tool'> => {
  const by_tool = conversation_metadata?.['by_tool']
  return by_tool === undefined ? {} : { by_tool: by_tool as ConversationRecord['by_tool'] } // only exchanges.ts writes it
}

export const isPublic = ({ conversation_metadata }: Pick<ConversationRow, 'conversation_metadata'>): boolean =>
  conversation_metadata?.['is_public'] === true

/** Content and metadata were checked when they were stored, and are not checked again. */
export function toMessage(row: MessageRow, source: Source): Message {
  const stored = { content: row.content as Content | null, metadata: row.message_metadata as MessageMetadata | null }
  const { content, metadata, isHidden } = MESSAGE_FORMS[stored.metadata?.source ?? source].read(row, stored)
  const own = formedBy(content) ?? metadata?.source ?? source
  const form = MESSAGE_FORMS[own]
  return {
    id: row.message_id,
    source: own,
    role: isHidden ? 'system' : (row.role as Role),
    author_name: row.author_name,
    model: row.model,
    create_time: iso(row.create_time),
    parent: row.parent,
    children: [],
    content: form.content(content),
    metadata: form.metadata(metadata),
  }
}

/** The messages by id, each knowing its children in the order in which they came. */
export function toMapping(rows: readonly MessageRow[], source: Source): Record<string, Message> {
  const mapping = joined(rows.map(row => toMessage(row, source)))
  for (const message of Object.values(mapping)) {
    const children = message.children.flatMap(id => mapping[id]?.role ?? [])
    message.metadata = MESSAGE_FORMS[message.source].addressed(message, children)
  }
  return mapping
}

type Link = { id: string; parent: string | null; role: string; is_thoughts: boolean; children: string[] }
type LinkRow = Pick<MessageRow, 'message_id' | 'parent' | 'role'> & { is_thoughts: number | boolean }

/** The tree of what a walk through the conversation needs. */
export function toLinks(rows: readonly LinkRow[]): Record<string, Link> {
  return joined(
    rows.map(({ message_id, parent, role, is_thoughts }): Link => ({
      id: message_id,
      parent,
      role,
      is_thoughts: Boolean(is_thoughts),
      children: [],
    })),
  )
}

/** The tree without thoughts: the current node is never one of them. */
export const withoutThoughts = (links: Readonly<Record<string, Link>>): Record<string, Link> =>
  withoutNodes(links, ({ is_thoughts }) => is_thoughts)

function joined<N extends { id: string; parent: string | null; children: string[] }>(
  nodes: readonly N[],
): Record<string, N> {
  const mapping: Record<string, N> = {}
  for (const node of nodes) mapping[node.id] = node
  for (const { id, parent } of nodes) {
    if (parent !== null) mapping[parent]?.children.push(id)
  }
  return mapping
}

/** The ask that is being answered, where it can be followed, and what its answer follows. */
type Running = { ask_id: string | null; question_id: string }

/** The history document of the specification, section 3, assembled from the rows, without thoughts. */
export function toHistory(
  row: ConversationRow,
  messages: readonly MessageRow[],
  running: Running | undefined,
): ConversationHistory {
  const source = sourceOf(row)
  const mapping = toMapping(messages, source)
  return {
    _id: row.conversation_id,
    source,
    title: row.title ?? '',
    create_time: iso(row.create_time),
    update_time: iso(row.update_time ?? row.create_time),
    mapping: Object.values(mapping).some(isThoughts) ? withoutNodes<Message>(mapping, isThoughts) : mapping,
    // A second answer to a question becomes the current node when it ends, and is shown from its beginning.
    current_node: running?.question_id ?? row.current_node,
    current_model: row.current_model,
    ...(row.thinking_level !== null && { thinking_level: row.thinking_level }),
    metadata: MESSAGE_FORMS[source].ofConversation(row.conversation_metadata),
    running_ask: running?.ask_id ?? null,
  }
}

/** Only the two sources are ever stored. */
export function sourceOf(row: Pick<ConversationRow, 'source'>): Source {
  return row.source as Source
}

/** Adds the reasons of failed asks to a history. Reads them only when a question has no answer, which is rare. */
export async function withFailures(
  history: ConversationHistory,
  failedAsks: Pick<FailureStore, 'brokenAsks'>,
): Promise<ConversationHistory> {
  if (!Object.values(history.mapping).some(isUnanswered)) return history
  const failures = failuresIn(history.mapping, await failedAsks.brokenAsks(history._id))
  return Object.keys(failures).length === 0 ? history : { ...history, failures }
}

/** The asks are in their order; of several asks of one question the last one counts. */
function failuresIn(mapping: ConversationHistory['mapping'], asks: readonly EndedAsk[]): Record<string, FailedAsk> {
  const failures: Record<string, FailedAsk> = {}
  for (const [id, ask] of new Map(asks.map(ask => [ask.question_id, ask]))) {
    const question = mapping[id]
    if (ask.failure_key !== null && question !== undefined && isUnanswered(question))
      failures[id] = toFailedAsk(ask, ask.failure_key)
  }
  return failures
}

function toFailedAsk(
  { ask_id, model, create_time, start_time, end_time, failure_values, first_token_time }: EndedAsk,
  key: string,
): FailedAsk {
  return {
    ask_id,
    model,
    time: iso(end_time ?? create_time),
    ...askFailure({ key, values: failure_values ?? {} }, first_token_time !== null),
    ...(start_time !== null &&
      end_time !== null && { waited_seconds: Math.max(0, Math.round((end_time - start_time) / 1000)) }),
  }
}

/** It ends a branch. */
const isUnanswered = ({ role, children }: Pick<Message, 'role' | 'children'>): boolean =>
  role === 'user' && children.length === 0
