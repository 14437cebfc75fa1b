import { cellText } from './markdownWriter.ts'
import type { Pages } from './pages.ts'

/** Writes the rows of a sheet as a table of Markdown, whose head is the first of them. Empty rows are left out. */
export function tableOf(pages: Pick<Pages, 'write' | 'countCells'>) {
  let columns = 0
  return (row: readonly string[]): void => {
    let length = row.length
    while (length > 0 && (row[length - 1] ?? '').trim() === '') length -= 1
    if (length === 0) return
    const isHead = columns === 0
    if (isHead) columns = length
    pages.countCells(Math.max(length, columns))
    const cells = Array.from({ length: Math.max(length, columns) }, (_, at) => cellText(row[at] ?? ''))
    pages.write(`| ${cells.join(' | ')} |\n`)
    if (isHead) pages.write(`|${' --- |'.repeat(columns)}\n`)
  }
}
