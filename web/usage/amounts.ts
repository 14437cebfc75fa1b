import { useMemo } from 'react'
import type { LimitUnit } from '#contract/plans.ts'
import type { LimitUse } from '#contract/usage.ts'
import { useModelName } from '#web/foundation/portal.ts'
import { countText } from '#web/i18n/fill.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import type { Language } from '#contract/preferences.ts'
import type { Translate } from '#web/i18n/dictionary.ts'

/** Money to the hundredth, and what is less with the digits that it has: "$0.0004". */
export function moneyText(money: number, currency: string, language: Language): string {
  const digits = money !== 0 && Math.abs(money) < 0.1 ? 6 : 2
  return new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    minimumFractionDigits: 2,
    maximumFractionDigits: digits,
  }).format(money)
}

/** Many tokens in short: "61万", "610K". */
export const tokensText = (tokens: number, language: Language): string =>
  new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 }).format(tokens)

/** An amount with its unit: "12 次", "$4.00". */
export function amountText(
  { unit, amount }: { unit: LimitUnit; amount: number },
  { currency, language, t }: { currency: string; language: Language; t: Translate },
): string {
  if (unit === 'money') return moneyText(amount, currency, language)
  if (unit === 'asks') return t('usage.amount.asks', { count: amount })
  return t('usage.amount.tokens', { tokens: amount < 10_000 ? amount : tokensText(amount, language) })
}

/** How amounts are shown to this reader. */
export function useAmounts(currency: string) {
  const t = useTranslate()
  const language = useLanguage()
  return useMemo(
    () => ({
      amount: (unit: LimitUnit, amount: number) => amountText({ unit, amount }, { currency, language, t }),
      /** Only how many: "35½". */
      asks: (asks: number) => countText(asks, language),
      money: (money: number) => moneyText(money, currency, language),
      tokens: (tokens: number, estimated = false) =>
        estimated ? t('usage.estimated', { tokens: tokensText(tokens, language) }) : tokensText(tokens, language),
    }),
    [currency, language, t],
  )
}

/** "每月", "5小时，从第一次问算": the time that a limit is of, and the models where it is not of all. */
export function windowText(
  { window, models }: Pick<LimitUse, 'window' | 'models'>,
  t: Translate,
  nameOf: (code: string) => string,
) {
  const text =
    'seconds' in window
      ? t(`usage.window.${window.kind}`, { window_seconds: window.seconds })
      : t(`usage.window.${window.kind}`)
  return models === null
    ? text
    : t('usage.limit.ofModels', { window: text, models: models.map(nameOf).join(t('kit.comma')) })
}

export function useWindowText(): (limit: Pick<LimitUse, 'window' | 'models'>) => string {
  const t = useTranslate()
  const nameOf = useModelName()
  return limit => windowText(limit, t, nameOf)
}
