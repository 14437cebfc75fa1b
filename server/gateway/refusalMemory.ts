import type { Bus } from '#server/foundation/database/bus.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { Refusal } from '#server/foundation/refusal.ts'
import { kindOf } from './refusals/kinds.ts'

/** Milliseconds. */
const KEPT = 5_000
/** Beyond that the oldest are forgotten. */
const MAX_REFUSALS = 1_000

/** Said when something changes by which it is decided who may ask: policy, the ledger, an account. */
const CHANGES = ['policy', 'plans', 'configuration', 'upstreams', 'prices', 'queue']

/** That anything was changed over the API: any of it may be policy. */
export const POLICY_CHANGED = 'policy'

/** What is said beside a refusal, and how often something had changed when it was decided. */
type Noted = { headers: Record<string, string>; changes: number }
type Remembered = { refusal: Refusal; headers: Record<string, string>; until: number }

/**
 * Refusals by limits of a moment ago: a tool that asks in a loop is answered without the database, and is in nobody's
 * way.
 */
export function openRefusalMemory({ bus, clock }: { bus: Bus; clock: Pick<Clock, 'now'> }) {
  const refusals = new Map<string, Remembered>()
  let changes = 0
  for (const topic of CHANGES)
    bus.subscribe(topic, () => {
      changes += 1
      refusals.clear()
    })

  return {
    /** How often something has changed: said again when a refusal is noted, which may have been overtaken. */
    changes: (): number => changes,

    find(scope: string): Omit<Remembered, 'until'> | null {
      const found = refusals.get(scope)
      if (found === undefined || clock.now() >= found.until) return null
      return found
    },

    note(scope: string, refusal: Refusal, { headers, changes: before }: Noted): void {
      if (before !== changes || !holdsForAll(refusal)) return
      const { opens_at } = refusal.values
      const opens = typeof opens_at === 'string' ? Date.parse(opens_at) : Infinity
      refusals.delete(scope)
      refusals.set(scope, { refusal, headers, until: Math.min(clock.now() + KEPT, opens) })
      if (refusals.size <= MAX_REFUSALS) return
      for (const oldest of refusals.keys()) return void refusals.delete(oldest)
    },
  }
}

/** Whether any question would be refused: not where a shorter one might still pass, or the queue was full. */
const holdsForAll = ({ key, values: { unit } }: Refusal): boolean =>
  kindOf(key) === 'limit' && !PASSING.has(key) && (unit === undefined || unit === 'asks')

const PASSING: ReadonlySet<string> = new Set([
  'tokensReached',
  'budgetReached',
  'queueFull',
  'cannotConnectMoreThanOneClient',
  'onlyWhenQuiet',
  'tooManyRequests',
])
