import type { ConversationRecord } from '#contract/conversations.ts'
import type { RefusalKey } from '#contract/refusals.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { Sources } from '#server/sources/source.ts'
import type { Upstreams } from '#server/upstreams/upstreams.ts'
import { iso } from './history.ts'
import { closedReason, type ConversationRow, hasUpstreamCopy } from './store.ts'

export type Availability = Pick<ConversationRecord, 'read_only' | 'gone_upstream' | 'cooling_until'>

type Dependencies = {
  clock: Clock
  upstreams: Pick<Upstreams, 'find' | 'findFor'>
  sources: Pick<Sources, 'closedTo'>
}

const goneSince = ({ gone_upstream_time: time }: ConversationRow): Pick<Availability, 'gone_upstream'> =>
  time === null ? {} : { gone_upstream: iso(time) }

/** Why nothing can be asked in conversations of a person, and until when an account is not asked. */
export function openAvailability({ clock, upstreams, sources }: Dependencies) {
  /**
   * Why nothing can be asked; null when something can. One that has an upstream copy cannot go on without this
   * upstream.
   */
  function reasonOf(row: ConversationRow): RefusalKey | null {
    if (!hasUpstreamCopy(row)) return null
    const upstream = row.upstream_id === null ? undefined : upstreams.find(row.upstream_id)
    if (upstream === null) return 'upstreamGone'
    const closed = closedReason(row, clock.now())
    if (closed !== null) return closed
    return upstream?.enabled === false || (upstream?.paused_since ?? null) !== null ? 'upstreamNotAvailable' : null
  }

  function coolingUntil({ upstream_id, current_model }: ConversationRow): number | null {
    const there = upstream_id === null ? null : upstreams.findFor(upstream_id, current_model ?? '')
    const health = there?.health
    return health?.state === 'cooling' && health.until > clock.now() ? health.until : null
  }

  /** `rows` are conversations of this person. */
  return async (
    user_id: number | null,
    rows: readonly ConversationRow[],
  ): Promise<(row: ConversationRow) => Availability> => {
    const closed = await sources.closedTo(user_id, rows)
    return row => {
      const reason = closed(row) ?? reasonOf(row)
      if (reason !== null) return { read_only: `errors.${reason}`, ...goneSince(row) }
      const until = hasUpstreamCopy(row) ? coolingUntil(row) : null
      return until === null ? {} : { cooling_until: iso(until) }
    }
  }
}
