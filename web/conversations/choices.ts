import type { UserSetting } from '#contract/limits.ts'
import { UNLIMITED } from '#contract/limits.ts'
import type { ModelChoice, Source } from '#contract/models.ts'
import type { Portal } from '#contract/status.ts'
import type { LastSelection } from '#web/foundation/stored.ts'

/** Why a source cannot be chosen. */
type DisabledReason = 'sourceDisabled' | 'sourceNotAllowed' | 'sourceExpired'

type SourceChoice = { source: Source; disabledReason: DisabledReason | null }

/** What the user may choose; the server decides again at the ask. */
export function sourceChoices(portal: Portal, setting: UserSetting, now: Date): SourceChoice[] {
  return portal.sources.map(({ source, enabled }) => ({
    source,
    disabledReason: disabledReasonOf(enabled, setting[source], now),
  }))
}

function disabledReasonOf(enabled: boolean, setting: UserSetting[Source], now: Date): DisabledReason | null {
  if (!enabled) return 'sourceDisabled'
  if (!setting.allow_to_use) return 'sourceNotAllowed'
  return setting.valid_until !== null && Date.parse(setting.valid_until) <= now.getTime() ? 'sourceExpired' : null
}

export function modelChoices(portal: Portal, setting: UserSetting, source: Source): ModelChoice[] {
  const allowed = setting[source].available_models
  return portal.models.filter(model => model.source === source && allowed.includes(model.code))
}

/** How many asks of a model are left; null = unlimited. The total counts for every model. */
export function remainingOf(setting: UserSetting, source: Source, model: string): number | null {
  const { total_ask_count, per_model_ask_count } = setting[source]
  const counts = [total_ask_count, per_model_ask_count[model] ?? UNLIMITED].filter(count => count !== UNLIMITED)
  return counts.length === 0 ? null : Math.min(...counts)
}

export type Selection = { source: Source; model: string }

/**
 * The last one if it is still allowed, else the first allowed one, preferably one that is not used up; null when there
 * is none.
 */
export function bestSelection(portal: Portal, setting: UserSetting, last: LastSelection, now: Date): Selection | null {
  const open = sourceChoices(portal, setting, now)
    .filter(({ disabledReason }) => disabledReason === null)
    .map(({ source }) => source)
  const sources = open.toSorted((a, b) => Number(b === last.source) - Number(a === last.source))
  for (const source of sources) {
    const model = bestModel(modelChoices(portal, setting, source), setting, source, last.model)
    if (model !== null) return { source, model }
  }
  const usedUp = sources.flatMap(source => modelChoices(portal, setting, source))[0]
  return usedUp === undefined ? null : { source: usedUp.source, model: usedUp.code }
}

export function bestModel(
  models: ModelChoice[],
  setting: UserSetting,
  source: Source,
  last: string | null,
): string | null {
  const usable = models.filter(({ code }) => remainingOf(setting, source, code) !== 0)
  return (usable.find(({ code }) => code === last) ?? usable[0])?.code ?? null
}
