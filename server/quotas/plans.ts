import type { Insertable } from 'kysely'
import type { Configuration } from '#contract/configuration.ts'
import { UNLIMITED, WHOLE_DAY } from '#contract/limits.ts'
import { MODEL_CODES, type Source, SOURCES } from '#contract/models.ts'
import { enabledModels } from '#server/configuration/models.ts'
import type { Tables } from '#server/foundation/database/open.ts'

/** Stored in place of a list of models: every enabled one, also those enabled later. */
export const EVERY_MODEL = '*'

/** The stored list as clients see it: old ones know lists only. */
export function explicitModels(stored: readonly string[], configuration: Configuration, source: Source): string[] {
  return stored.includes(EVERY_MODEL) ? enabledModels(configuration, source).map(({ code }) => code) : [...stored]
}

type SourceRow = Omit<Insertable<Tables['user_source_settings']>, 'user_id' | 'source'> & { source: Source }
export type CountRow = { source: Source; model: string; ask_count: number }

/** What a user may ask, as it is stored with a new account. */
export type Plan = { credits: number; sources: SourceRow[]; counts: CountRow[] }

const DAY = 86_400_000 // milliseconds

/** The plan for new users (configuration, section new_users). */
export function planOfNewUsers({ new_users, openai_web }: Configuration, now: number): Plan {
  const { valid_days, per_model_ask_count, allow_custom_openai_api, ...limits } = new_users
  const sources = SOURCES.map((source): SourceRow => ({
    ...limits,
    source,
    valid_until: valid_days === null ? null : now + valid_days * DAY,
    available_models: [EVERY_MODEL],
    disable_uploading: false,
    use_team: source === 'openai_web' && openai_web.enable_team_subscription,
    allow_custom_openai_api: source === 'openai_api' && allow_custom_openai_api,
  }))
  const counts = Object.entries(per_model_ask_count).flatMap(([model, ask_count]) =>
    sourcesOf(model).map((source): CountRow => ({ source, model, ask_count })),
  )
  return { credits: 0, sources, counts }
}

/** For administrators: no limits. */
export function unlimitedPlan(): Plan {
  const sources = SOURCES.map((source): SourceRow => ({
    source,
    allow_to_use: true,
    valid_until: null,
    max_conv_count: UNLIMITED,
    total_ask_count: UNLIMITED,
    rate_limits: [],
    daily_available_time_slots: [WHOLE_DAY],
    available_models: [EVERY_MODEL],
    disable_uploading: false,
    use_team: false,
    allow_custom_openai_api: source === 'openai_api',
  }))
  return { credits: UNLIMITED, sources, counts: [] }
}

/** A code of neither source was added by an administrator, to openai_api. */
function sourcesOf(model: string): Source[] {
  const known = SOURCES.filter(source => (MODEL_CODES[source] as readonly string[]).includes(model))
  return known.length > 0 ? known : ['openai_api']
}
