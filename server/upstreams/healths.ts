import type { RefusalKey } from '#contract/refusals.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { Bus } from '#server/foundation/database/bus.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { Log } from '#server/foundation/logging.ts'
import type { Refusal } from '#server/foundation/refusal.ts'
import type { ProviderEndpoint } from '#server/providers/endpoint.ts'
import { openHealthRecord, COOLING, isHealthy } from './health.ts'
import type { SharedUpstream } from './settingsView.ts'
import type { Snapshot } from './snapshot.ts'
import { type CoolingModelRow, coolingModelStore } from './store.ts'
import type { Health, Upstream } from './upstream.ts'

/**
 * A model that an account does not answer with until then, while it answers with others. Times in epoch milliseconds.
 */
export type CoolingModel = Omit<CoolingModelRow, 'upstream_id'>

/** The health of an account for asks of one model. `cooling`: that model, where it cools. */
export function healthForModel(health: Health, cooling: CoolingModel | null, now: number): Health {
  if (cooling === null || cooling.cooling_until <= now) return health
  const { cooling_until: until, since, reason } = cooling
  const isLonger = health.state === 'cooling' && health.until >= until
  if (!isHealthy(health, now) && (isLonger || health.state === 'attention')) return health
  return { state: 'cooling', until, since, reason: reason as RefusalKey } // as it was reported
}

type Dependencies = {
  open: OpenDatabase
  bus: Bus
  clock: Clock
  log: Log
  onChange(): void
}

type CoolingDependencies = Dependencies & {
  rows(): readonly CoolingModelRow[]
  /** Whether it is a shared account: how a person's own one is, is not kept. */
  isShared(upstream_id: number): boolean
  /** Reads what is stored once more. */
  reload(): Promise<void>
}

/**
 * Which models of shared accounts cool. What this process learns counts here at once; it is stored, and so reaches the
 * other processes.
 */
export function openCoolingModels(given: CoolingDependencies) {
  const { open, bus, clock, log, rows, isShared, reload, onChange } = given
  const store = coolingModelStore(open.database)
  /** On its way to the database; null where a model cools no more. */
  const known = new Map<string, CoolingModelRow | null>()
  /** Of which this process guessed until when they cool: the time that the upstream says later counts in its place. */
  const guessed = new Set<string>()
  let storing: Promise<void> = Promise.resolve()

  function find(upstream_id: number, model: string): CoolingModelRow | null {
    const better = known.get(keyOf(upstream_id, model))
    const row = better ?? rows().find(each => each.upstream_id === upstream_id && each.model === model) ?? null
    return better === null || row === null || row.cooling_until <= clock.now() ? null : row
  }

  function of(upstream_id: number): CoolingModelRow[] {
    const listed = [...rows(), ...known.values()].filter(row => row?.upstream_id === upstream_id)
    const models = new Set(listed.flatMap(row => row?.model ?? []))
    return [...models]
      .flatMap(model => find(upstream_id, model) ?? [])
      .toSorted((a, b) => a.cooling_until - b.cooling_until)
  }

  function keep(upstream_id: number, model: string, row: CoolingModelRow | null): void {
    const key = keyOf(upstream_id, model)
    known.set(key, row)
    onChange()
    storing = storing
      .then(async () => {
        await (row === null ? store.warm(upstream_id, model) : store.cool(row, clock.now()))
        await reload()
        if (known.get(key) === row) known.delete(key)
        bus.publish('upstreams')
      })
      .catch((error: unknown) => log.warn({ err: error, upstream_id }, 'that a model cools could not be stored'))
  }

  /** What was said first and lasts longer stays. */
  function endOf(key: string, cooling: CoolingModelRow | null, stated: unknown): number {
    const isStated = typeof stated === 'number'
    const before = isStated && guessed.has(key) ? 0 : (cooling?.cooling_until ?? 0)
    const end = clock.now() + (isStated ? stated * 1000 : COOLING)
    if (isStated) guessed.delete(key)
    else if (end > before) guessed.add(key)
    return Math.max(before, end)
  }

  return {
    find,
    of,

    /**
     * What came of an ask of a model; says whether it is about this model alone, and not about the account. An answer
     * that began before the model was refused to somebody else ends no pause.
     */
    report(upstream_id: number, model: string, result: Refusal | 'answered', began: number): boolean {
      if (!isShared(upstream_id)) return false
      const cooling = find(upstream_id, model)
      if (result === 'answered') {
        if (cooling !== null && began >= cooling.since) keep(upstream_id, model, null)
        return false
      }
      const { key, values } = result
      if (values['of_model'] !== true) return false
      const now = clock.now()
      const cooling_until = endOf(keyOf(upstream_id, model), cooling, values['retry_after_seconds'])
      if (cooling === null)
        log.info({ upstream_id, model, until: cooling_until, reason: key }, 'a model of an upstream cools')
      keep(upstream_id, model, { upstream_id, model, cooling_until, since: cooling?.since ?? now, reason: key })
      return true
    },

    stored: () => storing,
  }
}

const keyOf = (upstream_id: number, model: string): string => `${upstream_id} ${model}`

type HealthDependencies = Dependencies & {
  snapshot: Snapshot
  reachOf(row: SharedUpstream): ProviderEndpoint
}

/** How shared accounts are, as such and for asks of each model. */
export function openHealths({ snapshot, reachOf, ...given }: HealthDependencies) {
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
