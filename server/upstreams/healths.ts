import type { Bus } from '#server/foundation/database/bus.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { Log } from '#server/foundation/logging.ts'
import type { Refusal } from '#server/foundation/refusal.ts'
import type { ProviderEndpoint } from '#server/providers/endpoint.ts'
import { type CoolingModel, healthForModel, openCoolingModels } from './coolingModels.ts'
import { openHealthRecord } from './health.ts'
import type { Snapshot } from './snapshot.ts'
import type { SharedUpstream } from './settingsView.ts'
import type { Health, Upstream } from './upstream.ts'

type Dependencies = {
  open: OpenDatabase
  bus: Bus
  clock: Clock
  log: Log
  snapshot: Snapshot
  reachOf(row: SharedUpstream): ProviderEndpoint
  onChange(): void
}

/** How shared accounts are, as such and for asks of each model. */
export function openHealths({ snapshot, reachOf, ...given }: Dependencies) {
  const { clock } = given
  const opened = clock.now()
  const accounts = openHealthRecord({ ...given, rows: snapshot.rows })
  const models = openCoolingModels({
    ...given,
    rows: snapshot.coolingModels,
    isShared: id => snapshot.rows().some(row => row.id === id),
    reload: snapshot.reload,
  })

  return {
    /** What is computed of the stored key heals when another one is entered. */
    of(row: SharedUpstream): Health {
      const { unusable } = reachOf(row)
      if (unusable === undefined) return accounts.of(row)
      return { state: 'attention', next_try: null, since: row.secret_time ?? opened, reason: unusable }
    },

    /** As it is for asks of a model. */
    forModel: (upstream: Upstream, model: string): Upstream => ({
      ...upstream,
      health: healthForModel(upstream.health, models.find(upstream.id, model), clock.now()),
    }),

    /** The models that an account does not answer with for now, the soonest back first. */
    coolingModels: (id: number): CoolingModel[] => models.of(id),

    /**
     * What came of an ask of a model, or of a test. `began`: when it was sent, so that an answer that was under way
     * already when another ask was refused ends no pause.
     */
    report(id: number, result: Refusal | 'answered', asked?: { began: number; model: string }): void {
      if (asked !== undefined && models.report(id, asked.model, result, asked.began)) return
      accounts.report(id, result, asked?.began)
    },

    noteAsked: accounts.noteAsked,

    async stored(): Promise<void> {
      await accounts.stored()
      await models.stored()
    },
  }
}
