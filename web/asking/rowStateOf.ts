import type { ConversationRecord } from '#contract/conversations.ts'
import type { RowState } from '#web/conversations/ConversationRow.tsx'
import { type Ask, goesOnUnseen, hasText } from './askState.ts'

/** What an ask is to the row of its conversation while it is answered, or has failed and waits to be tried again. */
export function rowStateOf(ask: Ask): RowState | null {
  const { state } = ask
  switch (state.phase) {
    case 'queueing':
      return { kind: 'queueing', place: state.place }
    case 'sending':
    case 'waiting':
    case 'replying':
      return { kind: 'replying' }
    // A part of an answer is one, and counts.
    case 'failed':
      return goesOnUnseen(state) ? { kind: 'replying' } : { kind: hasText(ask) ? 'interrupted' : 'failed' }
    case 'interrupted':
    case 'stopped':
    case 'finished':
    case 'idle':
      return null
  }
}

/** What the list alone tells. That there is something new is said until somebody looks; that there is no answer until there is one. */
export function rowStateOfRecord(
  { running_ask, unanswered, broken_off }: ConversationRecord,
  isUnseen: boolean,
): RowState | null {
  if (unanswered) return { kind: 'failed' }
  // What runs is followed at once, and speaks for itself.
  if (!isUnseen || running_ask !== undefined) return null
  return { kind: broken_off ? 'interrupted' : 'answered' }
}
