import { useLayoutEffect } from 'react'
import { endsWithAnAsk, useAllowance } from '#web/accounts/allowance.ts'
import { giveUp, unansweredOf } from '../askActions.ts'
import { dismissAsk, useAsks } from '../asks.ts'
import { isAwaited } from '../askState.ts'
import type { Desk } from '../useDesk.ts'
import { type Limit, limitOn } from './limit.ts'

/** A limit with the clock it is told by. */
export type Binding = Limit & { ahead_ms: number; refresh(): void }

/** What keeps the next question of this desk from being asked; null while one is awaited, here or elsewhere on this page. */
export function useLimit(desk: Desk, otherWaits: boolean): Binding | null {
  const limit = useBinding(desk, otherWaits)
  useTakenBack(desk, limit)
  return limit
}

function useBinding({ id, ask, choice }: Desk, otherWaits: boolean): Binding | null {
  const told = useAllowance()
  const ended_at = useAsks(({ last }) => last?.since ?? 0)
  if (told === undefined || otherWaits || (ask !== null && isAwaited(ask.state))) return null
  const { allowance, ahead_ms, told_at, refresh } = told
  const limit = limitOn(allowance, choice, id === null)
  if (limit === null) return null
  // One's own ask, which has just ended, is still in what was told before; a refused one has its note under the question.
  if (endsWithAnAsk(limit.verdict) && (told_at <= ended_at || ask !== null)) return null
  return { ...limit, ahead_ms, refresh }
}

/** A question that a limit refused goes back to where it was written: the head over it says why, once. */
function useTakenBack({ ask, history }: Desk, limit: Limit | null): void {
  const refused =
    ask !== null &&
    ask.state.phase === 'failed' &&
    limit !== null &&
    limit.verdict.message === ask.state.tip &&
    !endsWithAnAsk(limit.verdict)
  useLayoutEffect(() => {
    if (!refused) return
    const unanswered = unansweredOf(ask, null, history)
    // What stands in the conversation stays there.
    if (unanswered?.kind === 'unsent') void giveUp(unanswered, history)
    else dismissAsk(ask.ask_id)
  }, [refused, ask, history])
}
