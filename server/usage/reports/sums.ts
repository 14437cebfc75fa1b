import { MILLIONTHS } from '#contract/plans.ts'
import { CHARGED_WHOLE } from '#contract/quietAsks.ts'
import type { Used } from '#contract/usage.ts'
import type { UsedRow } from './store.ts'

type Summed = Omit<UsedRow, 'user_id' | 'source' | 'upstream_id' | 'model'>

const NOTHING: Summed = {
  asks: 0,
  uncharged_asks: 0,
  input_tokens: 0,
  cached_tokens: 0,
  output_tokens: 0,
  estimated_asks: 0,
  cost: 0,
  ask_time_ms: 0,
}
const FIELDS = Object.keys(NOTHING) as (keyof Summed)[] // keys of a literal

export const sumOf = (rows: readonly Summed[]): Summed =>
  rows.reduce<Summed>(
    (sum, row) => Object.fromEntries(FIELDS.map(field => [field, sum[field] + row[field]])) as Summed, // each field
    NOTHING,
  )

/** Sums of the rows that have the same key, in the order of their first. */
export function sumsBy<Row extends Summed>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
): { row: Row; sum: Summed }[] {
  const sums = new Map<string, { row: Row; sum: Summed }>()
  for (const row of rows) {
    const key = keyOf(row)
    const known = sums.get(key)
    if (known === undefined) sums.set(key, { row, sum: pick(row) })
    else for (const field of FIELDS) known.sum[field] += row[field]
  }
  return [...sums.values()]
}

const pick = (row: Summed): Summed => Object.fromEntries(FIELDS.map(field => [field, row[field]])) as Summed // each field

/** As they are paid: some of them half. */
export const paidAsks = ({ asks, uncharged_asks }: Pick<Summed, 'asks' | 'uncharged_asks'>): number =>
  asks - uncharged_asks / CHARGED_WHOLE

/** As it is sent. */
export const usedOf = ({
  asks,
  uncharged_asks,
  input_tokens,
  cached_tokens,
  output_tokens,
  estimated_asks,
  cost,
  ask_time_ms,
}: Summed): Used => ({
  asks: paidAsks({ asks, uncharged_asks }),
  input_tokens,
  cached_tokens,
  output_tokens,
  tokens: input_tokens + output_tokens,
  money: cost / MILLIONTHS,
  seconds: Math.round(ask_time_ms) / 1000,
  estimated: estimated_asks > 0,
})
