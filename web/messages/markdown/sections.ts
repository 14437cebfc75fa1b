import { environmentIn } from './mathEnvironments.ts'
import { type Closer, goesOnBelow, openAfter } from './openFormula.ts'

/** Characters. Small enough that a slow machine parses several within a frame; shorter ones would be cheaper to parse than to cut. */
const LEAST = 300

/** What opens at the start of a line and runs over blank lines, with what ends it. */
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

/** What opens may stand at the start of an item. */
const ITEMS = /^ {0,3}(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)+/

/** After a blank line these neither go on with a list nor lie in an item, so a block begins. */
const BEGINS_A_BLOCK = /^[^\s\d*+-]/

/** Pieces of a text that can be parsed each on its own; joined they are the text. */
export function sectionsOf(text: string, least = LEAST): readonly string[] {
  if (text.length <= least) return [text]
  const sections: string[] = []
  let from = 0
  let closing: RegExp | null = null
  let inItem = false
  let blank = false
  let formula: Closer | null = null
  for (let start = 0; start < text.length;) {
    const next = text.indexOf('\n', start) + 1 || text.length + 1
    const line = text.slice(start, next - 1)
    // Nothing outlasts the item it stands in.
    if (inItem && BEGINS_A_BLOCK.test(line)) [closing, inItem] = [null, false]
    if (closing) {
      if (closing.test(inItem ? line.trimStart() : line)) closing = null
    } else {
      if (blank && start - from >= least && BEGINS_A_BLOCK.test(line)) {
        sections.push(text.slice(from, start))
        from = start
      }
      const content = line.replace(ITEMS, '')
      inItem = content !== line
      closing = openedBy(content) ?? (formula === null ? formulaOpenedBy(content) : null)
      formula = closing || line.trim() === '' ? null : openAfter(line, formula)
    }
    blank = line.trim() === ''
    start = next
  }
  return [...sections, text.slice(from)]
}

function openedBy(line: string): RegExp | null {
  for (const [opening, closingOf] of OPENINGS) {
    const match = opening.exec(line)
    if (!match) continue
    const closing = closingOf(match)
    // What is no fence may end on the line it begins.
    return /^ {0,3}[`~]/.test(line) || !closing.test(line.slice(match[0].length)) ? closing : null
  }
  return null
}

function formulaOpenedBy(line: string): RegExp | null {
  const environment = environmentIn(line.trimStart())
  const end = `\\end{${environment}}`
  if (environment !== null) return line.includes(end) ? null : new RegExp(end.replaceAll(/\W/g, '\\$&'))
  const [, mark, rest = ''] = FORMULA.exec(line) ?? []
  if (mark === undefined) return null
  if (mark === '$$') return goesOnBelow(rest, '$$') ? /\$\$/ : null
  return goesOnBelow(rest, '\\]') ? /\\\]/ : null
}
