import type { Archive } from './archive.ts'
import { attributeOf, type Token, tokensOf } from './markup.ts'
import { type Block, type MarkdownWriter, markdownWriter } from './markdownWriter.ts'
import type { Pages } from './pages.ts'
import { readNumbering, readStyles, type WordLists } from './wordStyles.ts'

/** Changes that were taken back, and what repeats the text in another form. */
const SKIPPED = new Set(['del', 'moveFrom', 'Fallback', 'instrText', 'docPr', 'sdtPr'])
const NOTES = ['footnote', 'endnote'] as const

/** A Word document: its pages as Word laid them out last, headings, lists, tables and notes. */
export async function readWord(archive: Archive, pages: Pages): Promise<void> {
  const path = archive.names.find(name => /^word\/document\d*\.xml$/.test(name)) ?? 'word/document.xml'
  const [styles, lists] = [await readStyles(archive), await readNumbering(archive)]
  pages.next()
  writeWord(await archive.text(path), { pages, headings: styles, lists })
  for (const note of NOTES) {
    const chunks = await archive.text(`word/${note}s.xml`)
    writeNotes(chunks, note, pages)
  }
}

type WordContext = { pages: Pages; headings: ReadonlyMap<string, number>; lists: WordLists }
type WordState = {
  skipped: number
  block: Block
  isInText: boolean
  /** The last break was the author's own, which Word notes once more where it lays the page out. */
  wasBroken: boolean
  numbered: NumberedItem | null
  /** How many items each level of a list has had, by the list's id. */
  counts: Map<string, number[]>
}
type NumberedItem = { id: string | null; level: number }

function writeWord(chunks: Iterable<string>, context: WordContext): void {
  const writer = markdownWriter(context.pages)
  const state: WordState = {
    skipped: 0,
    block: { kind: 'paragraph' },
    isInText: false,
    wasBroken: false,
    numbered: null,
    counts: new Map(),
  }
  let paragraphs = 0
  for (const token of tokensOf(chunks)) {
    if (token.kind === 'text') {
      if (!state.isInText || state.skipped > 0) continue
      writer.text(token.text)
      if (token.text.trim() !== '') state.wasBroken = false
    } else if (SKIPPED.has(token.name)) {
      if (token.kind === 'close') state.skipped = Math.max(0, state.skipped - 1)
      else if (!token.isEmpty) state.skipped += 1
    } else if (state.skipped > 0) continue
    else if (token.kind === 'open') openElement(token, { state, writer, context })
    else closeElement(token.name, { state, writer, context })
    if (token.kind === 'close' && token.name === 'p' && (paragraphs += 1) % 100 === 0)
      context.pages.progress({ done: paragraphs / 100, total: null })
  }
  writer.end()
}

type Reading = { state: WordState; writer: MarkdownWriter; context: WordContext }

function openElement(token: Token & { kind: 'open' }, { state, writer, context }: Reading): void {
  const value = () => attributeOf(token, 'val') ?? ''
  switch (token.name) {
    case 'p':
      state.numbered = null
      return writer.begin()
    case 'pStyle': {
      const level = context.headings.get(value())
      return level === undefined ? undefined : writer.begin({ kind: 'heading', level })
    }
    case 'outlineLvl':
      return Number(value()) < 6 ? writer.begin({ kind: 'heading', level: Number(value()) + 1 }) : undefined
    case 'numPr':
      state.numbered = { id: null, level: 0 }
      return
    case 'ilvl':
      if (state.numbered !== null) state.numbered.level = Number(value()) || 0
      return
    case 'numId':
      if (state.numbered !== null && value() !== '0') state.numbered.id = value()
      return
    case 't':
      state.isInText = !token.isEmpty
      return
    case 'tab':
    case 'ptab':
      return writer.text(' ')
    case 'noBreakHyphen':
      return writer.text('-')
    case 'cr':
      return writer.lineBreak()
    case 'br':
      return attributeOf(token, 'type') === 'page' ? breakPage(true, { state, writer, context }) : writer.lineBreak()
    case 'lastRenderedPageBreak':
      return breakPage(false, { state, writer, context })
    case 'footnoteReference':
    case 'endnoteReference':
      return writer.text(`[^${token.name.startsWith('e') ? 'e' : ''}${attributeOf(token, 'id') ?? ''}]`)
    case 'tbl':
      return writer.beginTable()
    case 'tr':
      return writer.beginRow()
    case 'tc':
      return writer.beginCell()
    default:
  }
}

function closeElement(name: string, { state, writer, context }: Reading): void {
  switch (name) {
    case 'numPr':
      if (state.numbered?.id == null || writer.isInTable()) return
      return writer.begin({ kind: 'item', indent: state.numbered.level, mark: markOf(state, context.lists) })
    case 't':
      state.isInText = false
      return
    case 'p':
      return writer.end()
    case 'tr':
      return writer.endRow()
    case 'tbl':
      return writer.endTable()
    default:
  }
}

function markOf({ numbered, counts }: WordState, lists: WordLists): string {
  const { id, level } = numbered ?? { id: null, level: 0 }
  if (id === null || lists.get(id)?.[level] !== true) return '-'
  // A further item begins the levels below it anew.
  const ofList = (counts.get(id) ?? []).slice(0, level + 1)
  ofList[level] = (ofList[level] ?? 0) + 1
  counts.set(id, ofList)
  return `${ofList[level]}.`
}

function breakPage(isManual: boolean, { state, writer, context }: Reading): void {
  // A table that goes on stays whole.
  if (writer.isInTable() || (!isManual && state.wasBroken)) return
  writer.end()
  context.pages.next()
  state.wasBroken = isManual
}

function writeNotes(chunks: Iterable<string>, note: (typeof NOTES)[number], pages: Pages): void {
  let text: string[] | null = null
  let id = ''
  let isInText = false
  for (const token of tokensOf(chunks)) {
    if (token.kind === 'text') {
      if (isInText) text?.push(token.text)
    } else if (token.name === 't') isInText = token.kind === 'open' && !token.isEmpty
    else if (token.name !== note) continue
    else if (token.kind === 'open') {
      // The lines between text and notes are notes too.
      text = attributeOf(token, 'type') === undefined ? [] : null
      id = attributeOf(token, 'id') ?? ''
    } else if (text !== null) {
      const written = text.join('').replace(/\s+/g, ' ').trim()
      if (written !== '') pages.write(`\n[^${note === 'endnote' ? 'e' : ''}${id}]: ${written}\n`)
      text = null
    }
  }
}
