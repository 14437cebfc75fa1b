import { Unreadable } from '../unreadable.ts'
import type { Archive } from './archive.ts'
import { attributeOf, tokensOf } from './markup.ts'
import { markdownWriter } from './markdownWriter.ts'
import type { Pages } from './pages.ts'
import { relationsOf } from './relations.ts'

const PRESENTATION = 'ppt/presentation.xml'
/** Shapes that repeat on each slide what is none of its text. */
const REPEATED = new Set(['dt', 'sldNum', 'ftr', 'hdr', 'sldImg'])

/** A presentation: a page for each slide in their order, with what the speaker is to say as a quotation. */
export async function readSlides(archive: Archive, pages: Pages): Promise<void> {
  const relations = await relationsOf(archive, PRESENTATION)
  const slides: string[] = []
  for (const token of tokensOf(await archive.text(PRESENTATION))) {
    if (token.kind !== 'open' || token.name !== 'sldId') continue
    // `id` of the slide itself and of its relation differ only in their namespaces.
    const id = /[:\w]*:id\s*=\s*["']([^"']+)/.exec(token.attributes)?.[1] ?? ''
    const path = relations.get(id)?.path
    if (path !== undefined) slides.push(path)
  }
  if (slides.length === 0) throw new Unreadable('broken')
  for (const [index, path] of slides.entries()) {
    pages.next()
    writeShapes(await archive.text(path), pages, false)
    const notes = [...(await relationsOf(archive, path)).values()].find(({ type }) => type === 'notesSlide')
    if (notes !== undefined) writeShapes(await archive.text(notes.path), pages, true)
    pages.progress({ done: index + 1, total: slides.length })
  }
}

/** The text of the shapes. That of notes is a quotation. */
function writeShapes(chunks: Iterable<string>, pages: Pages, isOfNotes: boolean): void {
  const writer = markdownWriter(pages)
  const state = { role: '', isInText: false, skipped: 0 }
  for (const token of tokensOf(chunks)) {
    if (token.kind === 'text') {
      if (state.isInText && state.skipped === 0 && !REPEATED.has(state.role)) writer.text(token.text)
      continue
    }
    const isOpen = token.kind === 'open'
    switch (token.name) {
      case 'Fallback':
        state.skipped += isOpen ? (token.isEmpty ? 0 : 1) : -1
        break
      case 'sp':
        state.role = ''
        break
      case 'ph':
        if (isOpen) state.role = attributeOf(token, 'type') ?? 'body'
        break
      case 'p':
        if (!isOpen) writer.end()
        else writer.begin(isOfNotes ? { kind: 'quote' } : blockOf(state.role))
        break
      case 'pPr':
        if (isOpen && state.role === 'body' && !isOfNotes) {
          const indent = Number(attributeOf(token, 'lvl') ?? 0) || 0
          writer.begin({ kind: 'item', indent, mark: '-' })
        }
        break
      case 't':
        state.isInText = isOpen && !token.isEmpty
        break
      case 'br':
        if (isOpen) writer.lineBreak()
        break
      case 'tbl':
        if (isOpen) writer.beginTable()
        else writer.endTable()
        break
      case 'tr':
        if (isOpen) writer.beginRow()
        else writer.endRow()
        break
      case 'tc':
        if (isOpen) writer.beginCell()
        break
      default:
    }
  }
  writer.end()
}

function blockOf(role: string) {
  if (role === 'title' || role === 'ctrTitle') return { kind: 'heading', level: 1 } as const
  return role === 'body' ? ({ kind: 'item', indent: 0, mark: '-' } as const) : undefined
}
