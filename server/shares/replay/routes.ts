import type { Configuration } from '#contract/configuration/configuration.ts'
import { readLending, replayPlan, replaySharing } from '#contract/lending.ts'
import type { PlanChanges } from '#contract/plans.ts'
import type { Http } from '#server/foundation/http/http.ts'
import type { User } from '#server/users/user.ts'
import type { Replays } from './replays.ts'

type Services = {
  replays: Replays
  /** The configuration as a change of a plan would make it. */
  planAdministration: { configurationAfter(id: number, changes: PlanChanges): Promise<Configuration> }
}

export function replayRoutes(http: Http<User>, { replays, planAdministration }: Services): void {
  http.answer(readLending, ({ params, query }) => replays.lending(Number(params.id), query))
  http.answer(replaySharing, ({ params, body }) => replays.sharing(Number(params.id), body))
  http.answer(replayPlan, async ({ params, body }) =>
    replays.plan(await planAdministration.configurationAfter(Number(params.id), body)),
  )
}
