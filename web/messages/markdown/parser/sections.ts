import { environmentIn } from '../math/blockMath.ts'
import { lineEnd, longLineIn } from './longLines.ts'
import { endOfMarkdownFence, markdownFence } from './nestedFences.ts'
import { type BlockState, type Closer, continuesBelow, continuesBlock, unclosedAfter } from '../math/mathTokens.ts'

/**
 * Characters of a section: a slow machine parses several in one frame, and shorter ones would cost more to cut than to
 * parse.
 */
const LEAST = 300

/** Blocks that may contain blank lines: how they begin, and how they end. */
const OPENINGS: readonly [RegExp, (match: RegExpExecArray) => RegExp][] = [
  [/^ {0,3}(`{3,})[^`]*$/, ([, marks = '']) => new RegExp(`^ {0,3}\`{${marks.length},}[ \\t]*$`)],
  [/^ {0,3}(~{3,})/, ([, marks = '']) => new RegExp(`^ {0,3}~{${marks.length},}[ \\t]*$`)],
  [/^ {0,3}<!--/, () => /-->/],
  [/^ {0,3}<\?/, () => /\?>/],
  [/^ {0,3}<!\[CDATA\[/, () => /\]\]>/],
  [/^ {0,3}<![A-Za-z]/, () => />/],
  [/^ {0,3}<(?:script|pre|style|textarea)(?:[\s>]|$)/i, () => /<\/(?:script|pre|style|textarea)>/i],
]

const FORMULA = /^ {0,3}(\$\$|\\\[)([^]*)$/

/** Markers of list items and quotes before a block. */
const CONTAINERS = /^ {0,3}(?:>[ \t]?|(?:[-*+]|\d{1,9}[.)])[ \t]+)+/
const QUOTES = /^(?: {0,3}>[ \t]?)+/

/** After a blank line, a line that does not continue a list or a list item. */
const BEGINS_A_BLOCK = /^[^\s\d*+-]/

/** A block that is not closed yet. */
type Open = {
  readonly closing: RegExp
  readonly formula: string | null
  /** The offset of its closing line, for a fence of Markdown. */
  readonly end: number | null
}

/**
 * A section of the text; one that is `plain` is too long to be parsed, and one that `continues` begins within a list.
 */
export type Section = { readonly text: string; readonly plain: boolean; readonly continues: boolean }

/**
 * Splits a text into sections that can be parsed on their own. A line that is too long is one, and ends the block
 * before it.
 */
export function sectionsOf(text: string, least = LEAST): readonly Section[] {
  const sections: Section[] = []
  let from = 0
  for (let long = longLineIn(text, 0); long !== null; long = longLineIn(text, from)) {
    sections.push(...parsedSections(text.slice(from, long), least))
    from = Math.min(text.length, lineEnd(text, long) + 1)
    sections.push({ text: text.slice(long, from).replace(/\n$/, ''), plain: true, continues: false })
  }
  return from > 0 && from === text.length ? sections : [...sections, ...parsedSections(text.slice(from), least)]
}

/** Characters after which a list, too, is split: its items know nothing of each other. */
const MAX_OF_LIST = 5_000
const ITEM = /^(?:[-*+]|\d{1,9}[.)])[ \t]/

/** Characters of blank lines between two blocks. */
const MAX_BLANK = 1_000

/** Whatever may be a table begins a section. */
function parsedSections(whole: string, least: number): readonly Section[] {
  let text = whole
  if (text.length <= least) return [{ text, plain: false, continues: false }]
  const sections: Section[] = []
  let inList = false
  let from = 0
  let open: Open | null = null
  let container = ''
  let [filled, blank] = [false, false]
  let formula: Closer | null = null
  for (let start = 0; start < text.length;) {
    if (blank && !open) {
      const filledLine = afterBlankLines(text, start)
      // The parser takes long for each of them, and one says as much as a thousand.
      if (filledLine - start > MAX_BLANK) text = text.slice(0, start) + text.slice(filledLine)
      else start = filledLine
    }
    const next = text.indexOf('\n', start) + 1 || text.length + 1
    const line = text.slice(start, next - 1)
    const inQuote = container.trimStart().startsWith('>')
    const content = inQuote && open ? line.replace(QUOTES, '') : line
    const lazy = container !== '' && (inQuote ? content === line : BEGINS_A_BLOCK.test(line))
    if (open && !continues(open, content, { filled, blank, lazy })) [open, container] = [null, '']
    if (open) {
      if (open.end === null ? open.closing.test(container === '' ? content : content.trimStart()) : start >= open.end)
        open = null
      else filled ||= content.trim() !== ''
    } else {
      const begins = blank && (start - from >= least || line.startsWith('|')) && BEGINS_A_BLOCK.test(line)
      const splits = !begins && start - from > MAX_OF_LIST && ITEM.test(line)
      if (start > from && (begins || splits)) {
        sections.push({ text: text.slice(from, start), plain: false, continues: inList })
        ;[from, inList] = [start, splits]
      }
      const inside = line.replace(CONTAINERS, '')
      container = line.slice(0, line.length - inside.length)
      open = openedBy(inside) ?? (formula === null ? formulaOpenedBy(inside) : null)
      if (open && container === '') open = { ...open, end: markdownEnd(text, line, next) }
      filled = inside.trim().length > (open?.formula?.length ?? 0)
      formula = open || line.trim() === '' ? null : unclosedAfter(line, formula)
    }
    blank = line.trim() === ''
    start = next
  }
  return [...sections, { text: text.slice(from), plain: false, continues: inList }]
}

/** The offset of the next line that holds something. */
export function afterBlankLines(text: string, offset: number): number {
  const lines = /(?:[ \t]*\n)*/y
  lines.lastIndex = offset
  return offset + (lines.exec(text)?.[0].length ?? 0)
}

/** The end of a fence of Markdown, past the fences inside. */
function markdownEnd(text: string, line: string, next: number): number | null {
  const [, marks, info = ''] = /^ {0,3}(`{3,}|~{3,})[ \t]*([^`]*)$/.exec(line) ?? []
  const fence = marks === undefined ? null : markdownFence(marks, info)
  return fence && endOfMarkdownFence(text, next, fence)
}

/** A block ends with the list item or quote it stands in, except for a formula that is closed at the margin. */
function continues({ formula }: Open, line: string, known: Omit<BlockState, 'closer'>): boolean {
  return formula === null || line.trim() === '' ? !known.lazy : continuesBlock(line, { ...known, closer: formula })
}

function openedBy(line: string): Open | null {
  for (const [opening, closingOf] of OPENINGS) {
    const match = opening.exec(line)
    if (!match) continue
    const closing = closingOf(match)
    // Other than a fence, a block may end on its first line.
    return /^ {0,3}[`~]/.test(line) || !closing.test(line.slice(match[0].length))
      ? { closing, formula: null, end: null }
      : null
  }
  return null
}

function formulaOpenedBy(line: string): Open | null {
  const environment = environmentIn(line.trimStart())
  const end = `\\end{${environment}}`
  if (environment !== null)
    return line.includes(end) ? null : { closing: new RegExp(end.replaceAll(/\W/g, '\\$&')), formula: end, end: null }
  const [, mark, rest = ''] = FORMULA.exec(line) ?? []
  if (mark === undefined) return null
  if (mark === '$$') return continuesBelow(rest, '$$') ? { closing: /\$\$/, formula: '$$', end: null } : null
  return continuesBelow(rest, '\\]') ? { closing: /\\\]/, formula: '\\]', end: null } : null
}
