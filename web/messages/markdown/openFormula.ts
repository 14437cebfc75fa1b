import type { Event, Token, TokenizeContext } from 'micromark-util-types'

/** What closes a formula that is still open. */
export type Closer = '$$' | '\\]' | '\\)'

const MARKS = /\\[^]|`+|\$\$/g
const OPENS: ReadonlyMap<string, Closer> = new Map([['$$', '$$'], ['\\[', '\\]'], ['\\(', '\\)']])

/** Han, two words or the address of a link, before the first command: a sentence that speaks of the mark, or an escaped bracket. */
const PROSE = /\p{Script=Han}|[A-Za-z]{2}[ \t]+[A-Za-z]|\]\(/u
const TEX = /\\[A-Za-z]|[=^_{&]/

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

/** How far what was tokenized was read for its formulas, so that many lines that ask take no more time than one. */
const read = new WeakMap<readonly Event[], { at: number; token: Token; open: Closer | null }>()

/** Whether a line that would interrupt the paragraph before it is in a formula of that paragraph, and so belongs to it. */
export function inOpenFormula(context: TokenizeContext): boolean {
  const { events } = context
  const known = read.get(events)
  const isKnown = (at: number) => known?.at === at && events[at]?.[1] === known.token
  let from = events.length - 1
  while (from >= 0 && !isKnown(from) && events[from]?.[1].type !== 'content') from -= 1
  let open = isKnown(from) ? known?.open ?? null : null
  for (const [after, [when, token]] of events.slice(from + 1).entries()) {
    if (when !== 'exit' || token.type !== 'chunkContent') continue
    open = openAfter(context.sliceSerialize(token), open)
    read.set(events, { at: from + 1 + after, token, open })
  }
  return open !== null
}
