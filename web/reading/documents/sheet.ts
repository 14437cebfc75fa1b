import { BOUNDS } from '../reading.ts'
import type { Archive } from './archive.ts'
import { cellFormats, type CellFormat, shownValue } from './cellFormats.ts'
import { attributeOf, type Token, tokensOf } from './markup.ts'
import type { Pages } from './pages.ts'
import { relationsOf } from './relations.ts'
import { tableOf } from './table.ts'
import { Unreadable } from '../unreadable.ts'

const WORKBOOK = 'xl/workbook.xml'

/** A workbook: a page for each sheet, as a table of the values that Excel showed last. */
export async function readSheet(archive: Archive, pages: Pages): Promise<void> {
  const relations = await relationsOf(archive, WORKBOOK)
  const sheets: { name: string; path: string }[] = []
  for (const token of tokensOf(await archive.text(WORKBOOK))) {
    if (token.kind !== 'open' || token.name !== 'sheet') continue
    const path = relations.get(attributeOf(token, 'id') ?? '')?.path
    if (path !== undefined) sheets.push({ name: attributeOf(token, 'name') ?? '', path })
  }
  if (sheets.length === 0) throw new Unreadable('broken')
  const formats = await cellFormats(archive)
  const strings = sharedStrings(await archive.text('xl/sharedStrings.xml'), pages)
  for (const [index, { name, path }] of sheets.entries()) {
    pages.next(name)
    writeSheet(await archive.text(path), { formats, strings, pages })
    pages.progress({ done: index + 1, total: sheets.length })
  }
}

function sharedStrings(chunks: Iterable<string>, pages: Pages): string[] {
  const strings: string[] = []
  let characters = 0
  let text: string[] = []
  let isInText = false
  for (const token of tokensOf(chunks)) {
    if (token.kind === 'text') {
      if (!isInText) continue
      text.push(token.text)
      characters += token.text.length
      if (characters > 2 * BOUNDS.characters) return strings
    } else if (token.name === 't') isInText = token.kind === 'open' && !token.isEmpty
    // How a word is pronounced is no part of it.
    else if (token.name === 'rPh') isInText = false
    else if (token.name === 'si' && (token.kind === 'close' || token.isEmpty)) {
      strings.push(text.join(''))
      text = []
      if (strings.length % 1_000 === 0) pages.progress({ done: strings.length / 1_000, total: null })
    }
  }
  return strings
}

type SheetContext = { formats: readonly CellFormat[]; strings: readonly string[]; pages: Pages }
type Cell = { column: number; type: string; format: CellFormat; value: string[] }

/** Columns of a sheet. */
const MAX_COLUMNS = 16_384

function writeSheet(chunks: Iterable<string>, { formats, strings, pages }: SheetContext): void {
  const writeRow = tableOf(pages)
  let row: string[] = []
  let cell: Cell | null = null
  let isInValue = false
  let rows = 0
  for (const token of tokensOf(chunks)) {
    if (token.kind === 'text') {
      if (isInValue) cell?.value.push(token.text)
      continue
    }
    const isOpen = token.kind === 'open'
    if (token.name === 'v' || token.name === 't') isInValue = isOpen && !token.isEmpty
    else if (token.name === 'c' && isOpen) cell = token.isEmpty ? null : cellOf(token, row.length, formats)
    else if (token.name === 'c' && cell !== null) {
      // What is between two cells is empty.
      while (row.length < cell.column) row.push('')
      row[cell.column] = textOf(cell, strings)
      cell = null
    } else if (token.name === 'row') {
      if (!isOpen) writeRow(row)
      row = []
      if ((rows += 1) % 100 === 0) pages.progress({ done: rows / 100, total: null })
    } else if (token.name === 'sheetData' && !isOpen) return
  }
  writeRow(row)
}

function cellOf(token: Token & { kind: 'open' }, next: number, formats: readonly CellFormat[]): Cell {
  const reference = attributeOf(token, 'r')
  return {
    column: Math.min(reference === undefined ? next : columnOf(reference), MAX_COLUMNS - 1),
    type: attributeOf(token, 't') ?? 'n',
    format: formats[Number(attributeOf(token, 's') ?? 0)] ?? 'number',
    value: [],
  }
}

/** 27 for AB12. */
function columnOf(reference: string): number {
  let column = 0
  for (const letter of /^[A-Z]{1,3}/i.exec(reference)?.[0].toUpperCase() ?? 'A')
    column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}

function textOf({ type, format, value }: Cell, strings: readonly string[]): string {
  const text = value.join('')
  switch (type) {
    case 's':
      return strings[Number(text)] ?? ''
    case 'b':
      return text === '1' ? 'TRUE' : 'FALSE'
    case 'n':
      return shownValue(text, format)
    default:
      return text
  }
}
