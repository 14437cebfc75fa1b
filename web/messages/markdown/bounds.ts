/** Quotes in lists in quotes: beyond this depth nobody reads, and the parser's work grows with the square of it. */
const DEEPEST = 20
const DEEP = new RegExp(`^((?:[ \\t]*(?:>|[-*+](?=[ \\t])|\\d{1,9}[.)](?=[ \\t]))){${DEEPEST}})([^\\n]*)`, 'gm')
const RULE = /^[ \t]*([-*])(?:[ \t]*\1)*[ \t]*$/

/** The same number of characters, but what nests too deeply is text. */
export function shallow(source: string): string {
  return source.replace(DEEP, (line: string, head: string, rest: string) => (RULE.test(line) ? line : head + rest.replace(/[-*+>.)]/g, '·')))
}

/** Marks in one paragraph that may open or close something; their pairs are sought in each other. */
const MOST_MARKS = 3_000
const FENCED = /^[ \t>]*(`{3,}|~{3,})[^\n]*\n[^]*?(?:\n[ \t>]*\1[`~]*[ \t]*(?=\n|$)|$(?![^]))/gm
const ROWS = /^[ \t]*\|[^\n]*$/gm

/** Each of them may be the underline of a heading. */
const MOST_UNDERLINES = 300
const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*$/gm

/** Whether a paragraph holds more marks than writing does; it is shown as it is, since sorting them out would stop the page. */
export function isDense(source: string): boolean {
  return hasManyMarks(source) && hasManyMarks(source.replace(FENCED, '').replace(ROWS, ''))
}

function hasManyMarks(source: string): boolean {
  if (source.length < MOST_UNDERLINES) return false
  return source.split(/\n[ \t]*\n/).some(part => count(part, /[[\]~*_`$<!]/g) > MOST_MARKS || count(part, UNDERLINE) > MOST_UNDERLINES)
}

const count = (text: string, what: RegExp) => text.match(what)?.length ?? 0
