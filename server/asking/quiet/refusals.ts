import type { RefusalKey } from '#contract/refusals.ts'
import type { Refusal } from '#server/foundation/refusal.ts'

/** The ask cannot be begun at the moment, or is no longer there to be begun. */
export class NotQuiet extends Error {}

/** What may be over at any moment: an answer that one waits for, an account that is paused or has nothing to spare. */
const PASSING: ReadonlySet<RefusalKey> = new Set([
  'cannotConnectMoreThanOneClient',
  'queueFull',
  'shareUsed',
  'poolEmpty',
  'upstreamNotAvailable',
  'upstreamGone',
  'serverStopping',
  'diskFull',
  'diskNotWritable',
  'databaseUnreachable',
])

/** Whether an ask that is refused now goes on waiting: what refuses it ends by itself before the ask is given up. */
export function passes({ key, values }: Refusal, until: number): boolean {
  const opens_at = values['opens_at']
  return PASSING.has(key) || (typeof opens_at === 'string' && Date.parse(opens_at) <= until)
}
