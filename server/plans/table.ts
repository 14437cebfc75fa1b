/** A row of a table, and the line of the text on which it begins, from 1. */
export type TableRow = { line: number; cells: string[] }

const HEADINGS = /^(?:name|nickname|姓名|名字|名称|昵称|nama)$/i

/**
 * Reads rows as spreadsheets write them: separated by comma, semicolon or tab, whichever the first line has most of; in
 * quotation marks where a cell has one of them. Empty lines are left out, and so is a first line of column names.
 */
export function readTable(text: string): TableRow[] {
  const whole = text.replace(/^\u{FEFF}/u, '')
  const rows = cellsOf(whole, separatorOf(whole)).filter(({ cells }) => cells.some(cell => cell !== ''))
  return HEADINGS.test(rows[0]?.cells[0] ?? '') ? rows.slice(1) : rows
}

function separatorOf(text: string): string {
  const first = text.slice(0, text.search(/[\r\n]|$/))
  const count = (separator: string) => first.split(separator).length
  return [',', ';', '\t'].reduce((best, each) => (count(each) > count(best) ? each : best))
}

function cellsOf(text: string, separator: string): TableRow[] {
  const rows: TableRow[] = []
  let row: TableRow = { line: 1, cells: [] }
  let [cell, isQuoted, line] = ['', false, 1]
  const endCell = (): void => {
    row.cells.push(cell.trim())
    cell = ''
  }
  const endRow = (): void => {
    endCell()
    rows.push(row)
    row = { line, cells: [] }
  }
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at)
    if (sign === '\n') line += 1
    if (isQuoted) {
      if (sign !== '"') cell += sign
      else if (text.charAt(at + 1) === '"') cell += text.charAt(++at)
      else isQuoted = false
    } else if (sign === '"' && cell.trim() === '') [isQuoted, cell] = [true, '']
    else if (sign === separator) endCell()
    else if (sign === '\n') endRow()
    else if (sign !== '\r') cell += sign
  }
  if (cell !== '' || row.cells.length > 0) endRow()
  return rows
}
