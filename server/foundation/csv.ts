/** `plain` is text that a spreadsheet is to read as what it looks like, such as a time. */
export type Cell = string | number | boolean | null | { plain: string }

/**
 * What a spreadsheet of any country may take for the end of a cell: it goes by its own list separator, and then a quote
 * amidst of what it takes for a cell protects nothing.
 */
const SEPARATORS = ',;|\t\r\n'
const NEEDS_QUOTES = new RegExp(`["${SEPARATORS}]`)

/** Where a cell may begin, and with what makes it a formula, behind what is not seen or not counted before it. */
const FORMULA = new RegExp(
  `(^|[${SEPARATORS}])(?=(?:[^\\S\t\r\n]|[\\p{Cf}"'\u00b4\u2018\u2019])*[=+\\-@＝＋－＠])`,
  'gu',
)
const BLANK_FORMULA = /^[\t\r\n]/

/** Months by their names, in the languages whose spreadsheets read dates with them. */
const MONTHS = ['en', 'ms', 'id', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'tr', 'pl', 'vi'].flatMap(language =>
  (['short', 'long'] as const).flatMap(month =>
    Array.from({ length: 12 }, (_, at) =>
      new Intl.DateTimeFormat(language, { month }).format(new Date(2026, at, 15)).replace(/\.$/, ''),
    ),
  ),
)
const WORDS = [...MONTHS, 'sept', 'e', 'am', 'pm', 'a', 'p', '上午', '下午', '[年月日号號时時分秒년월일시분초]']
/** Digits with marks, letters of numbers and of dates: 00123, 1E5, 1-2, 50%, $5, 3. Mac, 2月3日. */
const LIKE_NUMBER = new RegExp(
  `^(?=.*\\p{Nd})(?:[\\p{Nd}\\p{P}\\p{S}\\s]|(?<!\\p{L})(?:${WORDS.join('|')})(?!\\p{L}))+$`,
  'isu',
)
const LIKE_TRUTH = /^\s*(?:true|false|wahr|falsch|vrai|faux|verdadero|falso|benar|palsu)\s*$/i

/**
 * One line of RFC 4180. Text stays the text that it is, also where a spreadsheet would take it for a formula, a number
 * or a date: an apostrophe stands before it.
 */
export const csvRow = (cells: readonly Cell[]): string => `${cells.map(csvCell).join(',')}\r\n`

function csvCell(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'object') return cell.plain
  if (typeof cell !== 'string') return String(cell)
  const harmless = cell.replace(FORMULA, "$1'")
  const isRead = BLANK_FORMULA.test(cell) || (harmless === cell && (LIKE_NUMBER.test(cell) || LIKE_TRUTH.test(cell)))
  const text = isRead ? `'${harmless}` : harmless
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
