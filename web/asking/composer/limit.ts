import type { Allowance, SourceAllowance, Verdict } from '#contract/allowance.ts'
import type { LimitUnit } from '#contract/plans.ts'
import type { RefusalKey } from '#contract/refusals.ts'
import { type Asking, keyOf, sourceOf, verdictFor } from '#web/users/allowance.ts'

/** The rule that refuses a question now. */
export type Limit = {
  key: RefusalKey | null
  verdict: Verdict
  /** The chosen model, and another one of the same source that may be asked now. */
  model: string
  alternative: string | null
  of: SourceAllowance
}

type Choice = { source: Asking['source']; model: string; models: readonly { code: string }[] }

/** The limit that refuses the next question with this model; null when it may be asked. */
export function limitOn(allowance: Allowance, choice: Choice | null, isNew: boolean): Limit | null {
  if (choice === null) return expiredIn(allowance)
  const asking = { source: choice.source, model: choice.model, isNew }
  const verdict = verdictFor(allowance, asking)
  const of = sourceOf(allowance, choice.source)
  if (verdict.may_ask || of === null) return null
  const alternative = choice.models.find(
    ({ code }) => code !== choice.model && verdictFor(allowance, { ...asking, model: code }).may_ask,
  )
  return { key: keyOf(verdict), verdict, model: choice.model, alternative: alternative?.code ?? null, of }
}

/** No model can be chosen because the account has expired. */
function expiredIn(allowance: Allowance): Limit | null {
  const of = allowance.sources.find(({ verdict }) => keyOf(verdict) === 'userChatTypeExpired')
  return of === undefined ? null : { key: keyOf(of.verdict), verdict: of.verdict, model: '', alternative: null, of }
}

/** Whether a count is used up (shown in amber), and not closed for another reason. */
export function isUsedUp({ key }: Limit): boolean {
  return unitOf({ key }) !== null || isOfShares({ key })
}

/** The full window that frees last; null when the allowance was loaded before any was full. */
export function fullWindow({ of: { windows } }: Limit): SourceAllowance['windows'][number] | null {
  const full = windows.filter(({ used, max_requests }) => used >= max_requests && max_requests > 0)
  return full.toSorted((a, b) => (b.frees_at ?? '').localeCompare(a.frees_at ?? ''))[0] ?? null
}

/** How many conversations must be deleted before another may begin; null when none are allowed. */
export function mustGo({ of }: Limit): number | null {
  const { used, allowed } = of.conversations
  return allowed === 0 ? null : Math.max(1, used - allowed + 1)
}

const OF_SHARES: ReadonlySet<string | null> = new Set(['poolEmpty', 'shareUsed'])

/** Whether an account of which everybody has a part refuses it. */
export const isOfShares = ({ key }: Pick<Limit, 'key'>): boolean => OF_SHARES.has(key)

/** The id of that account; null where none of them refuses it. */
export function refusingAccount({ key, verdict }: Pick<Limit, 'key' | 'verdict'>): number | null {
  const id = isOfShares({ key }) ? verdict.values?.['upstream_id'] : null
  return typeof id === 'number' ? id : null
}

/** What administrators can give more of, so that it may be asked. */
export function unitOf({ key }: Pick<Limit, 'key'>): LimitUnit | null {
  switch (key) {
    case 'askedTooOften':
    case 'noAvailableModelAskCount':
    case 'noAvailableTotalAskCount':
    case 'limitReached':
      return 'asks'
    case 'tokensReached':
      return 'tokens'
    case 'budgetReached':
      return 'money'
    default:
      return null
  }
}
