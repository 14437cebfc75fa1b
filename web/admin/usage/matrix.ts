import type { UsageTable, Used } from '#contract/usage.ts'
import { groupBy } from '#web/usage/calendar.ts'

/** What a person used, by column; of those who are gone both are null. */
export type MatrixRow = {
  user_id: number | null
  nickname: string | null
  cells: ReadonlyMap<string, Used>
  sum: Used
}

type Matrix = {
  /** A source and a model each. */
  columns: readonly string[]
  rows: readonly MatrixRow[]
  /** People who are on no row, together; null when there are none. */
  others: (Pick<MatrixRow, 'cells' | 'sum'> & { people: number }) | null
  sum: Pick<MatrixRow, 'cells' | 'sum'>
}

const NOTHING: Used = {
  asks: 0,
  input_tokens: 0,
  cached_tokens: 0,
  output_tokens: 0,
  tokens: 0,
  money: 0,
  seconds: 0,
  estimated: false,
}

const columnOf = ({ source, model }: { source: string; model: string }): string => `${source} ${model}`

/** Person by model, whichever accounts answered. */
export function matrixOf({ rows, models, sum, total }: UsageTable): Matrix {
  const byPerson = [...groupBy(rows, ({ user_id }) => user_id)]
  const people = byPerson.map(([user_id, own]) => ({
    user_id,
    nickname: own[0]?.nickname ?? null,
    cells: cellsOf(own),
    sum: added(own),
  }))
  const all = cellsOf(models)
  const shown = cellsOf(rows)
  const hidden = total - people.length
  return {
    columns: models.map(columnOf),
    rows: people,
    others:
      hidden <= 0
        ? null
        : {
            people: hidden,
            cells: new Map([...all].map(([column, used]) => [column, less(used, shown.get(column) ?? NOTHING)])),
            sum: less(sum, added(rows)),
          },
    sum: { cells: all, sum },
  }
}

const cellsOf = (rows: readonly (Used & { source: string; model: string })[]): Map<string, Used> =>
  new Map([...groupBy(rows, columnOf)].map(([column, of]) => [column, added(of)]))

const added = (rows: readonly Used[]): Used => rows.reduce((sum, row) => combined(sum, row, 1), NOTHING)
const less = (used: Used, by: Used): Used => combined(used, by, -1)

const combined = (a: Used, b: Used, sign: 1 | -1): Used => ({
  asks: a.asks + sign * b.asks,
  input_tokens: a.input_tokens + sign * b.input_tokens,
  cached_tokens: a.cached_tokens + sign * b.cached_tokens,
  output_tokens: a.output_tokens + sign * b.output_tokens,
  tokens: a.tokens + sign * b.tokens,
  // Whole millionths again: sums of fractions drift.
  money: Math.round((a.money + sign * b.money) * 1_000_000) / 1_000_000,
  seconds: a.seconds + sign * b.seconds,
  estimated: a.estimated || b.estimated,
})
