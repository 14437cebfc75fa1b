import type { ConversationHistory, FailedAsk } from '#contract/conversations.ts'
import type { Message } from '#contract/messages.ts'
import { failureOf } from '#server/foundation/refusal.ts'
import type { EndedAsk, FailureStore } from '#server/asks/failureStore.ts'
import { iso } from './history.ts'

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
    ...failureOf({ key, values: failure_values ?? {} }, first_token_time !== null),
    ...(start_time !== null &&
      end_time !== null && { waited_seconds: Math.max(0, Math.round((end_time - start_time) / 1000)) }),
  }
}

/** It ends a branch. */
const isUnanswered = ({ role, children }: Pick<Message, 'role' | 'children'>): boolean =>
  role === 'user' && children.length === 0
