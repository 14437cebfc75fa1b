import type { Pages } from './pages.ts'

/** Makes Markdown of the blocks of a document, as they come. */
export type MarkdownWriter = {
  /** Text of the open block; begins a paragraph where none is open. */
  text(text: string): void
  /** A line break within a block. */
  lineBreak(): void
  /** Begins a block, and ends the one before. `indent`: the level of a list item, from 0. */
  begin(block?: Block): void
  end(): void
  beginTable(): void
  beginRow(): void
  /** A cell; `span` columns wide. */
  beginCell(span?: number): void
  endRow(): void
  endTable(): void
  isInTable(): boolean
}

export type Block =
  | { kind: 'paragraph' }
  | { kind: 'heading'; level: number }
  | { kind: 'item'; indent: number; mark: string }
  | { kind: 'quote' }
  | { kind: 'code' }

type Sink = Pick<Pages, 'write' | 'countCells' | 'isEmpty'>

const MAX_HEADING = 6
const MAX_INDENT = 10
const MAX_SPAN = 100

export function markdownWriter({ write, countCells, isEmpty }: Sink): MarkdownWriter {
  let block: Block | null = null
  let text: string[] = []
  let previous: Block['kind'] | 'row' | null = null
  /** Tables within cells are text of the cell. */
  let depth = 0
  let cells: string[] = []
  let span = 1
  let isCellOpen = false
  let isFirstRow = true

  const takeText = () => {
    const taken = text.join('')
    text = []
    return taken
  }
  const end = () => {
    if (depth > 0) {
      if (isCellOpen && text.length > 0) text.push(' ')
      return
    }
    const written = block === null ? '' : markdownOf(block, takeText())
    if (written !== '' && block !== null) {
      const isTight = previous === 'item' && block.kind === 'item'
      write(`${isTight || isEmpty() ? '' : '\n'}${written}\n`)
      previous = block.kind
    }
    block = null
  }
  const endCell = () => {
    if (!isCellOpen) return
    isCellOpen = false
    cells.push(cellText(takeText()), ...Array.from({ length: span - 1 }, () => ''))
  }
  const endRow = () => {
    if (depth !== 1) return
    endCell()
    if (cells.length === 0) return
    countCells(cells.length)
    if (isFirstRow && !isEmpty()) write('\n')
    write(`| ${cells.join(' | ')} |\n`)
    if (isFirstRow) write(`|${' --- |'.repeat(cells.length)}\n`)
    isFirstRow = false
    previous = 'row'
    cells = []
  }
  return {
    text(added) {
      if (added === '' || (depth > 0 && !isCellOpen)) return
      if (depth === 0) block ??= { kind: 'paragraph' }
      text.push(added)
    },
    lineBreak: () => void (text.length > 0 && text.push(depth > 0 ? ' ' : '\n')),
    begin(next = { kind: 'paragraph' }) {
      // A paragraph that begins an item, a quotation or a heading is part of it.
      if (next.kind === 'paragraph' && block !== null && text.every(part => part.trim() === '')) return
      end()
      if (depth === 0) block = next
    },
    end,
    beginTable() {
      end()
      depth += 1
      if (depth === 1) isFirstRow = true
    },
    beginRow: () => endRow(),
    beginCell(columns = 1) {
      if (depth !== 1) return
      endCell()
      isCellOpen = true
      span = Math.min(Math.max(1, columns || 1), MAX_SPAN)
    },
    endRow,
    endTable() {
      endRow()
      if (depth === 1) previous = 'paragraph'
      depth = Math.max(0, depth - 1)
    },
    isInTable: () => depth > 0,
  }
}

function markdownOf(block: Block, text: string): string {
  if (block.kind === 'code') return text.trim() === '' ? '' : `\`\`\`\n${text.replace(/^\n+|\s+$/g, '')}\n\`\`\``
  const plain = text
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .trim()
  if (plain === '') return ''
  switch (block.kind) {
    case 'paragraph':
      return plain
    case 'heading':
      return `${'#'.repeat(Math.min(Math.max(1, block.level), MAX_HEADING))} ${plain.replaceAll('\n', ' ')}`
    case 'item':
      return `${'  '.repeat(Math.min(block.indent, MAX_INDENT))}${block.mark} ${plain.replaceAll('\n', ' ')}`
    case 'quote':
      return `> ${plain.replaceAll('\n', '\n> ')}`
  }
}

/** A text as a cell of a table. */
export function cellText(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replaceAll('|', String.raw`\|`)
}
