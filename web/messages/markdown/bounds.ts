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

/** Whether a paragraph holds more than writing does; it is shown as it is, since sorting it out would stop the page. */
export function isDense(source: string): boolean {
  return isLarge(source) && source.replace(FENCED, '').replace(TABLE, '').split(BETWEEN).some(isLarge)
}

const isLarge = (text: string) => count(text, MARK) > MOST_MARKS || count(text, /\n/g) > MOST_LINES

const count = (text: string, what: RegExp) => text.match(what)?.length ?? 0
