import { useMemo } from 'react'
import { NEW_CONVERSATION } from '#contract/conversations.ts'
import { useConversations } from '#web/conversations/useConversations.ts'
import type { RowState } from '#web/conversations/rowState.ts'
import { useAsks } from './asks.ts'
import { rowStateOf } from './rowStateOf.ts'

/** What the rows of the list say. */
export function useRowStates(): ReadonlyMap<string, RowState> {
  const { asks, ended } = useAsks()
  const { data: records } = useConversations()
  return useMemo(() => {
    const states = new Map<string, RowState>()
    for (const { unanswered, conversation_id } of records ?? []) if (unanswered && conversation_id !== null) states.set(conversation_id, { kind: 'failed' })
    for (const ask of [...ended.values(), ...asks]) {
      const state = rowStateOf(ask)
      if (state !== null) states.set(ask.conversation_id ?? NEW_CONVERSATION, state)
    }
    return states
  }, [asks, ended, records])
}
