import type { LimitUnit } from '#contract/plans.ts'
import type { RequestedPart } from '#contract/shareLedger.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { useAmounts } from './amounts.ts'

/** What somebody used who asks for more of an account, and whose part it would be. */
export function usePartText(currency: string): (part: RequestedPart, unit: LimitUnit) => string {
  const t = useTranslate()
  const { amount } = useAmounts(currency)
  return ({ window, share, used, borrowed, reserve }, unit) => {
    const window_seconds = 'seconds' in window ? window.seconds : 0
    const values = {
      window: t(`usage.part.${window.kind}`, { window_seconds }),
      used: amount(unit, rounded(used)),
      share: amount(unit, rounded(share)),
      borrowed: amount(unit, borrowed),
    }
    const what = t(borrowed > 0 ? 'usage.part.borrowed' : 'usage.part.used', values)
    if (reserve === null) return t('usage.part.ofAll', { what })
    const { owner, is_mine } = reserve
    const left = { reserve: amount(unit, reserve.amount), left: amount(unit, rounded(reserve.left)) }
    return is_mine ? t('usage.part.ofMine', { what, ...left }) : t('usage.part.ofOwner', { what, owner, ...left })
  }
}

/** Shares are parts of asks: down to a half. */
const rounded = (amount: number): number => Math.floor(amount * 2 + 1e-6) / 2
