import { useEffect, useLayoutEffect, useRef } from 'react'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import {
  afterRefusal,
  endsWithAnAsk,
  isLimit,
  refreshAllowance,
  takeAllowance,
  useAllowance,
} from '#web/users/allowance.ts'
import { refreshMeter } from '#web/conversations/sharedMeter/useSharedMeter.ts'
import { useConversations } from '#web/conversations/useConversations.ts'
import { giveUp, unansweredOf } from '../conversation/askActions.ts'
import { dismissAsk, useAsks } from '../asks/asks.ts'
import { type Ask, type AskState, isAwaited } from '../asks/askState.ts'
import type { ConversationView } from '../conversation/conversationView.ts'
import { type Limit, limitOn } from './limit.ts'

/** `ahead_ms`: how far the server's clock is ahead of this device's. */
export type CurrentLimit = Limit & { ahead_ms: number; refresh(): void }

/**
 * The limit that refuses the next question of this conversation; null while an answer is awaited, here or in another
 * conversation.
 */
export function useLimit(view: ConversationView, otherWaits: boolean): CurrentLimit | null {
  const limit = useCurrentLimit(view, otherWaits)
  useReturnRefusedText(view, limit)
  return limit
}

function useCurrentLimit({ id, ask, choice }: ConversationView, otherWaits: boolean): CurrentLimit | null {
  const loaded = useAllowance()
  const ended_at = useAsks(({ last }) => last?.since ?? 0)
  if (loaded === undefined || otherWaits || (ask !== null && isAwaited(ask.state))) return null
  const { allowance, ahead_ms, loaded_at, refresh } = loaded
  const limit = limitOn(allowance, choice, id === null)
  if (limit === null) return null
  // An allowance that was loaded before the user's own ask ended still counts that ask. An ask that was refused for it
  // has a note under the question.
  if (endsWithAnAsk(limit.verdict) && (loaded_at <= ended_at || ask !== null)) return null
  return { ...limit, ahead_ms, refresh }
}

/**
 * Returns the text of a question that a limit refused to the composer, where the head above it gives the reason, once.
 */
function useReturnRefusedText({ ask, history }: ConversationView, limit: Limit | null): void {
  const refused =
    ask !== null &&
    ask.state.phase === 'failed' &&
    limit !== null &&
    limit.verdict.message === ask.state.tip &&
    !endsWithAnAsk(limit.verdict)
  useLayoutEffect(() => {
    if (!refused) return
    const unanswered = unansweredOf(ask, null, history)
    // A question that the conversation has stored stays there.
    if (unanswered?.kind === 'unsent') void giveUp(unanswered, history)
    else dismissAsk(ask.ask_id)
  }, [refused, ask, history])
}

/** Refetches the allowance and the shared meter when an ask is accepted, gets its turn or ends. */
export function useFreshAllowance(): void {
  const client = useQueryClient()
  const count = useConversations().data?.length
  useEffect(
    () =>
      useAsks.subscribe(({ asks }, before) => {
        if (stepsOf(asks) === stepsOf(before.asks)) return
        for (const ask of asks) if (before.asks.every(old => old !== ask)) takeRefusal(client, ask)
        refreshAllowance(client)
        refreshMeter(client)
      }),
    [client],
  )
  // The number of conversations is limited too. The allowance is loaded together with the first list, so only a later
  // change counts.
  const known = useRef(count)
  useEffect(() => {
    if (known.current !== undefined && known.current !== count) refreshAllowance(client)
    known.current = count
  }, [client, count])
}

/** Applies a refusal to the cached allowance, so that the head above the composer need not wait for the refetch. */
function takeRefusal(client: QueryClient, { state, request }: Ask): void {
  if (state.phase !== 'failed' || request === null || !isLimit(state.tip)) return
  const { source, model, new_conversation } = request
  takeAllowance(client, allowance =>
    afterRefusal(allowance, { source, model, isNew: new_conversation }, state.tip, state.values),
  )
}

const STEPS: Record<AskState['phase'], string> = {
  sending: 'sent',
  queueing: 'queued',
  quiet: 'queued',
  waiting: 'turn',
  replying: 'turn',
  finished: 'over',
  stopped: 'over',
  interrupted: 'over',
  failed: 'over',
}

function stepsOf(asks: readonly Ask[]): string {
  return asks.map(({ ask_id, state }) => `${ask_id} ${STEPS[state.phase]}`).join()
}
