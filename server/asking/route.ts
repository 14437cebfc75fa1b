import type { Source } from '#contract/models.ts'
import { chooseUpstream, whereNext } from '#server/upstreams/choose.ts'
import { isHealthy } from '#server/upstreams/health.ts'
import type { Candidate, Upstream } from '#server/upstreams/upstream.ts'
import { Refusal } from '#server/foundation/refusal.ts'

type Wanted = {
  source: Source
  /** Undefined where the conversation is kept by no upstream yet, null where that one is gone. */
  present: Upstream | null | undefined
  candidates: readonly Candidate[]
  /** The only ones that have what the ask needs: the plugins; null for any. */
  accounts: ReadonlySet<number> | null
  /** The one that has the files of the ask; null where there are none. */
  holder: number | null
  now: number
}

/** Where an ask goes by its conversation, its plugins and its files. */
export function routeOf({ source, present, candidates, accounts, holder, now }: Wanted): Upstream | Refusal {
  if (present === undefined) {
    const able = candidates.filter(
      ({ upstream: { id } }) => (accounts === null || accounts.has(id)) && (holder === null || holder === id),
    )
    return chooseUpstream(able, now) ?? new Refusal('upstreamNotAvailable')
  }
  if (present !== null && holder !== null && holder !== present.id) return new Refusal('fileOfOtherAccount')
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
