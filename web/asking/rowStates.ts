import { useMemo } from 'react'
import { type ConversationRecord, NEW_CONVERSATION } from '#contract/conversations.ts'
import type { RowState } from '#web/conversations/ConversationRow.tsx'
import { useConversations } from '#web/conversations/useConversations.ts'
import { useAsks } from './asks/asks.ts'
import { type Ask, goesOnUnseen, hasText } from './asks/askState.ts'

/** What the rows of the list show of their asks, by conversation. */
export function useRowStates(): ReadonlyMap<string, RowState> {
  const asks = useAsks(state => state.asks)
  const unseen = useAsks(state => state.unseen)
  const { data: records } = useConversations()
  return useMemo(() => {
    const states = new Map<string, RowState>()
    const set = (id: string, state: RowState | null) => {
      if (state !== null) states.set(id, state)
    }
    for (const record of records ?? [])
      if (record.conversation_id !== null)
        set(record.conversation_id, rowStateOfRecord(record, unseen.has(record.conversation_id)))
    for (const ask of asks) set(ask.conversation_id ?? NEW_CONVERSATION, rowStateOf(ask))
    return states
  }, [asks, unseen, records])
}

/** The state of an ask that is being answered, or has failed and waits to be tried again. */
export function rowStateOf(ask: Ask): RowState | null {
  const { state } = ask
  switch (state.phase) {
    case 'queueing':
      return { kind: 'queueing', position: state.position }
    case 'quiet':
      return { kind: 'quiet' }
    case 'sending':
    case 'waiting':
    case 'replying':
      return { kind: 'replying' }
    // A partial answer counts as an answer.
    case 'failed':
      return goesOnUnseen(state) ? { kind: 'replying' } : { kind: hasText(ask) ? 'interrupted' : 'failed' }
    case 'interrupted':
    case 'stopped':
    case 'finished':
      return null
  }
}

/** The state by the list alone. A new answer is marked until somebody opens it, a missing one until there is one. */
export function rowStateOfRecord(
  { running_ask, quiet_ask, unanswered, quiet_over, broken_off }: ConversationRecord,
  isUnseen: boolean,
): RowState | null {
  if (quiet_ask !== undefined) return { kind: 'quiet' }
  if (unanswered) return { kind: quiet_over ? 'quietOver' : 'failed' }
  // A running ask is followed at once, and has a state of its own.
  if (!isUnseen || running_ask !== undefined) return null
  return { kind: broken_off ? 'interrupted' : 'answered' }
}
