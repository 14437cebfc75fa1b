import type { Configuration } from '#contract/configuration/configuration.ts'
import type { ValidationDetail } from '#contract/envelope.ts'
import { UNLIMITED, type UserSettingUpdate } from '#contract/limits.ts'
import { conflictsIn } from '#server/foundation/refusal.ts'
import { explicitModels } from './plans.ts'
import type { EffectiveSetting } from './effectiveSetting.ts'

type Fields = Record<string, unknown>
export type SourceUpdate = NonNullable<UserSettingUpdate['openai_web']> & NonNullable<UserSettingUpdate['openai_api']>

/** What somebody else has changed of a source meanwhile. What remains of a count is not compared: asks change it. */
export function sourceConflicts(
  setting: EffectiveSetting,
  configuration: Configuration,
  expected: SourceUpdate,
  sent: SourceUpdate,
): ValidationDetail[] {
  const { source } = setting
  const stored = {
    allow_to_use: setting.allow_to_use,
    valid_until: setting.valid_until,
    max_conv_count: setting.max_conv_count,
    total_ask_allowed: setting.total_ask_allowed,
    rate_limits: setting.rate_limits,
    daily_available_time_slots: setting.daily_available_time_slots,
    available_models: explicitModels(setting.available_models, configuration, source).toSorted(),
    disable_uploading: setting.disable_uploading,
    use_team: setting.use_team,
    allow_custom_openai_api: setting.allow_custom_openai_api,
    custom_openai_api_settings: setting.custom_openai_api_url,
  }
  const allowed = Object.fromEntries(
    Object.keys(expected.per_model_ask_allowed ?? {}).map(code => [
      code,
      setting.per_model_ask_allowed.get(code) ?? UNLIMITED,
    ]),
  )
  return [
    ...conflictsIn([source], stored, comparable(expected), comparable(sent)),
    ...conflictsIn(
      [source, 'per_model_ask_allowed'],
      allowed,
      expected.per_model_ask_allowed ?? {},
      sent.per_model_ask_allowed ?? {},
    ),
  ].map(shown)
}

/** In the form in which it is stored. */
function comparable({ valid_until, available_models, custom_openai_api_settings, ...fields }: SourceUpdate): Fields {
  return {
    ...fields,
    valid_until: typeof valid_until === 'string' ? Date.parse(valid_until) : valid_until,
    available_models: available_models && [...new Set(available_models)].toSorted(),
    custom_openai_api_settings: custom_openai_api_settings && custom_openai_api_settings.url,
  }
}

/** A time in the form in which it is sent. */
function shown(detail: ValidationDetail): ValidationDetail {
  const isTime = detail.loc.at(-1) === 'valid_until' && detail.msg !== 'null'
  return isTime ? { ...detail, msg: JSON.stringify(new Date(Number(detail.msg)).toISOString()) } : detail
}
