import type { Source } from '#contract/models.ts'
import { chooseUpstream, whereNext } from '#server/upstreams/choose.ts'
import { isHealthy } from '#server/upstreams/health.ts'
import type { Candidate, Upstream } from '#server/upstreams/upstream.ts'
import { Refusal } from '#server/foundation/refusal.ts'

/** Where an ask goes by its conversation. `present`: undefined where no upstream was asked in it, null where that one is gone. */
export function routeOf(
  source: Source,
  present: Upstream | null | undefined,
  candidates: readonly Candidate[],
  now: number,
): Upstream | Refusal {
  if (present === undefined) return chooseUpstream(candidates, now) ?? new Refusal('upstreamNotAvailable')
  const next = whereNext({ source, present, candidates, now })
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
 * Until when the asks of an upstream wait although it has room; null where they do not. Only conversations with the web service are bound to
 * their account, and only while another one is healthy: with nobody healthy each is tried.
 */
export function heldUntil(upstream: Upstream, shared: readonly Upstream[], now: number): number | null {
  const { source, health, id } = upstream
  if (source !== 'openai_web' || health.state !== 'cooling' || isHealthy(health, now)) return null
  const hasOther = shared.some(
    other => other.id !== id && other.enabled && other.paused_since === null && isHealthy(other.health, now),
  )
  return hasOther ? health.until : null
}
