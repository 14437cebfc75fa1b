import type { Configuration } from '#contract/configuration.ts'
import type { ConversationRecord } from '#contract/conversations.ts'
import type { RefusalKey } from '#contract/refusals.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { isTeamRefused, mayUseTeam } from '#server/policy/team.ts'
import type { Upstreams } from '#server/upstreams/upstreams.ts'
import { isKept } from './atUpstream/keepers.ts'
import { iso } from './history.ts'
import { closedReason, type ConversationRow } from './store.ts'

export type Availability = Pick<ConversationRecord, 'read_only' | 'gone_upstream' | 'cooling_until'>

type Dependencies = {
  open: OpenDatabase
  clock: Clock
  upstreams: Pick<Upstreams, 'find' | 'findFor'>
  configuration(): Configuration
}

const goneSince = ({ gone_upstream_time: time }: ConversationRow): Pick<Availability, 'gone_upstream'> =>
  time === null ? {} : { gone_upstream: iso(time) }

/** Why nothing can be asked in conversations of a person, and until when an account is not asked. */
export function openAvailability({ open, clock, upstreams, configuration }: Dependencies) {
  /** Why nothing can be asked; null when something can. A conversation that an account keeps cannot go on without this account. */
  function reasonOf(row: ConversationRow, isOfTeam: boolean): RefusalKey | null {
    if (isTeamRefused(row.source_id, isOfTeam)) return 'teamConversationNotAllowed'
    if (!isKept(row)) return null
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
    const isOfTeam =
      user_id !== null &&
      rows.some(row => row.source_id !== null) &&
      (await mayUseTeam(open.database, configuration(), user_id))
    return row => {
      const reason = reasonOf(row, isOfTeam)
      if (reason !== null) return { read_only: `errors.${reason}`, ...goneSince(row) }
      const until = isKept(row) ? coolingUntil(row) : null
      return until === null ? {} : { cooling_until: iso(until) }
    }
  }
}
