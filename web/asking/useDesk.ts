import { useEffect, useMemo } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { type ConversationHistory, NEW_CONVERSATION } from '#contract/conversations.ts'
import type { Message } from '#contract/messages.ts'
import { notifyRemoval } from '#web/conversations/conversationEvents.ts'
import { historyQuery } from '#web/conversations/useConversations.ts'
import { RefusedCall } from '#web/foundation/call.ts'
import type { Ask } from './askState.ts'
import { throughTarget } from './branches/lookAt.ts'
import { threadOf } from './threadOf.ts'
import { useAskIn, useFollowing } from './useAsk.ts'
import { type ModelChoices, useModelChoice } from './composer/modelChoice.tsx'

/** What lies before the reader. */
export type Desk = {
  /** Null for a conversation that is not stored yet. */
  id: string | null
  /** Under which drafts are kept. */
  key: string
  status: 'new' | 'loading' | 'open' | 'gone' | 'failed'
  history: ConversationHistory | null
  ask: Ask | null
  messages: Message[]
  choice: ModelChoices | null
  /** The message that the address names. */
  target: string | null
  reload(): void
}

export function useDesk(id: string | null): Desk {
  const query = useQuery({ ...historyQuery(id ?? NEW_CONVERSATION), enabled: id !== null })
  const deleted = isNotFound(query.error) ? id : null
  // What was read before it was deleted, here or elsewhere, is not shown any more.
  const stored = id === null || deleted !== null ? null : (query.data ?? null)
  useEffect(() => {
    if (deleted !== null) notifyRemoval(deleted)
  }, [deleted])
  const ask = useAskIn(id)
  const target = useLocation({ select: ({ hash }) => hash || null })
  // What is being asked has a path of its own.
  const history = useMemo(
    () => (stored === null || ask !== null ? stored : throughTarget(stored, target)),
    [stored, ask, target],
  )
  const choice = useModelChoice(history)
  useFollowing(history)
  const messages = useMemo(() => threadOf(history, ask), [history, ask])
  return {
    id,
    key: id ?? NEW_CONVERSATION,
    status: statusOf(id, history, query.error),
    history,
    ask,
    messages,
    target,
    choice: id !== null && history === null ? null : choice,
    reload: () => void query.refetch(),
  }
}

/** One that is not yours and one that never was are the same: gone. */
function statusOf(id: string | null, history: ConversationHistory | null, error: Error | null): Desk['status'] {
  if (id === null) return 'new'
  if (history !== null) return 'open'
  if (error === null) return 'loading'
  return error instanceof RefusedCall && error.code !== 10401 ? 'gone' : 'failed'
}

function isNotFound(error: Error | null): boolean {
  return error instanceof RefusedCall && error.key === 'conversationNotFound'
}
