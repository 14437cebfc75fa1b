import type { Code } from 'mdast'
import { type MarkdownFence, markdownFence, takeLine } from '../nestedFences.ts'

/** Top-level code whose closing line has not come: nothing inside is Markdown, so its end is searched and nothing parsed. */
export type UnclosedFence = {
  readonly bodyStart: number
  readonly indent: number
  readonly lang: string | null
  readonly meta: string | null
  readonly closing: RegExp
  /** What is open inside, where it is Markdown; null once that is not balanced. */
  markdown: MarkdownFence | null
  /** Every line before this offset is known not to close. */
  searched: number
}

const OPENING = /^( {0,3})(`{3,}|~{3,})[ \t]*([^\n]*)\n/

/** The fence that opens at this line start; its opening line must be complete. */
export function fenceAt(text: string, offset: number): UnclosedFence | null {
  const lineEnd = text.indexOf('\n', offset)
  if (lineEnd === -1) return null
  const match = OPENING.exec(text.slice(offset, lineEnd + 1))
  if (!match) return null
  const [, indent = '', marks = '', info = ''] = match
  // Escapes and character references in the info string are the parser's business.
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

/** Where the closing line starts and where the text goes on after it; null while it has not come. */
export function endOfFence(
  text: string,
  fence: UnclosedFence,
  done: boolean,
): { bodyEnd: number; next: number } | null {
  let start = fence.searched
  for (let end = text.indexOf('\n', start); end !== -1; end = text.indexOf('\n', start)) {
    const line = lineIn(fence, text.slice(start, end))
    if (line === 'end') return { bodyEnd: start, next: end + 1 }
    if (line === 'unbalanced') return asAnyOther(text, fence, done)
    start = end + 1
  }
  fence.searched = start
  if (!done) return null
  if (lineIn(fence, text.slice(start)) === 'end') return { bodyEnd: start, next: text.length }
  return fence.markdown && asAnyOther(text, fence, done)
}

function lineIn({ markdown, closing }: UnclosedFence, line: string): string {
  if (markdown) return takeLine(markdown, line)
  return closing.test(line) ? 'end' : 'text'
}

/** What is in it is not balanced, so that the first line that could end it does. */
function asAnyOther(text: string, fence: UnclosedFence, done: boolean): { bodyEnd: number; next: number } | null {
  fence.markdown = null
  fence.searched = fence.bodyStart
  return endOfFence(text, fence, done)
}

export function codeOf(text: string, fence: UnclosedFence, bodyEnd: number): Code {
  let value = text.slice(fence.bodyStart, bodyEnd)
  // A tab reaches to the fourth column, and what of it lies behind the indent stays.
  if (fence.indent > 0)
    value = value.replace(new RegExp(`^(?: {0,${fence.indent - 1}}(\\t)| {1,${fence.indent}})`, 'gm'), (_, tab) =>
      tab ? ' '.repeat(4 - fence.indent) : '',
    )
  return { type: 'code', lang: fence.lang, meta: fence.meta, value: value.replace(/\n$/, '') }
}

/** How much of an open fence may be shown: a last line that may yet turn out to close it waits. */
export function shownEnd(text: string, fence: UnclosedFence): number {
  return /^ {0,3}[`~]+[ \t]*$/.test(text.slice(fence.searched)) ? fence.searched : text.length
}
