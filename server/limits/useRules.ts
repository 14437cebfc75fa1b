import type { LimitUnit } from '#contract/plans.ts'
import type { RefusalKey, RefusalValues } from '#contract/refusals.ts'
import { fromMillionths } from '#contract/prices.ts'
import type { LimitUse } from './limitUse.ts'

/** What the rules of listed limits look at. */
export type UseFacts = {
  now: number
  model: string
  /** The limits that hold for the model, with what is left for what the ask may use at most; none for most people. */
  limit_use: readonly LimitUse[]
  /** Whether anybody knows what the model costs; only asked for where money is limited. */
  has_price: boolean
  currency: string
}

type Refused = { key: RefusalKey; values?: RefusalValues; opens_at: number | null }

/** Of several full limits the refusal names the one that stays full longest. */
const reached =
  (unit: LimitUnit, key: RefusalKey) =>
  ({ limit_use, now, currency }: UseFacts): Refused | null => {
    const full = limit_use
      .filter(({ limit, opens_at }) => limit.unit === unit && (opens_at === null || opens_at > now))
      .toSorted(
        (one, other) =>
          Number(one.held ?? false) - Number(other.held ?? false) ||
          (other.opens_at ?? Infinity) - (one.opens_at ?? Infinity),
      )[0]
    if (full === undefined) return null
    const { amount, window } = full.limit
    return {
      key,
      values: {
        unit,
        amount: unit === 'money' ? fromMillionths(amount) : amount,
        window: window.kind,
        ...('seconds' in window && { seconds: window.seconds }),
        ...(unit === 'money' && { currency }),
        ...(full.key_id !== null && { of_key: true }),
        ...(full.held === true && { held: true }),
      },
      opens_at: full.opens_at,
    }
  }

export const limitReached = reached('asks', 'limitReached')
export const tokensReached = reached('tokens', 'tokensReached')
export const budgetReached = reached('money', 'budgetReached')

/** A model without a price is not free. */
export const modelHasNoPrice = ({ limit_use, has_price, model }: UseFacts): Refused | null =>
  !has_price && limit_use.some(({ limit }) => limit.unit === 'money')
    ? { key: 'modelHasNoPrice', values: { model }, opens_at: null }
    : null
