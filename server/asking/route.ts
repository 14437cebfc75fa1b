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
  /** The upstreams that have the plugins of the ask; null when it has none. */
  withPlugins: ReadonlySet<number> | null
  /** The upstream that has the files of the ask; null when it has none. */
  withFiles: number | null
  now: number
}

/** Where an ask goes by its conversation, its plugins and its files. */
export function routeOf({ source, present, candidates, withPlugins, withFiles, now }: Wanted): Upstream | Refusal {
  if (present === undefined) {
    const suitable = candidates.filter(
      ({ upstream: { id } }) => (withPlugins?.has(id) ?? true) && (withFiles === null || withFiles === id),
    )
    return chooseUpstream(suitable, now) ?? new Refusal('upstreamNotAvailable')
  }
  if (present !== null && withFiles !== null && withFiles !== present.id) return new Refusal('fileOfOtherAccount')
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

type Bound = Pick<Wanted, 'withPlugins' | 'withFiles'> & {
  /** The account that keeps the conversation; null when it may go on with any. */
  keeper: number | null
}

/** The only upstreams that an ask may move to while it waits; null for any. */
export function mayMoveTo({ keeper, withFiles, withPlugins }: Bound): ReadonlySet<number> | null {
  const only = keeper ?? withFiles
  return only === null ? withPlugins : new Set([only])
}

/** The team account of an ask that moves to another upstream: that upstream’s team, if it was asked in the name of a team before. */
export const teamThere = (source_id: string | null, { team_account_id }: Upstream): string | null =>
  source_id === null ? null : team_account_id

/**
 * Until when the asks of a cooling upstream wait although it has room; null where they need not. Only asks of the web service wait, since their
 * conversations cannot move, and only while another account is healthy: when none is, each is tried all the same.
 */
export function heldUntil(upstream: Upstream, shared: readonly Upstream[], now: number): number | null {
  const { source, health, id } = upstream
  if (source !== 'openai_web' || health.state !== 'cooling' || isHealthy(health, now)) return null
  const hasOther = shared.some(
    other => other.id !== id && other.enabled && other.paused_since === null && isHealthy(other.health, now),
  )
  return hasOther ? health.until : null
}
