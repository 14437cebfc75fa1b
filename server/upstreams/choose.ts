import type { RefusalKey } from '#contract/refusals.ts'
import { isHealthy, recentFailures } from './health.ts'
import type { Candidate, Upstream } from './upstream.ts'

const mayBeAsked = ({ enabled, paused_since }: Upstream): boolean => enabled && paused_since === null

/** Without its key it can only refuse. */
const lacksKey = ({ health }: Upstream): boolean => health.state === 'attention' && health.next_try === null

/**
 * The candidates among which one is chosen: the healthy ones; when none is healthy, all that may be asked, and have
 * their key where one has.
 */
export function consideredNow(candidates: readonly Candidate[], now: number): Candidate[] {
  const usable = candidates.filter(({ upstream }) => mayBeAsked(upstream))
  const healthy = usable.filter(({ upstream }) => isHealthy(upstream.health, now))
  if (healthy.length > 0) return healthy
  const withKey = usable.filter(({ upstream }) => !lacksKey(upstream))
  return withKey.length > 0 ? withKey : usable
}

/**
 * The upstream to ask: the least busy of the healthy ones; of equally busy ones the one with the fewest recent
 * failures, then the first. When none is healthy, the least busy of all: a cooling upstream is tried rather than none.
 * Null without candidates.
 */
export function chooseUpstream(candidates: readonly Candidate[], now: number): Upstream | null {
  const [first, ...others] = consideredNow(candidates, now)
  if (first === undefined) return null
  return others.reduce((best, each) => (isBetter(each, best, now) ? each : best), first).upstream
}

function isBetter(one: Candidate, other: Candidate, now: number): boolean {
  const difference = busyness(one) - busyness(other)
  return difference < 0 || (difference === 0 && failuresOf(one, now) < failuresOf(other, now))
}

const failuresOf = ({ upstream: { health } }: Candidate, now: number): number => recentFailures(health, now).length

const busyness = ({ upstream, load }: Candidate): number => (load.running + load.waiting) / upstream.concurrency

export type Next = { next: 'stays' } | { next: 'moves'; upstream: Upstream } | { next: 'refused'; key: RefusalKey }

type Where = {
  /** The upstream keeps the conversation itself, so that no other one can go on with it. */
  isKept: boolean
  /** Where the conversation was had until now, or where the ask waits; null where that upstream is gone. */
  present: Upstream | null
  /** Those that serve the model. */
  candidates: readonly Candidate[]
  now: number
}

/**
 * Whether a conversation, or a waiting ask, stays with its upstream. A conversation with an endpoint may move, since
 * all of it is sent with each question. The web service keeps its conversations, so that they stay; while the account
 * cools, their asks wait.
 */
export function whereNext({ isKept, present, candidates, now }: Where): Next {
  if (isKept) {
    if (present === null) return { next: 'refused', key: 'upstreamGone' }
    return mayBeAsked(present) ? { next: 'stays' } : { next: 'refused', key: 'upstreamNotAvailable' }
  }
  const serves = candidates.some(({ upstream }) => upstream.id === present?.id && mayBeAsked(upstream))
  if (present !== null && serves && isHealthy(present.health, now)) return { next: 'stays' }
  const chosen = chooseUpstream(candidates, now)
  if (chosen === null) return { next: 'refused', key: 'upstreamNotAvailable' }
  // When none is healthy, moving gains nothing.
  const isWorthIt = !serves || isHealthy(chosen.health, now) || (present !== null && lacksKey(present))
  return isWorthIt && chosen.id !== present?.id ? { next: 'moves', upstream: chosen } : { next: 'stays' }
}

/**
 * The end of the cooldown for which the asks of an upstream wait although it has room; null where they need not. Only
 * those of a source that keeps conversations wait, since these cannot move, and only while another upstream is healthy:
 * when none is, each is tried all the same.
 */
export function cooldownEnd(
  keepsConversations: boolean,
  { health, id }: Upstream,
  shared: readonly Upstream[],
  now: number,
): number | null {
  if (!keepsConversations || health.state !== 'cooling' || isHealthy(health, now)) return null
  const hasOther = shared.some(
    other => other.id !== id && other.enabled && other.paused_since === null && isHealthy(other.health, now),
  )
  return hasOther ? health.until : null
}
