import type { Allowance } from '#contract/allowance.ts'
import type { UserSetting } from '#contract/limits.ts'
import type { Source } from '#contract/models.ts'
import { remainingOf, sourceOf, verdictFor } from '#web/accounts/allowance.ts'
import { remainingOf as remainingBySetting } from './choices.ts'

/** What is left of a model for a new conversation: null is unlimited. `opens_at` only while it may not be asked. */
export type Left = { count: number | null; window_seconds: number | null; opens_at: string | null }

/** By the allowance; until that is known, by the account's own counts. */
export function leftOf(allowance: Allowance | undefined, setting: UserSetting, source: Source, model: string): Left {
  const of = allowance === undefined ? null : sourceOf(allowance, source)
  if (allowance === undefined || of === null)
    return { count: remainingBySetting(setting, source, model), window_seconds: null, opens_at: null }
  const { opens_at } = verdictFor(allowance, { source, model, isNew: false })
  const left = remainingOf(of, model)
  return { count: left?.count ?? null, window_seconds: left?.window_seconds ?? null, opens_at }
}
