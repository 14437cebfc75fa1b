import type { Allowance } from '#contract/allowance.ts'
import type { Configuration } from '#contract/configuration/configuration.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { AccountGrants } from '#server/shares/gifts/grants.ts'
import { openUsageOfEverybody } from './everybody.ts'
import { openLimitUses } from './limitUses.ts'
import { openUsageNotices } from './notices.ts'
import { openOwnUsage } from './own.ts'
import { openUsageReading } from './reading.ts'
import { openUsageRequests } from './requests.ts'

type Dependencies = {
  open: OpenDatabase
  clock: Clock
  configuration(): Configuration
  allowance(user_id: number): Promise<Allowance>
  grants: AccountGrants
}

export type UsageReports = ReturnType<typeof openUsageReports>

/** What was used and what is left, of everybody and of oneself; asking for more. */
export function openUsageReports(dependencies: Dependencies) {
  const requests = openUsageRequests(dependencies)
  const reading = openUsageReading(dependencies)
  const limitUses = openLimitUses(dependencies)
  const shared = { ...dependencies, reading, limitUses, requests }
  return {
    requests,
    limitUses,
    own: openOwnUsage(shared),
    everybody: openUsageOfEverybody(reading),
    notices: openUsageNotices(shared),
  }
}
