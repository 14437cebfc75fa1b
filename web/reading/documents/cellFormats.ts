import type { Archive } from './archive.ts'
import { attributeOf, tokensOf } from './markup.ts'

/** How a number of a sheet is to be read. */
export type CellFormat = 'number' | 'percent' | 'date' | 'time' | 'dateTime'

/** The built-in formats by their numbers; those above 163 are the file's own. */
const BUILT_IN = (id: number): CellFormat => {
  if (id === 9 || id === 10) return 'percent'
  if ((id >= 14 && id <= 17) || (id >= 27 && id <= 31) || (id >= 50 && id <= 58)) return 'date'
  if ((id >= 18 && id <= 21) || (id >= 32 && id <= 36) || (id >= 45 && id <= 47)) return 'time'
  return id === 22 ? 'dateTime' : 'number'
}

/** The format of each style of cells, in the order of the file. */
export async function cellFormats(archive: Archive): Promise<CellFormat[]> {
  const own = new Map<number, CellFormat>()
  const formats: CellFormat[] = []
  let isOfCells = false
  for (const token of tokensOf(await archive.text('xl/styles.xml'))) {
    if (token.kind === 'text') continue
    if (token.name === 'cellXfs') isOfCells = token.kind === 'open'
    if (token.kind !== 'open') continue
    const id = Number(attributeOf(token, 'numFmtId'))
    if (token.name === 'numFmt') own.set(id, formatOf(attributeOf(token, 'formatCode') ?? ''))
    else if (token.name === 'xf' && isOfCells) formats.push(own.get(id) ?? BUILT_IN(id))
  }
  return formats
}

export function formatOf(code: string): CellFormat {
  // Text in quotes, colours and conditions say nothing.
  const [plain = ''] = code.replace(/"[^"]*"|\\.|\[(?!h|m|s)[^\]]*\]|[_*]./gi, '').split(';')
  if (plain.includes('%')) return 'percent'
  const isDate = /[yd]|年|月|日/i.test(plain)
  const isTime = /[hs]/i.test(plain)
  if (isDate && isTime) return 'dateTime'
  if (isTime) return 'time'
  return isDate || /^m+$/i.test(plain) ? 'date' : 'number'
}

const DAY_MS = 86_400_000
/** The day 0 of a sheet, which took 1900 for a leap year. */
const FIRST_DAY = Date.UTC(1899, 11, 30)
/** Days: to the end of the year 9999. */
const MAX_DAY = 2_958_465

/** A number as people see it. */
export function shownValue(text: string, format: CellFormat): string {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value)) return text
  // Sums of fractions have tails of binary digits.
  const rounded = (number: number) => String(Number(number.toPrecision(12)))
  if (format === 'number') return rounded(value)
  if (format === 'percent') return `${rounded(value * 100)}%`
  if (value < 0 || value > MAX_DAY) return rounded(value)
  const moment = new Date(FIRST_DAY + Math.round((value * DAY_MS) / 1_000) * 1_000).toISOString()
  const [date = '', time = ''] = moment.slice(0, 19).split('T')
  const clock = time.replace(/:00$/, '')
  if (format === 'time') return clock
  return format === 'date' && Number.isInteger(value) ? date : `${date} ${clock}`
}
