import { explicitModels } from './plans.ts'
import type { Updateable } from 'kysely'
import type { Configuration } from '#contract/configuration.ts'
import { type ApiSetting, UNLIMITED, type UserSettingUpdate, type WebSetting } from '#contract/limits.ts'
import { type Source, SOURCES } from '#contract/models.ts'
import type { OpenDatabase, Tables, Transaction } from '#server/foundation/database/open.ts'
import { type Resolve, systemResolve } from '#server/foundation/outbound/addresses.ts'
import { invalid, Refusal } from '#server/foundation/refusal.ts'
import type { SecretBox } from '#server/foundation/secrets.ts'
import type { Clock } from '#server/foundation/clock.ts'
import { ensureOwn } from '#server/upstreams/store.ts'
import { customApiColumns, requireAllowedAddress } from './ownEndpoint.ts'
import { ledgerStore, setEntry } from './ledger.ts'
import { countStore, settingStore, type SourceSettingRow } from './store.ts'

type Dependencies = {
  open: OpenDatabase
  clock: Clock
  configuration: { current(): Configuration }
  secretBox: SecretBox
  resolve?: Resolve
}

type Columns = Updateable<Tables['user_source_settings']>
type SourceUpdate = Partial<WebSetting> & Partial<ApiSetting>

/** Changes what a user may ask. Only the fields that were sent are written, so that concurrent changes are not undone. */
export function changingSettings({ open, clock, configuration, secretBox, resolve = systemResolve }: Dependencies) {
  async function changeSource(trx: Transaction, user_id: number, source: Source, update: SourceUpdate): Promise<void> {
    const counts = countStore(trx)
    const stored = await settingStore(trx).sourceForUpdate(user_id, source, open.engine)
    if (!stored) throw new Refusal('userNotExist')
    await changeColumns(trx, user_id, source, {
      ...columnsOf(update, source),
      ...modelColumns(update, stored, configuration.current(), source),
      ...(update.custom_openai_api_settings && customApiColumns(update.custom_openai_api_settings, stored, secretBox)),
    })
    const entries =
      update.total_ask_count === undefined
        ? []
        : setEntry({ user_id, source, model: null }, stored.total_ask_count, update.total_ask_count, clock.now())
    for (const [model, ask_count] of Object.entries(update.per_model_ask_count ?? {})) {
      const before = await counts.ofModelForUpdate(user_id, source, model, open.engine)
      // Clients send back every model: -1 for a model without a count changes nothing.
      if (before === undefined && ask_count === UNLIMITED) continue
      await counts.setOfModel(user_id, { source, model, ask_count })
      entries.push(...setEntry({ user_id, source, model }, before?.ask_count, ask_count, clock.now()))
    }
    await ledgerStore(trx).write(entries)
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

  async function changeSetting(user_id: number, update: UserSettingUpdate): Promise<void> {
    await requireAllowedAddress(update.openai_api?.custom_openai_api_settings?.url, configuration.current(), resolve)
    await open.transaction(async trx => {
      // Every user has settings: they are created with the account, and removed with it.
      if (!(await settingStore(trx).source(user_id, 'openai_api'))) throw new Refusal('userNotExist')
      if (update.credits !== undefined) await settingStore(trx).setCredits(user_id, update.credits)
      for (const source of SOURCES) {
        const changes = update[source]
        if (changes) await changeSource(trx, user_id, source, changes)
      }
    })
  }

  return { changeSetting, changeOwnApi }
}

function columnsOf(update: SourceUpdate, source: Source): Columns {
  const { allow_to_use, max_conv_count, total_ask_count, rate_limits, daily_available_time_slots } = update
  return {
    allow_to_use,
    max_conv_count,
    total_ask_count,
    rate_limits,
    daily_available_time_slots,
    valid_until: timeOf(update.valid_until, source),
    disable_uploading: update.disable_uploading,
    use_team: update.use_team,
    allow_custom_openai_api: update.allow_custom_openai_api,
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
