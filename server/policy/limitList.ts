import {
  limitText,
  type LimitUnit,
  type LimitWindow,
  MILLIONTHS,
  type PlanLimit,
  type ValueOrigin,
} from '#contract/plans.ts'
import { type RateLimit, UNLIMITED } from '#contract/limits.ts'
import type { Source } from '#contract/models.ts'
import type { OwnLimit, StoredLimit } from '#server/foundation/database/schema/plans.ts'

/** A limit in force, and whose it is. */
export type PolicyLimit = {
  source: Source
  unit: LimitUnit
  /** Asks, tokens, or millionths of the portal's currency; -1 lifts an inherited limit. */
  amount: number
  window: LimitWindow
  /** Null: all models together. */
  models: readonly string[] | null
  origin: ValueOrigin
  /** Epoch milliseconds; after it the limit is inherited again. Null: no end. */
  until: number | null
}

type Identity = Pick<PolicyLimit, 'source' | 'unit' | 'window' | 'models'>

/** What makes two limits the same: source, unit, window and models, in whatever order. */
export const limitKey = ({ models, ...limit }: Identity): string =>
  limitText({ ...limit, models: models === null ? null : [...models] })

/** Limit by limit: those of `near`, and those of `far` that `near` has not. */
export function mergeLimits<Limit extends Identity>(near: readonly Limit[], far: readonly Limit[]): Limit[] {
  const keys = new Set(near.map(limitKey))
  return [...near, ...far.filter(limit => !keys.has(limitKey(limit)))]
}

export const withOrigin = (limit: StoredLimit | OwnLimit, origin: ValueOrigin): PolicyLimit => ({
  until: null,
  ...limit,
  origin,
})

/** The three forms that the specification has as fields of their own: all else is of `limits`. */
export type OlderForm = 'total' | 'model' | 'rate'

export function olderForm({ unit, window, models }: Identity): OlderForm | null {
  if (unit !== 'asks') return null
  if (window.kind === 'rolling') return models === null ? 'rate' : null
  if (window.kind !== 'ever') return null
  if (models === null) return 'total'
  return models.length === 1 ? 'model' : null
}

/** The fields of the specification that a list comes to. */
export function olderFields(limits: readonly PolicyLimit[]) {
  const of = (form: OlderForm) => limits.filter(limit => olderForm(limit) === form)
  return {
    total_ask_allowed: of('total')[0]?.amount ?? UNLIMITED,
    rate_limits: of('rate').flatMap(rateOf),
    per_model_ask_allowed: new Map(
      of('model').flatMap(({ models, amount }) => (models ?? []).map(model => [model, amount] as const)),
    ),
  }
}

const rateOf = ({ amount, window }: PolicyLimit): RateLimit[] =>
  amount < 0 || !('seconds' in window) ? [] : [{ window_seconds: window.seconds, max_requests: amount }]

const asks = { unit: 'asks' } as const
export const totalLimit = (source: Source, amount: number): StoredLimit => ({
  ...asks,
  source,
  amount,
  window: { kind: 'ever' },
  models: null,
})
export const modelLimit = (source: Source, model: string, amount: number): StoredLimit => ({
  ...totalLimit(source, amount),
  models: [model],
})
export const rateLimit = (source: Source, { window_seconds, max_requests }: RateLimit): StoredLimit => ({
  ...asks,
  source,
  amount: max_requests,
  window: { kind: 'rolling', seconds: window_seconds },
  models: null,
})

/** Of rates within the same time the strictest: it alone is felt, and a list has each limit once. */
export const strictest = (rates: readonly RateLimit[]): RateLimit[] => {
  const least = new Map<number, RateLimit>()
  for (const rate of rates)
    if (rate.max_requests < (least.get(rate.window_seconds)?.max_requests ?? Infinity))
      least.set(rate.window_seconds, rate)
  return [...least.values()]
}

/** As it is stored: money in millionths, models in order and each once. */
export const storedLimit = ({ source, unit, amount, window, models }: PlanLimit): StoredLimit => ({
  source,
  unit,
  amount: unit === 'money' && amount > 0 ? Math.round(amount * MILLIONTHS) : amount,
  window,
  models: models === null ? null : [...new Set(models)].toSorted(),
})

/** As it is sent. */
export const sentLimit = ({
  source,
  unit,
  amount,
  window,
  models,
}: Omit<PolicyLimit, 'origin' | 'until'>): PlanLimit => ({
  source,
  unit,
  amount: unit === 'money' && amount > 0 ? amount / MILLIONTHS : amount,
  window,
  models: models === null ? null : [...models],
})
