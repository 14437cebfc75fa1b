import type { UserRead, UserReadAdmin } from '#contract/users.ts'
import type { Configuration } from '#contract/configuration/configuration.ts'
import { type ApiSetting, type ChatStatus, UNLIMITED, type UserSetting, type WebSetting } from '#contract/limits.ts'
import { MODEL_CODES, type Source } from '#contract/models.ts'
import { enabledModels } from '#server/configuration/models.ts'
import { explicitModels } from '#server/policy/plans.ts'
import type { EffectiveSetting } from '#server/policy/effectiveSetting.ts'
import { remainingOf } from '#server/usage/counts.ts'
import type { UserRow } from './store.ts'

/** All that is stored of a person, read together. */
export type AccountRecord = {
  user: UserRow
  credits: number
  sources: EffectiveSetting[]
  chat_status: ChatStatus
  /** Whether the key of an endpoint of their own is stored and cannot be opened. */
  own_key_unreadable: boolean
}

type SharedSetting = Omit<WebSetting, 'disable_uploading' | 'use_team'>

/** What an administrator sees: everything as it is stored. */
export function adminView(record: AccountRecord, configuration: Configuration): UserReadAdmin {
  return { ...readView(record, configuration), remark: record.user.remark }
}

/**
 * What people see of themselves: what is switched off for everybody is off for them. The stored values stay as they
 * are.
 */
export function ownView(record: AccountRecord, configuration: Configuration): UserRead {
  const view = readView(record, configuration)
  const { openai_web, openai_api } = view.setting
  return {
    ...view,
    setting: {
      ...view.setting,
      openai_web: {
        ...cutToEnabled(openai_web, configuration, 'openai_web'),
        disable_uploading: openai_web.disable_uploading || configuration.openai_web.disable_uploading,
      },
      openai_api: cutToEnabled(openai_api, configuration, 'openai_api'),
    },
  }
}

function cutToEnabled<S extends SharedSetting>(setting: S, configuration: Configuration, source: Source): S {
  const enabled = enabledCodes(configuration, source)
  return {
    ...setting,
    allow_to_use: setting.allow_to_use && configuration[source].enabled,
    available_models: setting.available_models.filter(code => enabled.includes(code)),
  }
}

function readView(record: AccountRecord, configuration: Configuration): UserRead {
  const { user } = record
  return {
    id: user.id,
    username: user.username,
    nickname: user.nickname,
    email: user.email,
    last_active_time: user.last_active_time === null ? null : timeText(user.last_active_time),
    create_time: timeText(user.create_time),
    avatar: user.avatar,
    is_superuser: user.is_superuser,
    is_active: user.is_active,
    is_verified: user.is_verified,
    setting: settingView(record, configuration),
  }
}

function settingView(record: AccountRecord, configuration: Configuration): UserSetting {
  const web = sourceRow(record, 'openai_web')
  const api = sourceRow(record, 'openai_api')
  const apiSetting: ApiSetting = {
    ...sharedSetting(api, configuration),
    allow_custom_openai_api: api.allow_custom_openai_api,
    // Blank says that there is a key, and leaves it unchanged when it comes back; null would clear it.
    custom_openai_api_settings: {
      url: api.custom_openai_api_url,
      key: api.custom_openai_api_key === null ? null : '',
      ...(record.own_key_unreadable && { key_unreadable: true }),
    },
  }
  return {
    id: record.user.id,
    user_id: record.user.id,
    credits: record.credits,
    openai_web_chat_status: record.chat_status,
    openai_web: {
      ...sharedSetting(web, configuration),
      disable_uploading: web.disable_uploading,
      use_team: web.use_team,
    },
    openai_api: apiSetting,
  }
}

/** Counts are those of the specification: whole asks that remain, also where half of one does as well. */
function sharedSetting(row: EffectiveSetting, configuration: Configuration): SharedSetting {
  const available_models = explicitModels(row.available_models, configuration, row.source)
  return {
    allow_to_use: row.allow_to_use,
    valid_until: row.valid_until === null ? null : timeText(row.valid_until),
    max_conv_count: row.max_conv_count,
    total_ask_count: Math.floor(row.total_ask_count),
    rate_limits: row.rate_limits,
    daily_available_time_slots: row.daily_available_time_slots,
    available_models,
    per_model_ask_count: explicitCounts(row, available_models, configuration),
  }
}

/** A missing count means unlimited. It is sent all the same, since old clients take a missing count for zero. */
function explicitCounts(
  { source, models }: EffectiveSetting,
  available: string[],
  configuration: Configuration,
): Record<string, number> {
  const codes = new Set([...MODEL_CODES[source], ...enabledCodes(configuration, source), ...available])
  return Object.fromEntries([
    ...[...codes].map(code => [code, UNLIMITED] as const),
    ...[...models].map(([model, state]) => [model, Math.floor(remainingOf(state))] as const),
  ])
}

const enabledCodes = (configuration: Configuration, source: Source) =>
  enabledModels(configuration, source).map(model => model.code)

function sourceRow({ sources, user }: AccountRecord, source: Source): EffectiveSetting {
  const row = sources.find(setting => setting.source === source)
  if (!row) throw new Error(`user ${user.id} has no settings for ${source}`)
  return row
}

const timeText = (time: number) => new Date(time).toISOString()
