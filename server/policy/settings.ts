import { isDeepStrictEqual } from 'node:util'
import type { Configuration } from '#contract/configuration/configuration.ts'
import type { ApiSetting, UserSettingUpdate } from '#contract/limits.ts'
import { type Source, SOURCES } from '#contract/models.ts'
import type { OpenDatabase, Transaction } from '#server/foundation/database/open.ts'
import { type Resolve, systemResolve } from '#server/foundation/outbound/addresses.ts'
import { conflictsIn, invalid, Refusal, refuseConflicts } from '#server/foundation/refusal.ts'
import type { SecretBox } from '#server/foundation/secrets.ts'
import type { Clock } from '#server/foundation/clock.ts'
import { ensureOwn } from '#server/upstreams/store.ts'
import { withMoments } from './moments.ts'
import { sourceConflicts, type SourceUpdate } from './conflicts.ts'
import { changeCounts, type CountChanges } from './adjustments.ts'
import { auditLimits, ownLimits } from './auditing.ts'
import { customApiColumns, requireAllowedAddress } from './ownEndpoint.ts'
import { type EffectiveSetting, readEffective, remainingOfModel } from './effectiveSetting.ts'
import { explicitModels, type OwnPolicy } from './plans.ts'
import { settingStore } from './store.ts'

type Dependencies = {
  open: OpenDatabase
  clock: Clock
  configuration: { current(): Configuration }
  secretBox: SecretBox
  resolve?: Resolve
}

type SettingChange = (trx: Transaction) => Promise<void>

/**
 * Changes what a user may ask. Only what was sent and differs is written, so that concurrent changes are not undone,
 * and what is inherited stays so.
 */
export function changingSettings({ open, clock, configuration, secretBox, resolve = systemResolve }: Dependencies) {
  async function changeSource(
    trx: Transaction,
    setting: EffectiveSetting,
    update: SourceUpdate,
    expected: SourceUpdate,
  ): Promise<void> {
    const { user_id, source } = setting
    const custom = update.custom_openai_api_settings
    await settingStore(trx).changeSource(user_id, source, {
      ...changedValues(update, setting, configuration.current()),
      ...(custom && customApiColumns(custom, setting, secretBox)),
    })
    if (custom?.url?.trim()) await ensureOwn(trx, user_id, source, clock.now())
    await changeCounts(trx, setting, countChanges(update, expected, setting), clock.now())
  }

  async function lockSource(trx: Transaction, user_id: number, source: Source): Promise<EffectiveSetting> {
    const row = await settingStore(trx).sourceForUpdate(user_id, source, open.engine)
    // Every user has settings: they are created with the account, and removed with it.
    if (!row) throw new Refusal('userNotExist')
    return readEffective(trx, configuration.current(), row, clock.now())
  }

  /** By the user: only the own address and key, and only where an administrator allows them. */
  async function changeOwnApi(user_id: number, custom: ApiSetting['custom_openai_api_settings']): Promise<void> {
    await requireAllowedAddress(custom.url, configuration.current(), resolve)
    await open.transaction(async trx => {
      const setting = await lockSource(trx, user_id, 'openai_api')
      if (!setting.allow_custom_openai_api) throw new Refusal('authorityDeny')
      const before = await ownLimits(trx, user_id)
      await changeSource(trx, setting, { custom_openai_api_settings: custom }, {})
      await auditLimits(trx, user_id, before)
    })
  }

  async function requireUnchanged(
    trx: Transaction,
    user_id: number,
    locked: Record<Source, EffectiveSetting>,
    { expected = {}, ...sent }: UserSettingUpdate,
  ): Promise<void> {
    const credits = (await settingStore(trx).credits([user_id]))[0]?.credits
    refuseConflicts([
      ...conflictsIn([], { credits }, { credits: expected.credits }, { credits: sent.credits }),
      ...SOURCES.flatMap(source =>
        sourceConflicts(locked[source], configuration.current(), expected[source] ?? {}, sent[source] ?? {}),
      ),
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
      } satisfies Record<Source, EffectiveSetting>
      if (update.expected) await requireUnchanged(trx, user_id, locked, update)
      const before = await ownLimits(trx, user_id)
      if (update.credits !== undefined) await settingStore(trx).setCredits(user_id, update.credits)
      for (const source of SOURCES) {
        const changes = update[source]
        if (changes) await changeSource(trx, locked[source], changes, update.expected?.[source] ?? {})
      }
      await auditLimits(trx, user_id, before)
    }
  }

  async function changeSetting(user_id: number, update: UserSettingUpdate): Promise<void> {
    await open.transaction(await settingChange(user_id, update))
  }

  return { settingChange, changeSetting, changeOwnApi }
}

/**
 * The values that differ from those in force; they become the person's own. What is sent back as it was shown stays
 * inherited.
 */
function changedValues(update: SourceUpdate, setting: EffectiveSetting, configuration: Configuration) {
  const sent: Partial<OwnPolicy> = {
    allow_to_use: update.allow_to_use,
    max_conv_count: update.max_conv_count,
    rate_limits: update.rate_limits,
    daily_available_time_slots: update.daily_available_time_slots,
    valid_until: timeOf(update.valid_until, setting.source),
    disable_uploading: update.disable_uploading,
    use_team: update.use_team,
    allow_custom_openai_api: update.allow_custom_openai_api,
    available_models: changedModels(update, setting, configuration),
  }
  const changed = Object.entries(sent).filter(
    ([field, value]) => value !== undefined && !isDeepStrictEqual(value, Reflect.get(setting, field)),
  )
  return Object.fromEntries(changed) as Partial<OwnPolicy> // some of the same fields
}

/**
 * A count is changed in one way: by what remains of it, or by how much is allowed. What remains and is sent back as it
 * was shown, or as it is now, is no change.
 */
function countChanges(update: SourceUpdate, expected: SourceUpdate, setting: EffectiveSetting): CountChanges {
  const { total_ask_count, total_ask_allowed, per_model_ask_count = {}, per_model_ask_allowed = {} } = update
  const { source } = setting
  if (total_ask_count !== undefined && total_ask_allowed !== undefined)
    throw invalid(['body', source, 'total_ask_allowed'], 'eitherOr')
  const twice = Object.keys(per_model_ask_allowed).find(code => Object.hasOwn(per_model_ask_count, code))
  if (twice !== undefined) throw invalid(['body', source, 'per_model_ask_allowed', twice], 'eitherOr')
  const setModels = Object.entries(per_model_ask_count).filter(
    ([model, count]) => ![expected.per_model_ask_count?.[model], remainingOfModel(setting, model)].includes(count),
  )
  const setsTotal =
    total_ask_count !== undefined && ![expected.total_ask_count, setting.total_ask_count].includes(total_ask_count)
  return {
    ...(setsTotal && { total: { set: total_ask_count } }),
    ...(total_ask_allowed !== undefined && { total: { allow: total_ask_allowed } }),
    models: [
      ...setModels.map(([model, set]) => ({ model, change: { set } })),
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

/** Clients send back the whole list. An unchanged one keeps "every model", instead of today's models. */
function changedModels(
  { available_models: sent }: SourceUpdate,
  { available_models, source }: EffectiveSetting,
  configuration: Configuration,
): string[] | undefined {
  if (sent === undefined) return undefined
  const shown = new Set(explicitModels(available_models, configuration, source))
  return shown.symmetricDifference(new Set(sent)).size === 0 ? undefined : [...new Set(sent)]
}
