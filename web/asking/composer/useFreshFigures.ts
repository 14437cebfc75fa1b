import { useEffect, useRef } from 'react'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { afterRefusal, isLimit, refreshAllowance, takeAllowance } from '#web/accounts/allowance.ts'
import { refreshMeter } from '#web/conversations/sharedMeter/useSharedMeter.ts'
import { useConversations } from '#web/conversations/useConversations.ts'
import { useAsks } from '../asks.ts'
import type { Ask, AskState } from '../askState.ts'

/** Looks at the shared accounts and at one's own allowance anew, at once when an ask is taken, has its turn or ends. */
export function useFreshFigures(): void {
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
  // What was found when the list came first has been looked at with it; only a change of it is news.
  const known = useRef(count)
  useEffect(() => {
    if (known.current !== undefined && known.current !== count) refreshAllowance(client)
    known.current = count
  }, [client, count])
}

/** The head over the composer need not wait for the next look. */
function takeRefusal(client: QueryClient, { state, request }: Ask): void {
  if (state.phase !== 'failed' || request === null || !isLimit(state.tip)) return
  const { source, model, new_conversation } = request
  takeAllowance(client, allowance =>
    afterRefusal(allowance, { source, model, isNew: new_conversation }, state.tip, state.values),
  )
}

const STEPS: Record<AskState['phase'], string> = {
  idle: 'over',
  sending: 'sent',
  queueing: 'in line',
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
