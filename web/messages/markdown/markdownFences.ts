/** A fence of Markdown holds fences of its own, as a README does: the line that ends the first of those is not its end. */
export type MarkdownFence = {
  readonly mark: string
  readonly length: number
  /** Those that are open inside, the innermost last. */
  readonly inner: { readonly length: number; readonly markdown: boolean }[]
}

/** Fences in each other. With more than that they are not balanced, and each that never ends is looked through only so often. */
const DEEPEST = 10

const MARKDOWN = /^(?:markdown|mdx?)$/i
const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/

export function markdownFence(marks: string, info: string): MarkdownFence | null {
  return MARKDOWN.test(info.split(/[ \t]/, 1)[0] ?? '')
    ? { mark: marks.charAt(0), length: marks.length, inner: [] }
    : null
}

/** What a line of such a fence is: its end, a mark of one inside it, or text. */
export type FenceLine = 'end' | 'inner' | 'text' | 'unbalanced'

/** Takes the next line. What has a name opens a fence, and what has none ends the last that is open. */
export function takeLine({ mark, length, inner }: MarkdownFence, line: string): FenceLine {
  const [, marks = '', rest = ''] = FENCE.exec(line) ?? []
  const info = rest.trim()
  if (!marks.startsWith(mark) || marks.length < length) return 'text'
  const last = inner.at(-1)
  if (info === '') {
    // A longer mark than its own ends nothing that anybody writes; it holds fences of three.
    if (!last && marks.length === length) return 'end'
    if (!last) inner.push({ length: marks.length, markdown: true })
    else if (marks.length >= last.length) inner.pop()
    return 'inner'
  }
  // Only Markdown holds fences; in a program it is a line like any other.
  if (info.includes('`') || (last && !last.markdown)) return 'text'
  inner.push({ length: marks.length, markdown: markdownFence(marks, info) !== null })
  return inner.length > DEEPEST ? 'unbalanced' : 'inner'
}

/** Where the line starts that ends the fence whose content starts here; null if those inside leave none to end it. */
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
