import type { Nodes } from 'mdast'
import { maskNestedFences } from './nestedFences.ts'
import { CONTEXT, isFormula, isProseBetween } from '../math/isFormula.ts'

/** Noncharacters that stand for marks which the parser must not see. No text has them: sourceText.ts replaces them. */
export const MASKS = { '|': '\uFDD0', '`': '\uFDD1', '~': '\uFDD2' } as const

const MASK = /[\uFDD0-\uFDD2]/g
const UNMASKED: ReadonlyMap<string, string> = new Map(
  Object.entries(MASKS).map(([character, mask]) => [mask, character]),
)

/**
 * Masks marks that the parser would take for the end of what they stand in: bars in the code and formulas of a table,
 * fences in a fence of Markdown. The length stays the same. `complete` says that no more text follows.
 */
export function maskMarks(source: string, complete: boolean): string {
  return maskBars(maskNestedFences(source, complete))
}

/** Puts the marks back into the tree of the masked source. Changes the nodes. */
export function unmaskTree(root: Nodes, masked: string): void {
  if (masked.search(MASK) !== -1) replaceStrings(root, unmasked)
}

/** Replaces the strings of a tree: all of them come from the source. Changes the nodes. */
export function replaceStrings(node: Nodes, replace: (text: string) => string): void {
  for (const [key, value] of Object.entries(node)) {
    if (typeof value === 'string') Object.assign(node, { [key]: replace(value) })
  }
  if ('children' in node) for (const child of node.children) replaceStrings(child, replace)
}

export const unmasked = (text: string) => text.replaceAll(MASK, character => UNMASKED.get(character) ?? character)

const MARKS = /\\[^]|`+|\$\$?/g
const CLOSERS: ReadonlyMap<string, string> = new Map([
  ['\\(', '\\)'],
  ['\\[', '\\]'],
  ['$$', '$$'],
])

/** In GFM a bar in code or in a formula is the border of a cell; models do not mean it so. */
function maskBars(source: string): string {
  if (!/\|/.test(source) || !/[`$]|\\[([]/.test(source)) return source
  return source.replace(/^.*\|.*$/gm, line => (/[`$]|\\[([]/.test(line) ? maskLine(line) : line))
}

type Mark = { readonly text: string; readonly at: number; readonly end: number }

function maskLine(line: string): string {
  const marks = [...line.matchAll(MARKS)].map(({ 0: text, index }): Mark => ({
    text,
    at: index,
    end: index + text.length,
  }))
  const nextClosers = nextClosersOf(marks)
  let masked = ''
  let done = 0
  for (let index = 0; index < marks.length; index += 1) {
    const close = closeOf(line, marks, index, nextClosers)
    if (close === null) continue
    const [from, to] = [marks[index]?.end ?? 0, marks[close]?.at ?? 0]
    masked +=
      line.slice(done, from) + line.slice(from, to).replaceAll(/\\[^]|\|/g, mark => (mark === '|' ? MASKS['|'] : mark))
    done = to
    index = close
  }
  return masked + line.slice(done)
}

/** For each mark, the index of the next one that could close it. */
function nextClosersOf(marks: readonly Mark[]): readonly (number | undefined)[] {
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

/** The index of the mark that closes the code or formula which this one opens; null if it opens none. */
function closeOf(
  line: string,
  marks: readonly Mark[],
  index: number,
  nextClosers: readonly (number | undefined)[],
): number | null {
  const mark = marks[index]
  const close = nextClosers[index]
  const closing = close === undefined ? undefined : marks[close]
  if (!mark || close === undefined || !closing) return null
  if (mark.text.startsWith('`')) return close
  const inside = line.slice(mark.end, closing.at)
  const [before, after] = [line.charAt(mark.at - 1), line.charAt(closing.end)]
  if (mark.text === '$') {
    // Code takes precedence, and `$$` is another mark.
    const isAlone = marks.slice(index + 1, close).every(({ text }) => text.startsWith('\\'))
    return isAlone &&
      (hasPairedBars(inside) || standsInCell(inside, before, after)) &&
      isFormula(inside, line.slice(Math.max(0, mark.at - CONTEXT), mark.at), after)
      ? close
      : null
  }
  const isWhole = mark.text !== '$$' || hasPairedBars(inside) || standsInCell(inside, before, after)
  return CLOSERS.has(mark.text) && isWhole && !isProseBetween(inside) ? close : null
}

/**
 * In `$5|6$` the bar parts two cells: it is outside of all brackets, has no counterpart, and there is no TeX command.
 */
function hasPairedBars(inside: string): boolean {
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

/** `$a|b$` in a row whose borders have spaces beside them: a bar without spaces is none of those. */
function standsInCell(inside: string, before: string, after: string): boolean {
  return before !== '|' && after !== '|' && /^[^|\s]/.test(inside) && !/\s\||\|\s|\|$/.test(inside)
}
