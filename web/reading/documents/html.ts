import { attributeOf, type Token, tokensOf } from './markup.ts'
import { type MarkdownWriter, markdownWriter } from './markdownWriter.ts'
import type { Pages } from './pages.ts'

const SKIPPED = new Set(['head', 'script', 'style', 'template', 'svg', 'noscript', 'iframe', 'object', 'select'])
const BLOCKS = new Set(
  'p div section article aside header footer main nav address figure figcaption form fieldset dl dt dd center body'.split(
    ' ',
  ),
)
const HEADING = /^h([1-6])$/

/** Text and structure of a web page, of a chapter of a book or of a mail. Nothing of it is made, shown or run. */
export function writeHtml(chunks: Iterable<string>, pages: Pages): void {
  const writer = markdownWriter(pages)
  const state: HtmlState = { lists: [], skipped: [], pre: 0, quotes: 0 }
  let read = 0
  for (const token of tokensOf(chunks, true)) {
    if (token.kind === 'open') openElement(token, state, writer)
    else if (token.kind === 'close') closeElement(token.name, state, writer)
    else if (state.skipped.length === 0) writer.text(state.pre > 0 ? token.text : token.text.replace(/\s+/g, ' '))
    if ((read += 1) % 1_000 === 0) pages.progress({ done: read / 1_000, total: null })
  }
  writer.end()
}

type HtmlState = { lists: { isOrdered: boolean; count: number }[]; skipped: string[]; pre: number; quotes: number }

function openElement(token: Token & { kind: 'open' }, state: HtmlState, writer: MarkdownWriter): void {
  const { name, isEmpty } = token
  if (state.skipped.length > 0 || SKIPPED.has(name)) {
    // A <body> ends a <head> that was never closed.
    if (name === 'body') state.skipped = []
    else if (!isEmpty && SKIPPED.has(name)) state.skipped.push(name)
    return
  }
  const heading = HEADING.exec(name)?.[1]
  if (heading !== undefined) return writer.begin({ kind: 'heading', level: Number(heading) })
  if (BLOCKS.has(name)) return beginBlock(state, writer)
  switch (name) {
    case 'br':
      return writer.lineBreak()
    case 'hr':
      return writer.end()
    case 'ul':
    case 'ol':
      state.lists.push({ isOrdered: name === 'ol', count: 0 })
      return writer.end()
    case 'li':
      return beginItem(state, writer)
    case 'blockquote':
      state.quotes += 1
      return beginBlock(state, writer)
    case 'pre':
      state.pre += 1
      return writer.begin({ kind: 'code' })
    case 'table':
      return writer.beginTable()
    case 'tr':
      return writer.beginRow()
    case 'td':
    case 'th':
      return writer.beginCell(Number(attributeOf(token, 'colspan') ?? 1))
    case 'img':
      return writer.text(attributeOf(token, 'alt') ?? '')
    default:
  }
}

function beginBlock({ quotes }: HtmlState, writer: MarkdownWriter): void {
  writer.begin(quotes > 0 ? { kind: 'quote' } : undefined)
}

function beginItem({ lists }: HtmlState, writer: MarkdownWriter): void {
  const list = lists.at(-1) ?? { isOrdered: false, count: 0 }
  list.count += 1
  const mark = list.isOrdered ? `${list.count}.` : '-'
  writer.begin({ kind: 'item', indent: Math.max(0, lists.length - 1), mark })
}

function closeElement(name: string, state: HtmlState, writer: MarkdownWriter): void {
  if (state.skipped.length > 0) {
    if (name === state.skipped.at(-1)) state.skipped.pop()
    return
  }
  switch (name) {
    case 'ul':
    case 'ol':
      state.lists.pop()
      return writer.end()
    case 'blockquote':
      state.quotes = Math.max(0, state.quotes - 1)
      return writer.end()
    case 'pre':
      state.pre = Math.max(0, state.pre - 1)
      return writer.end()
    case 'tr':
      return writer.endRow()
    case 'table':
      return writer.endTable()
    default:
      if (BLOCKS.has(name) || HEADING.test(name) || name === 'li') writer.end()
  }
}
