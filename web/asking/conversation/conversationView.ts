import { useEffect, useMemo, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { type ConversationHistory, NEW_CONVERSATION } from '#contract/conversations.ts'
import type { Message } from '#contract/messages.ts'
import { historyQuery, notifyRemoval, useConversations } from '#web/conversations/useConversations.ts'
import { isGone } from '#web/conversations/NotOpened.tsx'
import { RefusedCall } from '#web/foundation/call.ts'
import { usePortal } from '#web/foundation/portal.ts'
import { withAsk } from '../asks/askHistory.ts'
import { expectEnd, follow, useAsks } from '../asks/asks.ts'
import { type Ask, isAwaited } from '../asks/askState.ts'
import { throughTarget } from './selectBranch.ts'
import { type ModelChoices, useModelChoice } from './modelChoice.ts'

/** The conversation on the screen, with the ask in it. */
export type ConversationView = {
  /** Null for a conversation that is not stored yet. */
  id: string | null
  /** The key of its draft. */
  key: string
  status: 'new' | 'loading' | 'open' | 'gone' | 'failed'
  /** Why it is gone, or could not be loaded. */
  error: Error | null
  history: ConversationHistory | null
  /** Running, or failed and waiting for a decision. */
  ask: Ask | null
  /** The whole tree, with what the ask has brought. */
  mapping: ConversationHistory['mapping']
  /** The thread. */
  messages: Message[]
  choice: ModelChoices | null
  /** The message that the address names. */
  target: string | null
  reload(): void
}

export function useConversationView(id: string | null): ConversationView {
  const query = useQuery({ ...historyQuery(id ?? NEW_CONVERSATION), enabled: id !== null })
  const deleted = isNotFound(query.error) ? id : null
  // A conversation that was deleted, here or on another device, is not shown although it is still cached.
  const stored = id === null || deleted !== null ? null : (query.data ?? null)
  useEffect(() => {
    if (deleted !== null) notifyRemoval(deleted)
  }, [deleted])
  const ask = useAsks(({ asks }) => asks.findLast(ask => ask.conversation_id === id) ?? null)
  const target = useLocation({ select: ({ hash }) => hash || null })
  // The path to a running ask is selected.
  const history = useMemo(
    () => (stored === null || ask !== null ? stored : throughTarget(stored, target)),
    [stored, ask, target],
  )
  const choice = useModelChoice(history)
  useFollowing(history)
  const { mapping, messages } = useMemo(() => withAsk(history, ask), [history, ask])
  return {
    id,
    key: id ?? NEW_CONVERSATION,
    status: statusOf(id, history, query.error),
    error: query.error,
    history,
    ask,
    mapping,
    messages,
    target,
    choice: id !== null && history === null ? null : choice,
    reload: () => void query.refetch(),
  }
}

/** The ask of another conversation that must be answered first, when no more may be awaited at once. */
export function useOtherAsk(conversation_id: string | null): Ask | null {
  const most = usePortal()?.max_running_asks_per_user ?? 1
  return useAsks(({ asks }) => {
    const others = asks.filter(ask => ask.conversation_id !== conversation_id && isAwaited(ask.state))
    return others.length < most ? null : (others[0] ?? null)
  })
}

/** The id in the address. While the new conversation gets one, that id already, so that nothing flickers. */
export function useConversationId(
  addressed: string | null,
  onStored: (conversation_id: string) => void,
): string | null {
  const [stored, setStored] = useState<string | null>(null)
  const [before, setBefore] = useState(addressed)
  if (before !== addressed) {
    setBefore(addressed)
    setStored(null)
  }
  useEffect(() => {
    if (addressed !== null) return
    return useAsks.subscribe(({ asks }, earlier) => {
      const fresh = asks.find(
        ask =>
          ask.conversation_id !== null &&
          earlier.asks.some(old => old.ask_id === ask.ask_id && old.conversation_id === null),
      )
      if (fresh === undefined || fresh.conversation_id === null) return
      setStored(fresh.conversation_id)
      onStored(fresh.conversation_id)
    })
  }, [addressed, onStored])
  return addressed ?? stored
}

/**
 * Follows asks that were begun on another device or before a reload: of this conversation, and of the list, whose rows
 * show them.
 */
function useFollowing(history: ConversationHistory | null): void {
  const { data: records } = useConversations()
  const running = history?.running_ask ?? null
  const id = history?._id ?? null
  useEffect(() => {
    if (running !== null && id !== null) follow(running, id)
  }, [running, id])
  useEffect(() => {
    for (const { running_ask, quiet_ask, conversation_id } of records ?? []) {
      if (conversation_id === null) continue
      if (running_ask !== undefined) follow(running_ask, conversation_id)
      if (quiet_ask !== undefined) expectEnd(conversation_id)
    }
  }, [records])
}

function statusOf(
  id: string | null,
  history: ConversationHistory | null,
  error: Error | null,
): ConversationView['status'] {
  if (id === null) return 'new'
  if (history !== null) return 'open'
  if (error === null) return 'loading'
  return isGone(error) ? 'gone' : 'failed'
}

function isNotFound(error: Error | null): boolean {
  return error instanceof RefusedCall && error.key === 'conversationNotFound'
}
