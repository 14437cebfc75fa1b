import type { Event, Token, TokenizeContext } from 'micromark-util-types'

/** What closes a formula that is still open. */
export type Closer = '$$' | '\\]' | '\\)'

const MARKS = /\\[^]|`+|\$\$/g
const OPENS: ReadonlyMap<string, Closer> = new Map([
  ['$$', '$$'],
  ['\\[', '\\]'],
  ['\\(', '\\)'],
])

/** Han, two words or the address of a link, before the first command: a sentence that speaks of the mark, or an escaped bracket. */
const PROSE = /\p{Script=Han}|[A-Za-z]{2}[ \t]+[A-Za-z]|\]\(/u
const TEX = /\\[A-Za-z]|[=^_{&]/
const WORD = /[A-Za-z]{4}/
/** Not what would begin a list or a quote: those are not looked for inside a block. */
const SENTENCE = /^ {0,3}(?![-+*>]|\d+[.)]).*(?:\p{Script=Han}{2}|[A-Za-z]{2}[ \t]+[A-Za-z]{2})/u

/** Whether it begins as a sentence does, and not as a formula. */
export const isProse = (text: string) => PROSE.test(text.split('\\', 1)[0] ?? '')

/** Whether what follows an opening mark on its line begins a formula that goes on below. A closed one is part of its paragraph. */
export function goesOnBelow(text: string, closer: Closer): boolean {
  if (text.trim() === '') return true
  if (text.startsWith('$') || isProse(text) || text.match(MARKS)?.some(mark => mark === closer)) return false
  // A bracket is escaped for other reasons as well.
  return closer === '$$' || TEX.test(text)
}

/** What closes the formula that is open behind this line of a paragraph; `open` is what was open before it. */
export function openAfter(line: string, open: Closer | null): Closer | null {
  const marks: readonly string[] = line.match(MARKS) ?? []
  let closer = open
  let begun = 0
  let codeEnd = -1
  for (const [at, { 0: mark, index }] of [...line.matchAll(MARKS)].entries()) {
    if (at <= codeEnd) continue
    if (closer !== null) {
      if (mark === closer) closer = null
    } else if (mark.startsWith('`')) {
      codeEnd = marks.indexOf(mark, at + 1)
    } else {
      closer = OPENS.get(mark) ?? null
      begun = index + mark.length
    }
  }
  return begun > 0 && isProse(line.slice(begun)) ? null : closer
}

/** What of a block of formula is known when its next line comes. */
export type InBlock = {
  /** What closes it: a mark, or the end of an environment. */
  readonly closer: string
  /** Whether anything stands in it. */
  readonly filled: boolean
  /** Whether the line before was blank. */
  readonly blank: boolean
  /** Whether the line is less indented than the item, or without the mark of the quote, that the block stands in. */
  readonly lazy: boolean
}

/**
 * Whether this line is one of the block. Models write the closing mark at the margin, or forget it: a sentence behind a blank
 * line is none of it, so that a mark too few does not take all the text behind it.
 */
export function goesOnWith(line: string, { closer, filled, blank, lazy }: InBlock): boolean {
  if (lazy)
    return (
      (filled && closes(line.trimStart(), closer)) || !(blank || isProse(line) || (WORD.test(line) && !TEX.test(line)))
    )
  return !blank || !isSentence(line)
}

/** Two dollar signs also open, if a formula follows. */
function closes(line: string, closer: string): boolean {
  if (!line.startsWith(closer)) return false
  const rest = line.slice(closer.length)
  return closer !== '$$' || rest.trim() === '' || (!goesOnBelow(rest, '$$') && !rest.includes('$$'))
}

const isSentence = (line: string) => SENTENCE.test(line) && !TEX.test(line) && !line.includes('$$')

/** How far what was tokenized was read for its formulas, so that many lines that ask take no more time than one. */
const read = new WeakMap<readonly Event[], { at: number; token: Token; open: Closer | null }>()

const IN_PARAGRAPH = new Set<string>(['chunkContent', 'lineEnding', 'linePrefix'])

/** What closes the formula that is open in the paragraph before a line that would interrupt it, and that so belongs to it. */
export function openFormulaBefore(context: TokenizeContext): Closer | null {
  const { events } = context
  const known = read.get(events)
  const typeOf = (at: number): string => events[at]?.[1].type ?? ''
  const isKnown = (at: number) => known?.at === at && events[at]?.[1] === known.token
  let from = events.findLastIndex(([, { type }]) => type === 'lineEnding')
  let head = ''
  while (!isKnown(from) && (IN_PARAGRAPH.has(typeOf(from)) || (head === '' && typeOf(from) === 'tableRow'))) {
    if (typeOf(from) === 'tableRow') {
      // A line is taken for the head of a table until the next one has been looked at, and is no part of the paragraph before that.
      const row = events[from]?.[1]
      while (from > 0 && events[from - 1]?.[1] !== row) from -= 1
      if (!row || typeOf((from -= 2)) !== 'tableHead') return null
      head = context.sliceSerialize(row)
    }
    from -= 1
  }
  if (!isKnown(from) && typeOf(from) !== 'content') return openAfter(head, null)
  let open = isKnown(from) ? (known?.open ?? null) : null
  for (const [after, [when, token]] of events.slice(from + 1).entries()) {
    if (when !== 'exit' || token.type !== 'chunkContent') continue
    open = openAfter(context.sliceSerialize(token), open)
    read.set(events, { at: from + 1 + after, token, open })
  }
  return openAfter(head, open)
}
