import type { Destination } from '#server/asks/ask.ts'
import type { SourceTraits } from '#server/sources/source.ts'
import { chooseUpstream, whereNext } from '#server/upstreams/choose.ts'
import { isHealthy } from '#server/upstreams/health.ts'
import type { Candidate, Upstream } from '#server/upstreams/upstream.ts'
import { Refusal } from '#server/foundation/refusal.ts'

type Route = Pick<Destination, 'allowedUpstreams'> & {
  source: SourceTraits
  /** Undefined where the conversation is kept by no upstream yet, null where that one is gone. */
  present: Upstream | null | undefined
  candidates: readonly Candidate[]
  now: number
}

/** Where an ask goes by its conversation, and by what it needs there. */
export function routeOf({ source, present, candidates, allowedUpstreams, now }: Route): Upstream | Refusal {
  const isAllowed = ({ id }: Upstream): boolean => allowedUpstreams?.has(id) ?? true
  if (present === undefined) {
    const suitable = candidates.filter(({ upstream }) => isAllowed(upstream))
    return chooseUpstream(suitable, now) ?? new Refusal('upstreamNotAvailable')
  }
  if (present !== null && !isAllowed(present)) return new Refusal('fileOfOtherAccount')
  const next = whereNext({ isKept: source.keepsConversations, present, candidates, now })
  switch (next.next) {
    case 'moves':
      return next.upstream
    case 'refused':
      return new Refusal(next.key)
    case 'stays':
      return present ?? new Refusal('upstreamGone')
  }
}

/**
 * The end of the cooldown for which the asks of an upstream wait although it has room; null where they need not. Only those of a source that
 * keeps conversations wait, since these cannot move, and only while another upstream is healthy: when none is, each is tried all the same.
 */
export function cooldownEnd(
  { keepsConversations }: SourceTraits,
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
