import type { Source } from '#contract/models.ts'
import { type AccountWindow, windowText } from '#contract/shares.ts'
import type {
  NewUpstream,
  UpstreamChanges,
  UpstreamDraft,
  UpstreamDraftTest,
  UpstreamRead,
} from '#contract/upstreams.ts'
import type { ConfigurationService } from '#server/configuration/configuration.ts'
import type { Names } from '#server/configuration/settings.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { Bus } from '#server/foundation/database/bus.ts'
import type { OpenDatabase, Transaction } from '#server/foundation/database/open.ts'
import { invalid, Refusal } from '#server/foundation/refusal.ts'
import type { SecretBox } from '#server/foundation/secrets.ts'
import type { Providers } from '#server/providers/providers.ts'
import { auditedChange, auditNewUpstream } from './auditing.ts'
import { withSettings } from './capabilities.ts'
import { MAX_TEST, openChecks } from './checks.ts'
import { notAmong } from './listing.ts'
import type { ModelReading } from './modelReading.ts'
import type { SharedUpstream } from './settingsView.ts'
import { coolingModelStore, modelStore, reportedWindowStore, type UpstreamRow, upstreamStore } from './store.ts'
import type { Upstreams } from './upstreams.ts'
import { asCounted } from './windows/pools.ts'
import {
  columnsOf,
  healthAfterChange,
  pickedModels,
  requireChangeable,
  requireUnchanged,
  secretColumns,
  secretOf,
  timeOf,
  upstreamView,
} from './wire.ts'

/** More accounts than a group shares. */
const MAX_UPSTREAMS = 100

const NOBODY: Names = new Map()

type Dependencies = {
  open: OpenDatabase
  clock: Clock
  bus: Bus
  secretBox: SecretBox
  configuration: Pick<ConfigurationService, 'current'>
  upstreams: Upstreams
  providers: Providers
  models: ModelReading
}

export type UpstreamAdministration = ReturnType<typeof openUpstreamAdministration>

/** What administrators do with shared accounts and keys. Whatever is stored reaches every process. */
export function openUpstreamAdministration(given: Dependencies) {
  const { open, clock, bus, upstreams, models } = given
  const sealing = (by_user_id: number | null) => sealingBy(given, by_user_id)

  const read = (id: number, names: Names = NOBODY): UpstreamRead => view(upstreams.requireShared(id), names)

  function view(row: SharedUpstream, names: Names): UpstreamRead {
    return upstreamView({
      row,
      health: upstreams.find(row.id)?.health ?? { state: 'normal' },
      cooling: upstreams.coolingModels(row.id),
      models: upstreams.snapshot.modelsOf(row.id),
      served: upstreams.served(row),
      known: upstreams.snapshot.knownOf(row.id),
      ...reached(upstreams, row),
      ...sharedBy(upstreams, row, names),
      settings: upstreams.configuration(), // with what the demonstration switches on
      now: clock.now(),
      keySet: { changed_by: names.get(row.secret_by ?? 0) ?? null, changed_at: timeOf(row.secret_time) },
    })
  }

  /** Changes an upstream under a lock, and has every process read it again. */
  async function change(id: number, work: Change): Promise<UpstreamRow> {
    const changed = await open.transaction(async trx => {
      const row = await upstreamStore(trx).findForUpdate(id, open.engine)
      if (row === undefined) throw new Refusal('upstreamNotFound')
      await auditedChange(trx, { id, engine: open.engine }, () => work(row, trx))
      return row
    })
    await announce()
    return changed
  }

  async function announce(): Promise<void> {
    await upstreams.snapshot.reload()
    bus.publish('upstreams')
  }

  const { check, checkDraft, canBeTested } = openChecks({ ...given, announce })

  return {
    /** `names`: of those who entered keys, and of the owners; without them they are not named. */
    list: (names: Names = NOBODY): UpstreamRead[] => upstreams.snapshot.rows().map(row => view(row, names)),
    read,
    /** The ids of those who entered the keys, and of the owners, to look up their names. */
    namedIds: (): number[] => namedIn(upstreams.snapshot.rows()),

    async add(given: NewUpstream, by_user_id: number | null): Promise<UpstreamRead> {
      const { source, secret, models: picked, model_settings, ...fields } = given
      const [columns, meant] = [columnsOf(fields, source), secretOf(secret, source)]
      const id = await open.transaction(async trx => {
        const store = await storeWithRoom(trx)
        const added = await store.insert({ ...columns, source, label: fields.label, create_time: clock.now() })
        const row = await store.findForUpdate(added, open.engine)
        if (row !== undefined) await store.change(added, secretColumns(meant, null, row, sealing(by_user_id)))
        await keepModels(trx, { id: added }, picked, model_settings)
        await auditNewUpstream(trx, added, open.engine)
        return added
      })
      await announce()
      if (canBeTested(source)) await check(id)
      return read(id)
    },

    async change(id: number, changes: UpstreamChanges, by_user_id: number | null): Promise<UpstreamRead> {
      const { expected, secret: sent, models: picked, model_settings, ...fields } = changes
      const shared = upstreams.requireShared(id)
      const secret = secretOf(sent, shared.source as Source) // only the two sources are ever stored
      const health = healthAfterChange({ ...fields, secret })
      const isReachedOtherwise = Object.keys(health).length > 0
      const before = await change(id, async (row, trx) => {
        requireChangeable(shared, { ...fields, secret, models: picked })
        if (expected) requireUnchanged(row, await modelStore(trx).listOf(id), changes)
        const columns = columnsOf(fields, row.source as Source, row) // as above
        const sealed = secretColumns(secret, row, { ...row, ...columns }, sealing(by_user_id))
        await upstreamStore(trx).change(id, { ...columns, ...sealed, ...health, update_time: clock.now() })
        // Reached otherwise, it may be another account.
        if (isReachedOtherwise) await coolingModelStore(trx).warm(id)
        await keepReports(trx, row, isReachedOtherwise ? null : columns.windows)
        await keepModels(trx, row, picked, model_settings)
      })
      if ((isReachedOtherwise || picked === null) && canBeTested(before.source)) await check(id)
      return read(id)
    },

    pause: (id: number, by_user_id: number | null): Promise<UpstreamRead> =>
      change(id, pausing(clock.now(), by_user_id)).then(() => read(id)),

    resume: (id: number): Promise<UpstreamRead> => change(id, resuming).then(() => read(id)),

    /** Has it believed that a window of it is as it says, which was seen. */
    acceptWindow: (id: number, seen: AccountWindow): Promise<UpstreamRead> =>
      change(id, accepting(seen)).then(() => read(id)),

    /** Its conversations go on elsewhere where they can (choose.ts). */
    async remove(id: number): Promise<void> {
      await change(id, async (_row, trx) => {
        if (!upstreams.requireShared(id).removable) throw new Refusal('upstreamIsFirst')
        await upstreamStore(trx).remove(id)
      })
    },

    test: (id: number): Promise<UpstreamRead> => check(id).then(() => read(id)),
    testDraft: (draft: UpstreamDraft): Promise<UpstreamDraftTest> => checkDraft(draft),

    /** Refuses with what the endpoint says. */
    async readModels(id: number): Promise<UpstreamRead> {
      const row = upstreams.requireShared(id)
      if (models.isListed(row)) await models.read(row, AbortSignal.timeout(MAX_TEST))
      return read(id)
    },
  }
}

const sealingBy = ({ configuration, secretBox, clock }: Dependencies, by_user_id: number | null) => ({
  settings: configuration.current(),
  secretBox,
  by_user_id,
  now: clock.now(),
})

async function storeWithRoom(trx: Transaction) {
  const store = upstreamStore(trx)
  if ((await store.countShared()) >= MAX_UPSTREAMS)
    throw invalid(['body'], `There are ${MAX_UPSTREAMS} accounts already`)
  return store
}

type Change = (row: UpstreamRow, trx: Transaction) => Promise<void>

const pausing =
  (now: number, by_user_id: number | null): Change =>
  async ({ id, paused_since }, trx) => {
    if (paused_since === null) await upstreamStore(trx).change(id, { paused_since: now, paused_by: by_user_id })
  }

const resuming: Change = async ({ id }, trx) => {
  await upstreamStore(trx).change(id, { paused_since: null, paused_by: null })
}

const accepting =
  (seen: AccountWindow): Change =>
  async ({ id }, trx) => {
    const said = { window_key: windowText(seen), pending_capacity: asCounted(seen.unit, seen.amount) }
    if (!(await reportedWindowStore(trx).accept({ upstream_id: id, ...said }))) throw new Refusal('changedMeanwhile')
  }

/** Forgets what was said of windows that are not among these; null: of all. */
async function keepReports(trx: Transaction, { id }: UpstreamRow, windows: AccountWindow[] | null | undefined) {
  if (windows !== undefined) await reportedWindowStore(trx).removeOthers(id, (windows ?? []).map(windowText))
}

/** Stores the picked models - null: none is picked any more - and what is set of models. */
async function keepModels(
  trx: Transaction,
  { id }: Pick<UpstreamRow, 'id'>,
  picked: NewUpstream['models'],
  settings: NewUpstream['model_settings'] = [],
): Promise<void> {
  const store = modelStore(trx)
  if (picked === undefined && settings.length === 0) return
  const before = await store.listOf(id)
  const offered = picked === undefined ? null : picked === null ? [] : pickedModels(picked, before)
  const models = offered === null ? before : [...offered, ...notAmong(offered, before)]
  await store.keep(id, withSettings(models, settings))
  if (picked === undefined) return
  // They are due to be read.
  await upstreamStore(trx).change(id, { models_picked: picked !== null, models_digest: null, models_read_time: null })
}

const namedIn = (rows: readonly UpstreamRow[]): number[] =>
  rows.flatMap(({ secret_by, owner_id }) => [secret_by, owner_id].filter(id => id !== null))

const sharedBy = ({ snapshot }: Upstreams, { id, owner_id }: UpstreamRow, names: Names) => ({
  owner_name: names.get(owner_id ?? 0) ?? null,
  reports: snapshot.reports().filter(({ upstream_id }) => upstream_id === id),
})

const reached = (upstreams: Upstreams, row: UpstreamRow) => {
  const reach = upstreams.reach(row)
  return { reach, learnedContext: (model_name: string) => upstreams.learnedContext(row.id, { ...reach, model_name }) }
}
