import type { Outcome } from '#contract/asking.ts'
import type { Message } from '#contract/messages.ts'
import type { Source } from '#contract/models.ts'
import { type RefusalKey, REFUSALS } from '#contract/refusals.ts'
import { toMessage, toRecord } from '#server/conversations/history.ts'
import { messageStore } from '#server/conversations/messageStore.ts'
import { conversationStore } from '#server/conversations/store.ts'
import type { Database } from '#server/foundation/database/open.ts'
import type { AskRow } from '#server/asks/store.ts'
import type { AskEnd } from './liveReply.ts'

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
