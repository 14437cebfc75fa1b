import type { Configuration } from '#contract/configuration/configuration.ts'
import { type Audit, openAudit, type Dependencies } from './audit/log.ts'
import { type Oversight, openOversightService } from './audit/oversight.ts'
import type { ConfigurationService } from './configuration/configuration.ts'
import { undoingSettings } from './configuration/undoing.ts'
import { undoingAssignments } from './conversations/auditing.ts'
import { titlesOf } from './conversations/fileConversations.ts'
import type { Clock } from './foundation/clock.ts'
import type { OpenDatabase } from './foundation/database/open.ts'
import { undoingPlans } from './plans/planWriting.ts'
import { undoingLimits } from './policy/auditing.ts'
import type { PlanSnapshot } from './policy/planSnapshot.ts'
import { type Prices, undoingPrices } from './upstreams/prices/prices.ts'
import { undoingMoves } from './users/planMoves.ts'
import { userStore } from './users/store.ts'

type Shared = {
  open: OpenDatabase
  clock: Clock
  configuration(): Configuration
  settings: ConfigurationService
  oversight: Oversight
  prices: Prices
  plans: PlanSnapshot
}

const namesIn = (open: OpenDatabase) => ({
  nicknamesOf: userStore(open.database).nicknamesOf,
  async titlesOf(ids: readonly string[]) {
    const titles = await titlesOf(open.database, ids)
    return new Map([...titles].flatMap(([id, title]) => (title === null ? [] : [[id, title] as const])))
  },
})

/** Who reads whose conversations, with the names of people and the titles of conversations. */
export function openReading({
  open,
  clock,
  configuration,
}: Omit<Shared, 'settings' | 'oversight' | 'prices' | 'plans'>) {
  const oversight = openOversightService({
    ...{ open, clock },
    ...namesIn(open),
    settings: () => ({
      reason: configuration().portal.oversight_reason,
      shown: configuration().portal.show_oversight,
      kept_days: configuration().keeping.audit_days,
    }),
  })
  return { oversight, mayReadOf: oversight.requireFileOpen }
}

/** What was changed, and what undoes it. */
export function openAuditing(shared: Shared): { audit: Audit; oversight: Oversight } {
  const { open, clock, configuration, settings } = shared
  const undo: Dependencies['undo'] = {
    'user.limits': undoingLimits(shared),
    'setting.changed': undoingSettings(open, settings),
    'conversation.assigned': undoingAssignments(shared),
    'price.changed': undoingPrices(shared.prices),
    'plan.changed': undoingPlans(shared),
    'user.plan': undoingMoves(open),
  }
  const audit = openAudit({
    ...{ open, clock, undo },
    ...namesIn(open),
    settings: () => ({
      time_zone: configuration().portal.time_zone,
      kept_days: configuration().keeping.audit_days,
    }),
  })
  return { audit, oversight: shared.oversight }
}
