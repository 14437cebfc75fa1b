import type { Updateable } from 'kysely'
import type { Configuration } from '#contract/configuration.ts'
import type { ApiSetting, UserSettingUpdate } from '#contract/limits.ts'
import { type Source, SOURCES } from '#contract/models.ts'
import type { OpenDatabase, Tables, Transaction } from '#server/foundation/database/open.ts'
import { type Resolve, systemResolve } from '#server/foundation/outbound/addresses.ts'
import { invalid, Refusal } from '#server/foundation/refusal.ts'
import type { SecretBox } from '#server/foundation/secrets.ts'
import type { Clock } from '#server/foundation/clock.ts'
import { ensureOwn } from '#server/upstreams/store.ts'
import { withMoments } from './moments.ts'
import { conflictsIn, refuseConflicts, sourceConflicts, type SourceUpdate } from './conflicts.ts'
import { changeCounts, type CountChanges } from './countChanges.ts'
import { customApiColumns, requireAllowedAddress } from './ownEndpoint.ts'
import { explicitModels } from './plans.ts'
import { countStore, type ModelCountRow, settingStore, type SourceSettingRow } from './store.ts'

type Dependencies = {
  open: OpenDatabase
  clock: Clock
  configuration: { current(): Configuration }
  secretBox: SecretBox
  resolve?: Resolve
}

type SettingChange = (trx: Transaction) => Promise<void>

type Columns = Updateable<Tables['user_source_settings']>
/** What is stored of a source, locked until the end of the transaction. */
type Locked = { setting: SourceSettingRow; counts: ModelCountRow[] }

/** Changes what a user may ask. Only the fields that were sent are written, so that concurrent changes are not undone. */
export function changingSettings({ open, clock, configuration, secretBox, resolve = systemResolve }: Dependencies) {
  async function changeSource(
    trx: Transaction,
    { user_id, source }: { user_id: number; source: Source },
    { setting, counts }: Locked,
    update: SourceUpdate,
  ): Promise<void> {
    await changeColumns(trx, user_id, source, {
      ...columnsOf(update, source),
      ...modelColumns(update, setting, configuration.current(), source),
      ...(update.custom_openai_api_settings && customApiColumns(update.custom_openai_api_settings, setting, secretBox)),
    })
    await changeCounts(trx, { user_id, source, now: clock.now() }, { setting, counts }, countChanges(update, source))
  }

  async function lockSource(trx: Transaction, user_id: number, source: Source): Promise<Locked> {
    const setting = await settingStore(trx).sourceForUpdate(user_id, source, open.engine)
    // Every user has settings: they are created with the account, and removed with it.
    if (!setting) throw new Refusal('userNotExist')
    return { setting, counts: await countStore(trx).forUpdate(user_id, source, open.engine) }
  }

  /** A user with an own address has an own upstream. */
  async function changeColumns(trx: Transaction, user_id: number, source: Source, columns: Columns): Promise<void> {
    await settingStore(trx).changeSource(user_id, source, columns)
    if (typeof columns.custom_openai_api_url === 'string') await ensureOwn(trx, user_id, source, clock.now())
  }

  /** By the user: only the own address and key, and only where an administrator allows them. */
  async function changeOwnApi(user_id: number, custom: ApiSetting['custom_openai_api_settings']): Promise<void> {
    await requireAllowedAddress(custom.url, configuration.current(), resolve)
    await open.transaction(async trx => {
      const stored = await settingStore(trx).sourceForUpdate(user_id, 'openai_api', open.engine)
      if (!stored?.allow_custom_openai_api) throw new Refusal('authorityDeny')
      await changeColumns(trx, user_id, 'openai_api', customApiColumns(custom, stored, secretBox))
    })
  }

  async function requireUnchanged(
    trx: Transaction,
    user_id: number,
    locked: Record<Source, Locked>,
    { expected = {}, ...sent }: UserSettingUpdate,
  ): Promise<void> {
    const credits = (await settingStore(trx).credits([user_id]))[0]?.credits
    refuseConflicts([
      ...conflictsIn([], { credits }, { credits: expected.credits }, { credits: sent.credits }),
      ...SOURCES.flatMap(source => {
        const stored = { ...locked[source], configuration: configuration.current() }
        return sourceConflicts(source, stored, expected[source] ?? {}, sent[source] ?? {})
      }),
    ])
  }

  /** Looks up the host of an address of one's own, then gives what makes the change in a transaction. */
  async function settingChange(user_id: number, given: UserSettingUpdate): Promise<SettingChange> {
    const update = withMoments(given, configuration.current().portal.time_zone)
    await requireAllowedAddress(update.openai_api?.custom_openai_api_settings?.url, configuration.current(), resolve)
    return async trx => {
      const locked = {
        openai_web: await lockSource(trx, user_id, 'openai_web'),
        openai_api: await lockSource(trx, user_id, 'openai_api'),
      } satisfies Record<Source, Locked>
      if (update.expected) await requireUnchanged(trx, user_id, locked, update)
      if (update.credits !== undefined) await settingStore(trx).setCredits(user_id, update.credits)
      for (const source of SOURCES) {
        const changes = update[source]
        if (changes) await changeSource(trx, { user_id, source }, locked[source], changes)
      }
    }
  }

  async function changeSetting(user_id: number, update: UserSettingUpdate): Promise<void> {
    await open.transaction(await settingChange(user_id, update))
  }

  return { settingChange, changeSetting, changeOwnApi }
}

function columnsOf(update: SourceUpdate, source: Source): Columns {
  const { allow_to_use, max_conv_count, rate_limits, daily_available_time_slots } = update
  return {
    allow_to_use,
    max_conv_count,
    rate_limits,
    daily_available_time_slots,
    valid_until: timeOf(update.valid_until, source),
    disable_uploading: update.disable_uploading,
    use_team: update.use_team,
    allow_custom_openai_api: update.allow_custom_openai_api,
  }
}

/** A count is changed in one way: by what remains of it, or by how much is allowed. */
function countChanges(update: SourceUpdate, source: Source): CountChanges {
  const { total_ask_count, total_ask_allowed, per_model_ask_count = {}, per_model_ask_allowed = {} } = update
  if (total_ask_count !== undefined && total_ask_allowed !== undefined)
    throw invalid(['body', source, 'total_ask_allowed'], 'eitherOr')
  const twice = Object.keys(per_model_ask_allowed).find(code => Object.hasOwn(per_model_ask_count, code))
  if (twice !== undefined) throw invalid(['body', source, 'per_model_ask_allowed', twice], 'eitherOr')
  return {
    ...(total_ask_count !== undefined && { total: { set: total_ask_count } }),
    ...(total_ask_allowed !== undefined && { total: { allow: total_ask_allowed } }),
    models: [
      ...Object.entries(per_model_ask_count).map(([model, set]) => ({ model, change: { set } })),
      ...Object.entries(per_model_ask_allowed).map(([model, allow]) => ({ model, change: { allow } })),
    ],
  }
}

function timeOf(text: string | null | undefined, source: Source): number | null | undefined {
  if (text === null || text === undefined) return text
  const time = Date.parse(text)
  if (Number.isNaN(time)) throw invalid(['body', source, 'valid_until'], 'Not a time')
  return time
}

/** Clients send back the whole list. An unchanged one keeps "every model" stored, instead of today's models. */
function modelColumns(
  { available_models: sent }: SourceUpdate,
  stored: SourceSettingRow,
  configuration: Configuration,
  source: Source,
): Columns {
  if (sent === undefined) return {}
  const shown = new Set(explicitModels(stored.available_models, configuration, source))
  return shown.symmetricDifference(new Set(sent)).size === 0 ? {} : { available_models: [...new Set(sent)] }
}
