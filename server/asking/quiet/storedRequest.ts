import type { Source } from '#contract/models.ts'
import { CONTINUE } from '#contract/asking.ts'
import { textOf } from '#contract/messages.ts'
import type { RequestedAsk } from '#server/asks/ask.ts'
import type { QuietRequest } from '#server/asks/quietStore.ts'
import type { AskRow } from '#server/asks/store.ts'
import { toMessage } from '#server/conversations/history.ts'
import { messageStore } from '#server/conversations/messageStore.ts'
import { type ConversationRow, conversationStore } from '#server/conversations/store.ts'
import type { Transaction } from '#server/foundation/database/open.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { lastingCaller } from '#server/users/callers.ts'
import type { Message } from '#contract/messages.ts'

/** What was asked, as it waits until it is quiet. */
export function quietRequest(
  { caller, attachments, parameters, conversation, extras, destination }: RequestedAsk,
  has_question: boolean,
): QuietRequest {
  if (conversation === null) throw new Refusal('invalidAskRequest', { field: 'when' })
  const { kind, id } = caller
  const { allowedUpstreams } = destination
  return {
    caller: { kind, id },
    attachments,
    parameters,
    conversation,
    extras,
    allowedUpstreams: allowedUpstreams === null ? null : [...allowedUpstreams],
    has_question,
  }
}

/** Why an ask is begun: it is quiet, or somebody wants it now. */
export type Beginning = 'quiet' | 'now'

/** What was asked, again. It holds beyond the end of its own session. */
export function requestedAgain(row: AskRow, beginning: Beginning): RequestedAsk {
  // as admission wrote them
  const { caller, allowedUpstreams, ...request } = row.quiet_request as QuietRequest
  return {
    ask_id: row.ask_id,
    caller: lastingCaller({ user_id: row.user_id, ...caller, asked_at: row.create_time }),
    tool: row.tool,
    source: row.source as Source,
    model: row.model,
    text: CONTINUE,
    ...request,
    earlier: [],
    relay: null,
    quiet_until: beginning === 'quiet' ? row.quiet_until : null,
    destination: { allowedUpstreams: allowedUpstreams === null ? null : new Set(allowedUpstreams), source_id: null },
  }
}

type StoredQuestion = { conversation: ConversationRow; question: Message | null; text: string }

/** The question where it is stored, as the conversation is by now. */
export async function storedQuestion(trx: Transaction, row: AskRow): Promise<StoredQuestion> {
  const { conversation_id, question_id, user_id, source } = row
  if (conversation_id === null) throw new Refusal('conversationNotFound')
  const [conversation, stored] = await Promise.all([
    conversationStore(trx).find(conversation_id),
    messageStore(trx).find(conversation_id, question_id),
  ])
  if (conversation === undefined || !conversation.is_valid || conversation.user_id !== user_id)
    throw new Refusal('conversationNotFound')
  if (stored === undefined) throw new Refusal('messageNotFound')
  const { has_question } = row.quiet_request as QuietRequest // as admission wrote it
  const message = toMessage(stored, source as Source)
  return { conversation, question: has_question ? message : null, text: textOf(message) }
}
