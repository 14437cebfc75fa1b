import type { Configuration } from '#contract/configuration/configuration.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { Bus } from '#server/foundation/database/bus.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { Log } from '#server/foundation/logging.ts'
import { openReportedWindows } from './reportedWindows.ts'
import type { Snapshot } from './snapshot.ts'
import { type Pool, poolAt } from './windows/pools.ts'

type Dependencies = {
  open: OpenDatabase
  bus: Bus
  clock: Clock
  log: Log
  settings(): Configuration
  snapshot: Snapshot
  onChange(): void
}

/** What those who share an account have of it together. */
export function openPools(given: Dependencies) {
  const { bus, clock, settings, snapshot } = given
  const reported = openReportedWindows(given)
  return {
    /** Null where that is not known, and of a person's own one. */
    poolOf: (upstream_id: number): Pool | null =>
      poolAt(upstream_id, {
        rows: snapshot.rows(),
        reports: reported.all(),
        time_zone: settings().portal.time_zone,
        now: clock.now(),
      }),

    reported,

    /** Whoever is gone owns nothing any more. */
    async ownerRemoved(user_id: number): Promise<void> {
      if (!snapshot.rows().some(({ owner_id }) => owner_id === user_id)) return
      await snapshot.reload()
      bus.publish('upstreams')
    },
  }
}
