import type { Nodes } from 'mdast'

/** Nesting of quotes and lists. The parser's work grows with the square of the depth. */
const DEEPEST = 20
const CONTAINER = '(?:>|[-*+](?=[ \\t]|$)|\\d{1,9}[.)](?=[ \\t]|$))'
const MARKER = new RegExp(CONTAINER, 'g')
const MARKERS = new RegExp(`^((?:[ \\t]*>)*([ \\t]*)${CONTAINER}(?:[ \\t]*${CONTAINER})*)([^\\n]*)`, 'gm')
const RULE = /^[ \t]*([-*])(?:[ \t]*\1)*[ \t]*$/

/** Makes text of the markers that nest too deeply, in one line or from line to line. The length stays the same. */
export function limitNesting(source: string): string {
  const indents: number[] = []
  return source.replace(MARKERS, (line: string, markers: string, indent: string, rest: string) => {
    while ((indents.at(-1) ?? -1) >= indent.length) indents.pop()
    let depth = indents.push(indent.length) - 1
    const marked = (marker: string) => ((depth += 1) > DEEPEST ? marker.replace(/\D/, '·') : marker)
    return RULE.test(line) ? line : markers.replace(MARKER, marked) + rest
  })
}

/** A line nested so deeply that the parser would take seconds for its spaces and markers alone. */
const FAR_TOO_DEEP =
  /^(?:[ \t]*>)*(?:[ \t]{200,}|\t{50,})(?:[-*+>]|\d{1,9}[.)])(?=[ \t]|$)|^(?:[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*>){100}/m

/** Cells in one line: each becomes several elements. */
const MAX_CELLS = 300
const WIDE_ROW = new RegExp(`^(?:[^|\\n]*\\|){${MAX_CELLS}}`, 'm')

/** Nesting of brackets: for each the parser looks back through all of them. */
const MAX_BRACKETS = 50

/** Marks in one paragraph that may open or close something: the parser compares each with the others. */
const MAX_MARKS = 3_000
const MARK = /[[\]~*_`$<!&\\|]/g

/** Characters of one paragraph, however few its marks and lines. */
const MAX_CHARACTERS = 50_000

/** Lines in one paragraph: the parser checks each against those before it. */
const MAX_LINES = 2_000

/** Lines of quotes: lists in them are not parsed in parts. */
const QUOTED = /^[ \t]*>/gm

const FENCED = /^[ \t>]*(`{3,}|~{3,})[^\n`~]*\n[^]*?(?:\n[ \t>]*\1[`~]*[ \t]*(?=\n|$)|$(?![^]))/gm
/** A table of ordinary cells: each is parsed on its own. */
const TABLE = /^[^\n]*\|[^\n]*\n[ \t>]*\|?[ \t]*:?-+:?[ \t]*\|[ \t:|-]*(?:\n[^\n]{0,5000}\|[^\n]{0,5000}$)*/gm
/** Between paragraphs, list items or headings. */
const BETWEEN = /\n(?=[ \t>]*(?:\n|(?:[-*+]|1[.)]|#{1,6})[ \t]|\[\^))/

/**
 * Whether a paragraph, table or list is beyond what people write. Its text is shown as plain text: parsing it would
 * block the page.
 */
export function exceedsLimits(source: string): boolean {
  const isTooDeep = FAR_TOO_DEEP.test(source) || WIDE_ROW.test(source)
  if (!isTooDeep && !isLarge(source) && !nestsBrackets(source)) return false
  const prose = source.replace(FENCED, '')
  return (
    FAR_TOO_DEEP.test(prose) ||
    count(prose, QUOTED) > MAX_LINES ||
    WIDE_ROW.test(prose) ||
    prose
      .replace(TABLE, '')
      .split(BETWEEN)
      .some(part => isLarge(part) || nestsBrackets(part))
  )
}

function nestsBrackets(text: string): boolean {
  if (count(text, /\[/g) <= MAX_BRACKETS) return false
  let depth = 0
  for (const [bracket] of text.matchAll(/[[\]]/g)) {
    depth = bracket === '[' ? depth + 1 : Math.max(0, depth - 1)
    if (depth > MAX_BRACKETS) return true
  }
  return false
}

const isLarge = (text: string) =>
  text.length > MAX_CHARACTERS || count(text, MARK) > MAX_MARKS || count(text, /\n/g) > MAX_LINES

const count = (text: string, what: RegExp) => text.match(what)?.length ?? 0

/** Depth of the tree: quotes, lists and tables, with some emphasis in each. */
const LEVELS = 100

/** Replaces nodes that lie too deep, such as emphasis in emphasis, by their source. Changes the nodes. */
export function limitDepth(node: Nodes, source: string, depth = 0): void {
  if (!('children' in node)) return
  const children: Nodes[] = node.children
  for (const [at, child] of children.entries()) {
    const { start, end } = child.position ?? {}
    const isTooDeep = depth > LEVELS && 'children' in child && start?.offset !== undefined && end?.offset !== undefined
    if (isTooDeep) children[at] = { type: 'text', value: source.slice(start.offset, end.offset) }
    else limitDepth(child, source, depth + 1)
  }
}
