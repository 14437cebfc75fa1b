/** The smallest value that `share` of all values do not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
}

export const median = (values: readonly number[]) => quantile(values, 0.5)

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

/**
 * The order of a round. Each is first in turn, then the order is reversed, because what is measured is slowed by what
 * ran before it.
 */
export function rotated<Each>(all: readonly Each[], round: number): Each[] {
  const first = round % all.length
  const order = Math.floor(round / all.length) % 2 === 0 ? all : all.toReversed()
  return [...order.slice(first), ...order.slice(0, first)]
}

/** Rounded to three significant digits. */
export function threeDigits(value: number): string {
  if (!Number.isFinite(value)) return '-'
  if (value !== 0 && Math.abs(value) < 0.01) return value.toPrecision(1)
  if (value >= 1_000) return String(Math.round(value))
  if (value >= 100) return value.toFixed(0)
  return value >= 10 ? value.toFixed(1) : value.toFixed(2)
}

export const megabytes = (bytes: number) => `${threeDigits(bytes / 1_048_576)} MB`
export const kilobytes = (bytes: number) => `${threeDigits(bytes / 1_024)} KB`

/** Prints rows under headings, the columns as wide as their widest cell. */
export function printTable(title: string, headings: string[], rows: string[][]) {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map(row => (row[column] ?? '').length)),
  )
  const line = (cells: string[]) =>
    cells
      .map((cell, column) => {
        const width = widths[column] ?? 0
        return column === 0 ? cell.padEnd(width) : cell.padStart(width)
      })
      .join('  ')
  console.log(`\n${title}\n  ${line(headings)}`)
  for (const row of rows) console.log(`  ${line(row)}`)
}

/** Prints a measured value beside its goal. */
export function printGoal(
  what: string,
  value: number,
  wanted: number,
  direction: 'at most' | 'at least' = 'at most',
  unit = '',
) {
  const reached = direction === 'at most' ? value <= wanted : value >= wanted
  const verdict = Number.isFinite(value) ? (reached ? 'reached' : 'NOT REACHED') : 'not measured'
  console.log(`    ${verdict.padEnd(12)} ${what}: ${threeDigits(value)}${unit} (wanted ${direction} ${wanted}${unit})`)
}
