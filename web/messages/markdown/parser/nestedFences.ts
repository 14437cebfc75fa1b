/** A fence of Markdown that contains fences, as for a README: the line that closes one of those does not close it. */
export type MarkdownFence = {
  readonly mark: string
  readonly length: number
  /** The open fences inside, the innermost last. */
  readonly inner: { readonly length: number; readonly markdown: boolean }[]
}

/** Fences nested deeper than this count as unbalanced, which bounds how often an unclosed one is read again. */
const DEEPEST = 10

const MARKDOWN = /^(?:markdown|mdx?)$/i
const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/

export function markdownFence(marks: string, info: string): MarkdownFence | null {
  return MARKDOWN.test(info.split(/[ \t]/, 1)[0] ?? '')
    ? { mark: marks.charAt(0), length: marks.length, inner: [] }
    : null
}

/** What a line in a fence of Markdown is. */
type FenceLine = 'end' | 'inner' | 'text' | 'unbalanced'

/** Reads the next line. A mark with a language opens a fence; one without closes the last open fence. */
export function takeLine({ mark, length, inner }: MarkdownFence, line: string): FenceLine {
  const [, marks = '', rest = ''] = FENCE.exec(line) ?? []
  const info = rest.trim()
  if (!marks.startsWith(mark) || marks.length < length) return 'text'
  const last = inner.at(-1)
  if (info === '') {
    // A longer mark opens a fence of Markdown that may contain fences of three marks.
    if (!last && marks.length === length) return 'end'
    if (!last) inner.push({ length: marks.length, markdown: true })
    else if (marks.length >= last.length) inner.pop()
    return 'inner'
  }
  // In other languages a fence is a line like any other.
  if (info.includes('`') || (last && !last.markdown)) return 'text'
  inner.push({ length: marks.length, markdown: markdownFence(marks, info) !== null })
  return inner.length > DEEPEST ? 'unbalanced' : 'inner'
}

/** The offset of the line that closes the fence whose content starts at `from`; null if its fences are not balanced. */
export function endOfMarkdownFence(text: string, from: number, fence: MarkdownFence): number | null {
  for (let start = from; start < text.length;) {
    const end = text.indexOf('\n', start)
    const line = takeLine(fence, end === -1 ? text.slice(start) : text.slice(start, end))
    if (line === 'end') return start
    if (line === 'unbalanced' || end === -1) return null
    start = end + 1
  }
  return null
}

const ANY = /^[ \t>*+\-\d.)]*(?:`{3,}|~{3,})[ \t]*(?:markdown|mdx?)(?=\s)/im
const OPENING = /^((?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t])))*[ \t]*)(`{3,}|~{3,})[ \t]*(.*)$/
const QUOTES = /^(?:[ \t]*>)+ ?/

type Open = {
  /** The marks of the quote or list item before the fence. */
  readonly container: string
  readonly closing: RegExp
  /** Null for another language, and for unbalanced fences. */
  readonly markdown: MarkdownFence | null
  /** The number of its first line, and of the fence lines inside. */
  readonly at: number
  readonly inner: number[]
}

/** Masks the fences inside fences of Markdown. One that a complete text never closes is read like any other fence. */
export function maskNestedFences(source: string, complete: boolean): string {
  if (!ANY.test(source)) return source
  const lines = source.split('\n')
  const masked = new Set<number>()
  let open: Open | null = null
  for (let at = 0; at <= lines.length; at += 1) {
    const line = lines[at]
    const kind = open && kindOf(open, line)
    if (open?.markdown && (kind === 'unbalanced' || (kind === 'outside' && (line !== undefined || complete)))) {
      // Unbalanced: read again from its first line, like any other fence.
      at = open.at
      open = withoutInner(open)
      continue
    }
    if (kind === 'inner') open?.inner.push(at)
    if (kind === 'end' || kind === 'outside') {
      for (const inner of open?.inner ?? []) masked.add(inner)
      open = null
    }
    if (line !== undefined && (kind === null || kind === 'outside')) open = openedBy(line, at)
  }
  return lines.map((line, at) => (masked.has(at) ? maskLine(line) : line)).join('\n')
}

function openedBy(line: string, at: number): Open | null {
  const [, container = '', marks = '', info = ''] = OPENING.exec(line) ?? []
  if (marks === '' || (marks.startsWith('`') && info.includes('`'))) return null
  return {
    container,
    closing: new RegExp(`^[ \\t]*${marks[0]}{${marks.length},}[ \\t]*$`),
    markdown: markdownFence(marks, info),
    at,
    inner: [],
  }
}

const withoutInner = (open: Open): Open => ({ ...open, markdown: null, inner: [] })

function kindOf({ container, markdown, closing }: Open, line: string | undefined): FenceLine | 'outside' {
  const content = line === undefined ? null : contentOf(line, container)
  if (content === null) return 'outside'
  if (markdown) return takeLine(markdown, content)
  return closing.test(content) ? 'end' : 'text'
}

/** The line without the marks of its container; null when it is outside. */
function contentOf(line: string, container: string): string | null {
  if (container.trim() === '') return line.startsWith(container) ? line.slice(container.length) : line
  if (container.includes('>')) return QUOTES.test(line) ? line.replace(QUOTES, '').replace(/^ +(?=[`~])/, '') : null
  return line.trim() === '' || /^(?: {2}|\t)/.test(line) ? line.trimStart() : null
}

const maskLine = (line: string) =>
  line.replace(/[`~]{3,}/, marks => (marks.startsWith('`') ? '\uFDD1' : '\uFDD2').repeat(marks.length))
