import type { Nodes } from 'mdast'

/** Levels of quotes and lists in each other. Nobody reads deeper ones, and the parser's work grows with the square of the depth. */
const DEEPEST = 20
const CONTAINER = '(?:>|[-*+](?=[ \\t]|$)|\\d{1,9}[.)](?=[ \\t]|$))'
const MARKER = new RegExp(CONTAINER, 'g')
const MARKERS = new RegExp(`^((?:[ \\t]*>)*([ \\t]*)${CONTAINER}(?:[ \\t]*${CONTAINER})*)([^\\n]*)`, 'gm')
const RULE = /^[ \t]*([-*])(?:[ \t]*\1)*[ \t]*$/

/** The same number of characters, but what nests too deeply, in one line or from line to line, is text. */
export function shallow(source: string): string {
  const indents: number[] = []
  return source.replace(MARKERS, (line: string, markers: string, indent: string, rest: string) => {
    while ((indents.at(-1) ?? -1) >= indent.length) indents.pop()
    let depth = indents.push(indent.length) - 1
    const marked = (marker: string) => ((depth += 1) > DEEPEST ? marker.replace(/\D/, '·') : marker)
    return RULE.test(line) ? line : markers.replace(MARKER, marked) + rest
  })
}

/** A line that nests far deeper than any of those; the parser would take seconds for its spaces and marks alone. */
const FAR_TOO_DEEP =
  /^(?:[ \t]*>)*(?:[ \t]{200,}|\t{50,})(?:[-*+>]|\d{1,9}[.)])(?=[ \t]|$)|^(?:[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*>){100}/m

/** Cells in one line. Nobody reads a table of so many columns, and each becomes several elements. */
const MOST_CELLS = 300
const WIDE_ROW = new RegExp(`^(?:[^|\\n]*\\|){${MOST_CELLS}}`, 'm')

/** Brackets in each other: for each the parser looks back through all of them. */
const MOST_BRACKETS = 50

/** Marks in one paragraph that may open or close something; their pairs are sought in each other. */
const MOST_MARKS = 3_000
const MARK = /[[\]~*_`$<!]/g

/** Lines in one paragraph: of each it is asked whether it goes on with those before it. */
const MOST_LINES = 2_000

const FENCED = /^[ \t>]*(`{3,}|~{3,})[^\n`~]*\n[^]*?(?:\n[ \t>]*\1[`~]*[ \t]*(?=\n|$)|$(?![^]))/gm
/** Each cell stands for itself, unless it is longer than any. */
const TABLE = /^[^\n]*\|[^\n]*\n[ \t>]*\|?[ \t]*:?-+:?[ \t]*\|[ \t:|-]*(?:\n[^\n]{0,5000}\|[^\n]{0,5000}$)*/gm
/** Between paragraphs, items or headings. */
const BETWEEN = /\n(?=[ \t>]*(?:\n|(?:[-*+]|1[.)]|#{1,6})[ \t]|\[\^))/

/** Whether a paragraph, a table or a list holds more than writing does; it is shown as it is, since sorting it out would stop the page. */
export function isDense(source: string): boolean {
  const isTooDeep = FAR_TOO_DEEP.test(source) || WIDE_ROW.test(source)
  if (!isTooDeep && !isLarge(source) && !nestsBrackets(source)) return false
  const prose = source.replace(FENCED, '')
  return (
    FAR_TOO_DEEP.test(prose) ||
    WIDE_ROW.test(prose) ||
    prose
      .replace(TABLE, '')
      .split(BETWEEN)
      .some(part => isLarge(part) || nestsBrackets(part))
  )
}

function nestsBrackets(text: string): boolean {
  if (count(text, /\[/g) <= MOST_BRACKETS) return false
  let depth = 0
  for (const [bracket] of text.matchAll(/[[\]]/g)) {
    depth = bracket === '[' ? depth + 1 : Math.max(0, depth - 1)
    if (depth > MOST_BRACKETS) return true
  }
  return false
}

const isLarge = (text: string) => count(text, MARK) > MOST_MARKS || count(text, /\n/g) > MOST_LINES

const count = (text: string, what: RegExp) => text.match(what)?.length ?? 0

/** Levels of the tree: those of quotes, lists and tables, and in each of them some of emphasis. */
const LEVELS = 100

/** What lies deeper than any text does, as emphasis in emphasis without end, is as it was written. Changes the nodes. */
export function flatten(node: Nodes, source: string, depth = 0): void {
  if (!('children' in node)) return
  const children: Nodes[] = node.children
  for (const [at, child] of children.entries()) {
    const { start, end } = child.position ?? {}
    const isTooDeep = depth > LEVELS && 'children' in child && start?.offset !== undefined && end?.offset !== undefined
    if (isTooDeep) children[at] = { type: 'text', value: source.slice(start.offset, end.offset) }
    else flatten(child, source, depth + 1)
  }
}
