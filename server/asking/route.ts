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
  const next = whereNext({ isKept: source === 'openai_web', present, candidates, now })
  switch (next.next) {
    case 'moves':
      return next.upstream
    case 'refused':
      return new Refusal(next.key)
    case 'stays':
      return present ?? new Refusal('upstreamGone')
  }
}

type Bound = Pick<Wanted, 'accounts' | 'holder'> & {
  /** The account that keeps the conversation; null where none does, or it may be had anywhere. */
  keeper: number | null
}

/** The only upstreams that an ask may move to while it waits; null for any. */
export function ableOf({ keeper, holder, accounts }: Bound): ReadonlySet<number> | null {
  const only = keeper ?? holder
  return only === null ? accounts : new Set([only])
}

/** In whose name an ask goes on that moves to another account: that one’s team, where it was asked in the name of a team. */
export const teamThere = (source_id: string | null, { team_account_id }: Upstream): string | null =>
  source_id === null ? null : team_account_id

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
