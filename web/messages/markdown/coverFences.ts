import { type FenceLine, type MarkdownFence, markdownFence, takeLine } from './markdownFences.ts'

const ANY = /^[ \t>*+\-\d.)]*(?:`{3,}|~{3,})[ \t]*(?:markdown|mdx?)(?=\s)/im
const OPENING = /^((?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t])))*[ \t]*)(`{3,}|~{3,})[ \t]*(.*)$/
const QUOTES = /^(?:[ \t]*>)+ ?/

type Open = {
  /** What stands before its marks: of a quote, an item, or nothing. */
  readonly container: string
  readonly closing: RegExp
  /** Null when what it holds is no Markdown, or is not balanced. */
  readonly markdown: MarkdownFence | null
  /** Its first line, and those inside that are fences. */
  readonly at: number
  readonly inner: number[]
}

/** The fences inside those of Markdown, wherever these stand. At the end of a text that is complete one that is still open is read as any other. */
export function fencesCovered(source: string, complete: boolean): string {
  if (!ANY.test(source)) return source
  const lines = source.split('\n')
  const covered = new Set<number>()
  let open: Open | null = null
  for (let at = 0; at <= lines.length; at += 1) {
    const line = lines[at]
    const kind = open && kindOf(open, line)
    if (open?.markdown && (kind === 'unbalanced' || (kind === 'outside' && (line !== undefined || complete)))) {
      // Not balanced: once more from its first line, as any other fence.
      at = open.at
      open = withoutInner(open)
      continue
    }
    if (kind === 'inner') open?.inner.push(at)
    if (kind === 'end' || kind === 'outside') {
      for (const inner of open?.inner ?? []) covered.add(inner)
      open = null
    }
    if (line !== undefined && (kind === null || kind === 'outside')) open = openedBy(line, at)
  }
  return lines.map((line, at) => (covered.has(at) ? lineCovered(line) : line)).join('\n')
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

/** The line without what the container puts before it; null when it is not in that. */
function contentOf(line: string, container: string): string | null {
  if (container.trim() === '') return line.startsWith(container) ? line.slice(container.length) : line
  if (container.includes('>')) return QUOTES.test(line) ? line.replace(QUOTES, '').replace(/^ +(?=[`~])/, '') : null
  return line.trim() === '' || /^(?: {2}|\t)/.test(line) ? line.trimStart() : null
}

const lineCovered = (line: string) =>
  line.replace(/[`~]{3,}/, marks => (marks.startsWith('`') ? '\uFDD1' : '\uFDD2').repeat(marks.length))
