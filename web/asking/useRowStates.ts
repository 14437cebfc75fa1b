import { useMemo } from 'react'
import { NEW_CONVERSATION } from '#contract/conversations.ts'
import { useConversations } from '#web/conversations/useConversations.ts'
import type { RowState } from '#web/conversations/rowState.ts'
import { useAsks } from './asks.ts'
import { type AskState, goesOnUnseen } from './askState.ts'

/** What the rows of the list say. */
export function useRowStates(): ReadonlyMap<string, RowState> {
  const { asks, answered } = useAsks()
  const { data: records } = useConversations()
  return useMemo(() => {
    const states = new Map<string, RowState>()
    for (const { unanswered, conversation_id } of records ?? []) if (unanswered && conversation_id !== null) states.set(conversation_id, { kind: 'failed' })
    for (const id of answered) states.set(id, { kind: 'answered' })
    for (const ask of asks) {
      const state = rowStateOf(ask.state)
      if (state !== null) states.set(ask.conversation_id ?? NEW_CONVERSATION, state)
    }
    return states
  }, [asks, answered, records])
}

function rowStateOf(state: AskState): RowState | null {
  switch (state.phase) {
    case 'queueing': return { kind: 'queueing', place: state.place }
    case 'sending':
    case 'waiting':
    case 'replying': return { kind: 'replying' }
    case 'failed': return goesOnUnseen(state) ? { kind: 'replying' } : { kind: 'failed' }
    case 'interrupted': return { kind: 'interrupted' }
    case 'idle':
    case 'stopped':
    case 'finished': return null
  }
}
