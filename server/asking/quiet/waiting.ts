import { MAX_QUIET_ASKS } from '#contract/quietAsks.ts'
import type { AdmittedAsk, RequestedAsk } from '#server/asks/ask.ts'
import { quietStore } from '#server/asks/quietStore.ts'
import type { AskRow } from '#server/asks/store.ts'
import type { Transaction } from '#server/foundation/database/open.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { NotQuiet } from './refusals.ts'
import { quietRequest } from './storedRequest.ts'

/**
 * The round of one more that waits; of one person only so many do. Their second never comes before everybody's first.
 */
export async function waitingRound(trx: Transaction, user_id: number): Promise<number> {
  const store = quietStore(trx)
  const [waiting, { first, latest_own }] = await Promise.all([store.countOf(user_id), store.rounds(user_id)])
  if (waiting >= MAX_QUIET_ASKS) throw new Refusal('quietAsksFull', { most: MAX_QUIET_ASKS })
  return Math.max(first ?? 0, latest_own === null ? 0 : latest_own + 1)
}

/** It is held by no process: whichever finds that it is quiet begins it. */
export const waitingColumns = (admitted: AdmittedAsk, round: number) => ({
  ask_state: 'quiet',
  round,
  ticket: 0,
  holder: null,
  lease_until: null,
  start_time: null,
  quiet_until: admitted.quiet_until,
  quiet_request: quietRequest(admitted, admitted.question !== null),
})

/**
 * Whether it is quiet where the ask goes: it would not wait for a turn, and no other such ask is answered there, so
 * that whoever comes now waits for one of them at most.
 */
export async function requireQuiet(
  trx: Transaction,
  upstream_id: number,
  { queueing, stored }: { queueing: boolean; stored: AskRow | null },
): Promise<void> {
  if (!queueing && !(await quietStore(trx).answeringUpstreams()).has(upstream_id)) return
  throw stored === null ? new Refusal('onlyWhenQuiet') : new NotQuiet('others are first')
}

/** An ask of a key that asks only when it is quiet: at half the price now, or not at all. */
export const asKeyAsks = (ask: RequestedAsk, now: number): RequestedAsk =>
  ask.caller.bounds?.quiet_only === true && ask.quiet_until === null ? { ...ask, quiet_until: now } : ask
