import type { Allowance, SourceAllowance, Verdict } from '#contract/allowance.ts'
import type { RefusalKey } from '#contract/refusals.ts'
import { type Asking, keyOf, sourceOf, verdictFor } from '#web/accounts/allowance.ts'

/** The rule that keeps a question from being asked now. */
export type Limit = {
  key: RefusalKey | null
  verdict: Verdict
  /** With which model it was to be asked, and another one of the same source that may be asked now. */
  model: string
  alternative: string | null
  of: SourceAllowance
}

type Choice = { source: Asking['source']; model: string; models: readonly { code: string }[] }

/** What keeps the next question from being asked as it is chosen. */
export function limitOn(allowance: Allowance, choice: Choice | null, isNew: boolean): Limit | null {
  if (choice === null) return expiredIn(allowance)
  return limitOf(
    allowance,
    { source: choice.source, model: choice.model, isNew },
    choice.models.map(({ code }) => code),
  )
}

export function limitOf(allowance: Allowance, asking: Asking, models: readonly string[]): Limit | null {
  const verdict = verdictFor(allowance, asking)
  const of = sourceOf(allowance, asking.source)
  if (verdict.may_ask || of === null) return null
  const alternative =
    models.find(model => model !== asking.model && verdictFor(allowance, { ...asking, model }).may_ask) ?? null
  return { key: keyOf(verdict), verdict, model: asking.model, alternative, of }
}

/** The limit to show when nothing can be chosen because the account has expired. */
export function expiredIn(allowance: Allowance): Limit | null {
  const of = allowance.sources.find(({ verdict }) => keyOf(verdict) === 'userChatTypeExpired')
  return of === undefined ? null : { key: keyOf(of.verdict), verdict: of.verdict, model: '', alternative: null, of }
}

/** Used up: amber. Closed for another reason: the quiet tint. */
export function isUsedUp({ key }: Limit): boolean {
  return key === 'askedTooOften' || key === 'noAvailableModelAskCount' || key === 'noAvailableTotalAskCount'
}

/** The window that is full and stays so longest; none when the figures were read before it was. */
export function fullWindow({ of: { windows } }: Limit): SourceAllowance['windows'][number] | null {
  const full = windows.filter(({ used, max_requests }) => used >= max_requests && max_requests > 0)
  return full.toSorted((a, b) => (b.frees_at ?? '').localeCompare(a.frees_at ?? ''))[0] ?? null
}

/** How many conversations must go before another may begin; null where no deleting helps. */
export function mustGo({
  of: {
    conversations: { used, allowed },
  },
}: Limit): number | null {
  return allowed === 0 ? null : Math.max(1, used - allowed + 1)
}
