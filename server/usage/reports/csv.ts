import type { MyUsage, UsageLine, UsageTable } from '#contract/usage.ts'
import { type Cell, csvRow } from '#server/foundation/csv.ts'
import { wallTimeOf } from '#server/foundation/clock.ts'

/** What the first line names: times are those of the zone, money is of the currency. */
type Head = { time_zone: string; currency: string }

/** Rows of one query. */
const AT_ONCE = 2_000

const AMOUNTS = ['asks', 'input_tokens', 'cached_tokens', 'output_tokens', 'tokens', 'money'] as const
const USED = [...AMOUNTS, 'seconds', 'estimated'] as const
const DAYS = ['day', 'source', 'model', ...USED] as const
const TABLE = ['user_id', 'nickname', 'source', 'model', 'upstream_id', 'upstream_label', ...USED] as const
const LINES = [
  'time',
  'ask_time',
  'reason',
  'source',
  'model',
  'upstream_label',
  ...AMOUNTS,
  'estimated',
  'ask_id',
] as const

const headOf = (columns: readonly string[], { time_zone, currency }: Head): string =>
  csvRow(
    columns.map(column =>
      column === 'money'
        ? `money (${currency})`
        : column === 'day' || column.endsWith('time')
          ? `${column} (${time_zone})`
          : column,
    ),
  )

export function* dayLines(rows: MyUsage['rows'], head: Head): Generator<string> {
  yield headOf(DAYS, head)
  for (const row of rows)
    yield csvRow(DAYS.map(column => (column === 'day' ? { plain: row.day } : cellOf(row[column]))))
}

export function* tableLines(rows: UsageTable['rows'], head: Head): Generator<string> {
  yield headOf(TABLE, head)
  for (const row of rows) yield csvRow(TABLE.map(column => cellOf(row[column])))
}

/** Read a part at a time, each when the one before has been sent. */
export async function* ledgerLines(
  page: (limit: number, offset: number) => Promise<UsageLine[]>,
  head: Head,
): AsyncGenerator<string> {
  yield headOf(LINES, head)
  for (let offset = 0; ; offset += AT_ONCE) {
    const rows = await page(AT_ONCE, offset)
    yield rows
      .map(row =>
        csvRow(
          LINES.map(column =>
            column === 'time' || column === 'ask_time'
              ? { plain: wallTimeOf(Date.parse(row[column]), head.time_zone) }
              : cellOf(row[column]),
          ),
        ),
      )
      .join('')
    if (rows.length < AT_ONCE) return
  }
}

/** No number with an exponent: 0.000001, not 1e-6. */
const cellOf = (value: string | number | boolean | null): Cell =>
  typeof value === 'number' && !Number.isInteger(value) ? { plain: value.toFixed(6).replace(/0+$/, '') } : value
