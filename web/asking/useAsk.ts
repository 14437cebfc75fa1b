import { useEffect, useState } from 'react'
import { CONTINUE } from '#contract/asking.ts'
import type { ConversationHistory } from '#contract/conversations.ts'
import { useConversations } from '#web/conversations/useConversations.ts'
import type { AskFiles } from '#web/files/askFiles.ts'
import { usePortal } from '#web/foundation/portal.ts'
import { beginAsk, follow, useAsks } from './asks.ts'
import { type Ask, isAwaited } from './askState.ts'
import { nextPlace } from './threadOf.ts'
import { useUnsaved } from './drafts/unsaved.ts'
import type { ModelChoices } from './composer/modelChoice.tsx'

/** The ask on this screen, if there is one: running, or failed and waiting for a decision. */
export function useAskIn(conversation_id: string | null): Ask | null {
  return useAsks(({ asks }) => asks.findLast(ask => ask.conversation_id === conversation_id) ?? null)
}

/** The ask of another conversation that must be answered first, when no more may be awaited at once. */
export function useOtherAsk(conversation_id: string | null): Ask | null {
  const most = usePortal()?.max_running_asks_per_user ?? 1
  return useAsks(({ asks }) => {
    const others = asks.filter(ask => ask.conversation_id !== conversation_id && isAwaited(ask.state))
    return others.length < most ? null : (others[0] ?? null)
  })
}

/**
 * Takes up asks that run without this page, begun on another device or before it was loaded anew: that of the conversation on
 * the screen, and those of the list, whose rows then say how far they are.
 */
export function useFollowing(history: ConversationHistory | null): void {
  const { data: records } = useConversations()
  const running = history?.running_ask ?? null
  const id = history?._id ?? null
  useEffect(() => {
    if (running !== null && id !== null) follow(running, id)
  }, [running, id])
  useEffect(() => {
    for (const { running_ask, conversation_id } of records ?? []) {
      if (running_ask !== undefined && conversation_id !== null) follow(running_ask, conversation_id)
    }
  }, [records])
}

/**
 * The conversation on the screen: the one of the address; and while a new one is being given an address, that one already,
 * so that nothing flickers.
 */
export function useArriving(addressed: string | null, onArrival: (conversation_id: string) => void): string | null {
  const [arrived, setArrived] = useState<string | null>(null)
  const [before, setBefore] = useState(addressed)
  if (before !== addressed) {
    setBefore(addressed)
    setArrived(null)
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
      setArrived(fresh.conversation_id)
      onArrival(fresh.conversation_id)
    })
  }, [addressed, onArrival])
  return addressed ?? arrived
}

/** Asks in this conversation, or begins the new one. */
export function ask(
  history: ConversationHistory | null,
  { source, model }: ModelChoices,
  text: string,
  files: AskFiles = {},
): void {
  if (history !== null) {
    const place = text === CONTINUE ? { parent: history.current_node } : nextPlace(history)
    beginAsk({
      source,
      model,
      new_conversation: false,
      text_content: text,
      conversation_id: history._id,
      ...place,
      ...files,
    })
    return
  }
  const { title, plugin_ids } = useUnsaved.getState().unsaved ?? { title: '', plugin_ids: [] }
  beginAsk({
    source,
    model,
    new_conversation: true,
    text_content: text,
    ...(title !== '' && { new_title: title }),
    ...(plugin_ids.length > 0 && { openai_web_plugin_ids: plugin_ids }),
    ...files,
  })
}
