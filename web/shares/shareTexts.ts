import { useMemo } from 'react'
import type { LimitUnit } from '#contract/plans.ts'
import type { Share, ShareWindow } from '#contract/shares.ts'
import type { Language } from '#contract/preferences.ts'
import { useMomentText } from '#web/foundation/moments.ts'
import { useModelName } from '#web/foundation/portal.ts'
import type { Parts, Translate } from '#web/i18n/dictionary.ts'
import { useLanguage, useTranslate, useTranslateAround } from '#web/i18n/useTranslate.ts'
import { moneyText, tokensText } from '#web/usage/amounts.ts'
import { ownLeft } from './bar.ts'
import { isEmpty, isOwnUsedUp } from './state.ts'

/** Down to a half, so that nobody is promised more than there is: "2½". */
export function halvesText(asks: number, language: Language): string {
  const halves = Math.floor(asks * 2 + 1e-6)
  const whole = Math.floor(halves / 2)
  if (halves % 2 === 0) return new Intl.NumberFormat(language).format(whole)
  return whole === 0 ? '½' : `${new Intl.NumberFormat(language).format(whole)}½`
}

type Unit = { unit: LimitUnit; currency: string }

/** "35", "610K", "¥4.00": where the unit is said beside it. */
function figureText(amount: number, { unit, currency }: Unit, language: Language): string {
  if (unit === 'money') return moneyText(amount, currency, language)
  return unit === 'asks' ? halvesText(amount, language) : tokensText(Math.floor(amount), language)
}

function amountText(form: 'amount' | 'short', amount: number, of: Unit, language: Language, t: Translate): string {
  const text = figureText(amount, of, language)
  if (of.unit === 'money') return text
  if (form === 'short') return t(`shares.short.${of.unit}`, { amount: text })
  if (of.unit === 'tokens') return t('shares.amount.tokens', { amount: text })
  return t('shares.amount.asks', { count: Math.floor(amount * 2 + 1e-6) / 2 })
}

/** How amounts of an account are shown to this reader. */
export function useShareAmounts(currency: string) {
  const t = useTranslate()
  const language = useLanguage()
  return useMemo(
    () => ({
      figure: (unit: LimitUnit, amount: number) => figureText(amount, { unit, currency }, language),
      /** With the unit, in short where the sentence has it already. */
      short: (unit: LimitUnit, amount: number) => amountText('short', amount, { unit, currency }, language, t),
      /** With the unit: "8 次", "8 asks". */
      full: (unit: LimitUnit, amount: number) => amountText('amount', amount, { unit, currency }, language, t),
    }),
    [t, language, currency],
  )
}

/** "5小时", "本周", and the models where it is not of all. */
export function useShareWindowText(): (window: Pick<ShareWindow, 'window' | 'models'>) => string {
  const t = useTranslate()
  const nameOf = useModelName()
  return ({ window, models }) => {
    const text =
      'seconds' in window
        ? t(`shares.window.${window.kind}`, { window_seconds: window.seconds })
        : t(`shares.window.${window.kind}`)
    return models === null
      ? text
      : t('shares.window.models', { window: text, models: models.map(nameOf).join(t('kit.comma')) })
  }
}

/**
 * The one sentence of a window: what is left of mine, what can be borrowed, and when the next of mine comes if neither
 * is. Null where one may not ask it.
 */
export function useShareSentence({ currency }: Pick<Share, 'currency'>): (window: ShareWindow) => Parts | null {
  const t = useTranslate()
  const around = useTranslateAround()
  const momentText = useMomentText()
  const amounts = useShareAmounts(currency)
  return window => {
    const { unit, mine, capacity } = window
    if (mine === null) return null
    const time = mine.next_own_at === null ? null : momentText(mine.next_own_at)
    const share = amounts.full(unit, mine.share)
    if (isEmpty(window)) return emptyParts(amounts.full(unit, capacity), time)
    const borrow = amounts.short(unit, mine.may_borrow)
    const mayBorrow = mine.may_borrow >= (unit === 'asks' ? 1 : Number.MIN_VALUE)
    if (!isOwnUsedUp(window)) {
      const left = amounts.short(unit, ownLeft(mine))
      return mayBorrow
        ? around('shares.leftBorrow', 'left', { share, left, borrow })
        : around('shares.left', 'left', { share, left })
    }
    if (!mayBorrow) return noneParts(mine.share > 0 ? share : null, time)
    if (mine.share === 0) return around('shares.noShare', 'borrow', { borrow })
    return mine.borrowed > 0
      ? around('shares.borrowed', 'borrow', { share, borrow, borrowed: amounts.short(unit, mine.borrowed) })
      : around('shares.borrow', 'borrow', { share, borrow })
  }

  function emptyParts(capacity: string, time: string | null): Parts {
    return time === null
      ? [t('shares.empty', { capacity }), '', '']
      : around('shares.emptyUntil', 'time', { capacity, time })
  }

  function noneParts(share: string | null, time: string | null): Parts {
    if (share === null) return [t('shares.noShareNone'), '', '']
    return time === null ? [t('shares.none', { share }), '', ''] : around('shares.noneUntil', 'time', { share, time })
  }
}
