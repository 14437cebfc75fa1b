import { Unreadable } from '../unreadable.ts'
import type { Archive } from './archive.ts'
import { attributeOf, type Token, tokensOf } from './markup.ts'
import { type MarkdownWriter, markdownWriter } from './markdownWriter.ts'
import type { Pages } from './pages.ts'
import { tableOf } from './table.ts'

const SKIPPED = new Set(['tracked-changes', 'annotation', 'scripts', 'font-face-decls', 'automatic-styles', 'desc'])
/** More repetitions of a cell or a row that has text are no text any more. */
const MAX_REPEATED = 10_000

/** A text, a sheet or a presentation of OpenOffice and LibreOffice. */
export async function readOpenDocument(archive: Archive, pages: Pages): Promise<void> {
  const manifest = [...(await archive.text('META-INF/manifest.xml'))].join('')
  if (manifest.includes('encryption-data')) throw new Unreadable('encrypted')
  if (!archive.has('content.xml')) throw new Unreadable('broken')
  const state: State = {
    writer: markdownWriter(pages),
    pages,
    skipped: [],
    lists: 0,
    isInText: false,
    isSheet: false,
    isInNotes: false,
    isInNote: false,
    sheet: null,
  }
  let read = 0
  for (const token of tokensOf(await archive.text('content.xml'))) {
    if (token.kind === 'text') writeText(token.text, state)
    else if (state.skipped.length > 0 || SKIPPED.has(token.name)) skip(token, state)
    else if (token.kind === 'close') closeElement(token.name, state)
    else {
      openElement(token, state)
      if (token.isEmpty) closeElement(token.name, state)
    }
    if ((read += 1) % 1_000 === 0) pages.progress({ done: read / 1_000, total: null })
  }
  state.writer.end()
}

type State = {
  writer: MarkdownWriter
  pages: Pages
  skipped: string[]
  lists: number
  /** Within a paragraph or a heading. */
  isInText: boolean
  isSheet: boolean
  isInNotes: boolean
  /** Within a footnote, which stands in its paragraph. */
  isInNote: boolean
  sheet: Sheet | null
}

type Sheet = {
  writeRow(row: readonly string[]): void
  row: string[]
  cell: string[] | null
  value: string
  repeated: { cells: number; rows: number }
}

function skip(token: Token & { kind: 'open' | 'close' }, { skipped }: State): void {
  if (token.kind === 'open' && !token.isEmpty && SKIPPED.has(token.name)) skipped.push(token.name)
  else if (token.kind === 'close' && token.name === skipped.at(-1)) skipped.pop()
}

function writeText(text: string, { isInText, skipped, sheet, writer }: State): void {
  if (!isInText || skipped.length > 0) return
  if (sheet === null) writer.text(text)
  else sheet.cell?.push(text)
}

function openElement(token: Token & { kind: 'open' }, state: State): void {
  const { writer, pages } = state
  switch (token.name) {
    case 'spreadsheet':
      state.isSheet = true
      return
    case 'page':
      return pages.next(attributeOf(token, 'name'))
    case 'soft-page-break':
      return writer.isInTable() || state.isInText || state.isSheet ? undefined : nextPage(state)
    case 'notes':
      state.isInNotes = true
      return
    case 'h':
      state.isInText = true
      return writer.begin({ kind: 'heading', level: Number(attributeOf(token, 'outline-level') ?? 1) || 1 })
    case 'p':
      if (state.isInNote) return
      state.isInText = true
      return state.sheet === null
        ? beginParagraph(state)
        : void (state.sheet.cell?.length && state.sheet.cell.push(' '))
    case 'list':
      state.lists += 1
      return
    case 'list-item':
      return state.sheet === null
        ? writer.begin({ kind: 'item', indent: Math.max(0, state.lists - 1), mark: '-' })
        : undefined
    case 's':
      return writeText(' '.repeat(Math.min(Number(attributeOf(token, 'c') ?? 1) || 1, 100)), state)
    case 'tab':
      return writeText(' ', state)
    case 'line-break':
      return state.sheet === null ? writer.lineBreak() : writeText(' ', state)
    case 'note-body':
      state.isInNote = true
      return writeText(' [', state)
    default:
      openTable(token, state)
  }
}

function beginParagraph({ isInNotes, writer }: State): void {
  writer.begin(isInNotes ? { kind: 'quote' } : undefined)
}

function nextPage({ writer, pages }: State): void {
  writer.end()
  pages.next()
}

function openTable(token: Token & { kind: 'open' }, state: State): void {
  const repeated = (name: string) => Math.min(Number(attributeOf(token, name) ?? 1) || 1, MAX_REPEATED)
  switch (token.name) {
    case 'table':
      if (!state.isSheet) return state.writer.beginTable()
      state.pages.next(attributeOf(token, 'name'))
      state.sheet = { writeRow: tableOf(state.pages), row: [], cell: null, value: '', repeated: { cells: 1, rows: 1 } }
      return
    case 'table-row':
      if (state.sheet !== null) state.sheet.repeated.rows = repeated('number-rows-repeated')
      return state.sheet === null ? state.writer.beginRow() : undefined
    case 'table-cell':
    case 'covered-table-cell':
      if (state.sheet === null) return state.writer.beginCell()
      state.sheet.cell = []
      state.sheet.value = attributeOf(token, 'date-value') ?? attributeOf(token, 'value') ?? ''
      state.sheet.repeated.cells = repeated('number-columns-repeated')
      return
    default:
  }
}

function closeElement(name: string, state: State): void {
  const { writer, sheet } = state
  switch (name) {
    case 'h':
    case 'p':
      if (state.isInNote) return
      state.isInText = false
      return sheet === null ? writer.end() : undefined
    case 'list':
      state.lists = Math.max(0, state.lists - 1)
      return
    case 'notes':
      state.isInNotes = false
      return
    case 'note-body':
      state.isInNote = false
      return writeText(']', state)
    case 'table-cell':
    case 'covered-table-cell':
      return sheet === null ? undefined : endCell(sheet)
    case 'table-row':
      return sheet === null ? writer.endRow() : endRow(sheet)
    case 'table':
      state.sheet = null
      return sheet === null ? writer.endTable() : undefined
    default:
  }
}

function endCell(sheet: Sheet): void {
  if (sheet.cell === null) return
  const text = sheet.cell.join('') || sheet.value
  for (let count = 0; count < sheet.repeated.cells; count++) sheet.row.push(text)
  sheet.cell = null
}

function endRow(sheet: Sheet): void {
  const isEmpty = sheet.row.every(cell => cell.trim() === '')
  for (let count = 0; count < (isEmpty ? 0 : sheet.repeated.rows); count++) sheet.writeRow(sheet.row)
  sheet.row = []
}
