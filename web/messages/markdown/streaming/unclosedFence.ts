import type { Code } from 'mdast'
import { type MarkdownFence, markdownFence, takeLine } from '../nestedFences.ts'

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
