import type { Code, List, ListItem, RootContent, Table, TableRow } from 'mdast'
import { type MarkdownFence, markdownFence, takeLine } from '../parser/nestedFences.ts'

/**
 * A list or table at the end of the text, often most of an answer. Its items or rows but the last are final and are not
 * parsed again.
 */
export type UnfinishedBlock = UnfinishedList | UnfinishedTable

type UnfinishedList = {
  readonly list: List
  readonly items: readonly ListItem[]
  /** Offset of the first item that can still change. */
  readonly from: number
}

type UnfinishedTable = {
  readonly table: Table
  /** With the head. */
  readonly rows: readonly TableRow[]
  /** Offset of the row that can still change. */
  readonly from: number
  /** The first two lines, which make a table of the rows after them. */
  readonly preface: string
}

/** The part of `nodes`, parsed from the text at `base`, that need not be parsed again. */
export function unfinishedBlockIn(
  nodes: readonly RootContent[],
  source: string,
  base: number,
  before: UnfinishedBlock | null,
): UnfinishedBlock | null {
  const [block, more] = nodes
  if (block?.type === 'table') {
    const known = before && 'rows' in before ? before : null
    return more ? known : unfinishedTable(block, source, base, known)
  }
  const known = before && 'items' in before ? before : null
  return more || block?.type !== 'list' ? known : unfinishedList(block, source, base, known)
}

/** The whole block again, and what follows it; null if `nodes` do not continue it after all. */
export function joined(unfinished: UnfinishedBlock, nodes: readonly RootContent[]): readonly RootContent[] | null {
  const [rest, ...others] = nodes
  if ('rows' in unfinished) {
    if (rest?.type !== 'table') return null
    return [{ ...unfinished.table, children: [...unfinished.rows, ...rest.children.slice(1)] }, ...others]
  }
  const { list, items } = unfinished
  if (rest?.type !== 'list' || rest.ordered !== list.ordered) return null
  return [{ ...list, spread: list.spread || rest.spread, children: [...items, ...rest.children] }, ...others]
}

function unfinishedList(
  list: List,
  source: string,
  base: number,
  before: UnfinishedList | null,
): UnfinishedList | null {
  for (let at = list.children.length - 1; at > 0; at -= 1) {
    const start = lineStart(source, list.children[at])
    // An item's first line must be complete: `- -` is a list in a list, and `- - -` is a rule.
    if (!source.includes('\n', start)) continue
    const spread = list.spread || before?.list.spread
    return {
      list: { ...(before?.list ?? list), spread },
      items: [...(before?.items ?? []), ...list.children.slice(0, at)],
      from: base + start,
    }
  }
  return before
}

function unfinishedTable(
  table: Table,
  source: string,
  base: number,
  before: UnfinishedTable | null,
): UnfinishedTable | null {
  if (table.children.length < 3) return before
  return {
    table: before?.table ?? table,
    rows: [...(before?.rows ?? []), ...table.children.slice(before ? 1 : 0, -1)],
    from: base + lineStart(source, table.children.at(-1)),
    preface: before?.preface ?? firstTwoLines(source, table),
  }
}

function firstTwoLines(source: string, table: Table): string {
  const start = lineStart(source, table)
  const rule = source.indexOf('\n', start) + 1
  return source.slice(start, source.indexOf('\n', rule) + 1)
}

const lineStart = (source: string, node: RootContent | undefined) =>
  source.lastIndexOf('\n', (node?.position?.start.offset ?? 0) - 1) + 1

/** A top-level code block whose closing line has not come. Nothing in it is parsed; only its end is searched. */
export type UnclosedFence = {
  readonly bodyStart: number
  readonly indent: number
  readonly lang: string | null
  readonly meta: string | null
  readonly closing: RegExp
  /** The fences inside if it contains Markdown; null once they are unbalanced. */
  markdown: MarkdownFence | null
  /** No line before this offset closes it. */
  searched: number
}

const OPENING = /^( {0,3})(`{3,}|~{3,})[ \t]*([^\n]*)\n/

/** The fence whose complete opening line starts at this offset. */
export function fenceAt(text: string, offset: number): UnclosedFence | null {
  const lineEnd = text.indexOf('\n', offset)
  if (lineEnd === -1) return null
  const match = OPENING.exec(text.slice(offset, lineEnd + 1))
  if (!match) return null
  const [, indent = '', marks = '', info = ''] = match
  // The parser decodes escapes and character references in the info string.
  if ((marks.startsWith('`') && info.includes('`')) || /[\\&]/.test(info)) return null
  const [, lang = '', meta = ''] = /^([^ \t]*)[ \t]*(.*)$/.exec(info) ?? []
  return {
    bodyStart: lineEnd + 1,
    indent: indent.length,
    lang: lang || null,
    meta: meta || null,
    closing: new RegExp(`^ {0,3}${marks[0]}{${marks.length},}[ \\t]*$`),
    markdown: markdownFence(marks, info),
    searched: lineEnd + 1,
  }
}

/** The offsets of the closing line and of the text after it; null while it has not come. */
export function endOfFence(
  text: string,
  fence: UnclosedFence,
  done: boolean,
): { bodyEnd: number; next: number } | null {
  let start = fence.searched
  for (let end = text.indexOf('\n', start); end !== -1; end = text.indexOf('\n', start)) {
    const line = lineIn(fence, text.slice(start, end))
    if (line === 'end') return { bodyEnd: start, next: end + 1 }
    if (line === 'unbalanced') return endOfPlainFence(text, fence, done)
    start = end + 1
  }
  fence.searched = start
  if (!done) return null
  if (lineIn(fence, text.slice(start)) === 'end') return { bodyEnd: start, next: text.length }
  return fence.markdown && endOfPlainFence(text, fence, done)
}

function lineIn({ markdown, closing }: UnclosedFence, line: string): string {
  if (markdown) return takeLine(markdown, line)
  return closing.test(line) ? 'end' : 'text'
}

/** Fences inside are unbalanced: the first line that could close it does. */
function endOfPlainFence(text: string, fence: UnclosedFence, done: boolean): { bodyEnd: number; next: number } | null {
  fence.markdown = null
  fence.searched = fence.bodyStart
  return endOfFence(text, fence, done)
}

export function codeOf(text: string, fence: UnclosedFence, bodyEnd: number): Code {
  let value = text.slice(fence.bodyStart, bodyEnd)
  // A tab reaches to the fourth column; its part after the indent stays.
  if (fence.indent > 0)
    value = value.replace(new RegExp(`^(?: {0,${fence.indent - 1}}(\\t)| {1,${fence.indent}})`, 'gm'), (_, tab) =>
      tab ? ' '.repeat(4 - fence.indent) : '',
    )
  return { type: 'code', lang: fence.lang, meta: fence.meta, value: value.replace(/\n$/, '') }
}

/** The end of what is shown: without a last line that may turn out to close the fence. */
export function shownEnd(text: string, fence: UnclosedFence): number {
  return /^ {0,3}[`~]+[ \t]*$/.test(text.slice(fence.searched)) ? fence.searched : text.length
}
