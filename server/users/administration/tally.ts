import { type BulkReason, type BulkResult, type BulkRow, MAX_ROWS } from '#contract/bulk.ts'

/** The result of a bulk change; people who were not changed come first. */
export function resultOf(rows: readonly BulkRow[]): BulkResult {
  const unchanged: BulkResult['unchanged'] = {}
  for (const { reason } of rows) if (reason !== null) unchanged[reason] = (unchanged[reason] ?? 0) + 1
  const ofUnchanged = rows.filter(({ reason }) => reason !== null)
  const ofChanged = rows.filter(({ reason }) => reason === null)
  return {
    total: rows.length,
    changed: ofChanged.length,
    unchanged,
    rows: [...ofUnchanged, ...ofChanged].slice(0, MAX_ROWS),
  }
}

/** The progress of a bulk job, from which it continues: `after` is the id of the last person it dealt with. */
export type Tally = {
  after: number
  changed: number
  unchanged: Partial<Record<BulkReason, number>>
  /** People who were not changed, as many as a job may store. */
  rows: BulkRow[]
}

export const EMPTY: Tally = { after: 0, changed: 0, unchanged: {}, rows: [] }

/** Characters of JSON; a job may store 10,000 in all. */
const MAX_KEPT = 8_000

/** A tally with one more person. */
export function counted(tally: Tally, row: BulkRow): Tally {
  const { id, reason } = row
  if (reason === null) return { ...tally, after: id, changed: tally.changed + 1 }
  const rows = [...tally.rows, row]
  return {
    ...tally,
    after: id,
    unchanged: { ...tally.unchanged, [reason]: (tally.unchanged[reason] ?? 0) + 1 },
    rows: JSON.stringify(rows).length <= MAX_KEPT ? rows : tally.rows,
  }
}

export function resultOfTally({ changed, unchanged, rows }: Tally): BulkResult {
  const total = changed + Object.values(unchanged).reduce((sum, count) => sum + count, 0)
  return { total, changed, unchanged, rows }
}
