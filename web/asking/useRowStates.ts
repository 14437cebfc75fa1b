import { useMemo } from 'react'
import { NEW_CONVERSATION } from '#contract/conversations.ts'
import { useConversations } from '#web/conversations/useConversations.ts'
import type { RowState } from '#web/conversations/ConversationRow.tsx'
import { useAsks } from './asks.ts'
import { rowStateOf, rowStateOfRecord } from './rowStateOf.ts'

/** What the rows of the list say. */
export function useRowStates(): ReadonlyMap<string, RowState> {
  const asks = useAsks(state => state.asks)
  const unseen = useAsks(state => state.unseen)
  const { data: records } = useConversations()
  return useMemo(() => {
    const states = new Map<string, RowState>()
    const say = (id: string, state: RowState | null) => {
      if (state !== null) states.set(id, state)
    }
    for (const record of records ?? [])
      if (record.conversation_id !== null)
        say(record.conversation_id, rowStateOfRecord(record, unseen.has(record.conversation_id)))
    for (const ask of asks) say(ask.conversation_id ?? NEW_CONVERSATION, rowStateOf(ask))
    return states
  }, [asks, unseen, records])
}
