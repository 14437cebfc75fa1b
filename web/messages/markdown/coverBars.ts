import { isFormula, isProseBetween } from './formulaOrNot.ts'

const BAR = '\uFDD0'
const MARKS = /\\[^]|`+|\$\$?/g
const CLOSERS: ReadonlyMap<string, string> = new Map([
  ['\\(', '\\)'],
  ['\\[', '\\]'],
  ['$$', '$$'],
])

/** In GFM a bar in code or in a formula is the border of a cell all the same; nobody who writes one there means that. */
export function barsCovered(source: string): string {
  if (!/\|/.test(source) || !/[`$]|\\[([]/.test(source)) return source
  return source.replace(/^.*\|.*$/gm, line => (/[`$]|\\[([]/.test(line) ? lineCovered(line) : line))
}

type Mark = { readonly text: string; readonly at: number; readonly end: number }

function lineCovered(line: string): string {
  const marks = [...line.matchAll(MARKS)].map(([text], index): Mark => ({ text, at: 0, end: index }))
  let at = 0
  for (const [index, { text }] of marks.entries()) {
    at = line.indexOf(text, at)
    marks[index] = { text, at, end: at + text.length }
    at += text.length
  }
  const nextSame = nextSameOf(marks)
  let covered = ''
  let done = 0
  for (let index = 0; index < marks.length; index += 1) {
    const close = closeOf(line, marks, index, nextSame)
    if (close === null) continue
    const [from, to] = [marks[index]?.end ?? 0, marks[close]?.at ?? 0]
    covered +=
      line.slice(done, from) + line.slice(from, to).replaceAll(/\\[^]|\|/g, mark => (mark === '|' ? BAR : mark))
    done = to
    index = close
  }
  return covered + line.slice(done)
}

/** Of each mark, the next one that is the same. */
function nextSameOf(marks: readonly Mark[]): readonly (number | undefined)[] {
  const last = new Map<string, number>()
  const next: (number | undefined)[] = []
  for (let index = marks.length - 1; index >= 0; index -= 1) {
    const { text } = marks[index] ?? { text: '' }
    const closer = CLOSERS.get(text) ?? text
    next[index] = last.get(closer)
    last.set(text, index)
  }
  return next
}

/** The mark that ends the code or the formula that begins with this one; null where none begins. */
function closeOf(
  line: string,
  marks: readonly Mark[],
  index: number,
  nextSame: readonly (number | undefined)[],
): number | null {
  const mark = marks[index]
  const close = nextSame[index]
  const closing = close === undefined ? undefined : marks[close]
  if (!mark || close === undefined || !closing) return null
  if (mark.text.startsWith('`')) return close
  const inside = line.slice(mark.end, closing.at)
  const [before, after] = [line.charAt(mark.at - 1), line.charAt(closing.end)]
  if (mark.text === '$') {
    // Code binds tighter, and two signs are another mark.
    const isAlone = marks.slice(index + 1, close).every(({ text }) => text.startsWith('\\'))
    return isAlone &&
      (bordersNothing(inside) || standsInCell(inside, before, after)) &&
      isFormula(inside, before, after)
      ? close
      : null
  }
  const isWhole = mark.text !== '$$' || bordersNothing(inside) || standsInCell(inside, before, after)
  return CLOSERS.has(mark.text) && isWhole && !isProseBetween(inside) ? close : null
}

/** `$5|6$`: a bar outside of all brackets that has no counterpart parts two cells, unless TeX is written around it. */
function bordersNothing(inside: string): boolean {
  if (!/[^|\s]/.test(inside)) return false
  if (/\\[A-Za-z]/.test(inside)) return true
  let [depth, bars] = [0, 0]
  for (const [mark] of inside.matchAll(/\\[^]|[([{|}\])]/g)) {
    if (/[([{]$/.test(mark)) depth += 1
    else if (/[)\]}]$/.test(mark)) depth -= 1
    else if (mark === '|' && depth <= 0) bars += 1
  }
  return bars % 2 === 0
}

/** `$a|b$` among spaces: no border stands that close to what it parts where the row has spaces beside its own. */
function standsInCell(inside: string, before: string, after: string): boolean {
  return before !== '|' && after !== '|' && /^[^|\s]/.test(inside) && !/\s\||\|\s|\|$/.test(inside)
}
