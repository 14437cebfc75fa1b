import type { ModelChoice } from '#contract/models.ts'
import type { Language } from '#contract/preferences.ts'

/** What a model costs; undefined where nobody knows. */
export type Price = ModelChoice['price']

const MILLION = 1_000_000
/** Of the currency; less is not worth a number. */
const LEAST = 0.01

/** What so many tokens cost to send, as people say it: ¥0.02, <¥0.01. Null where nobody knows, or nothing is paid. */
export function costText(tokens: number | null, price: Price, language: Language): string | null {
  if (tokens === null || tokens === 0 || price === undefined || price.input === 0) return null
  const cost = (tokens * price.input) / MILLION
  const { currency } = price
  const format = new Intl.NumberFormat(language, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
  return cost < LEAST ? `<${format.format(LEAST)}` : format.format(cost)
}
