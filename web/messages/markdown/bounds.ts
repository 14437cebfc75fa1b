/** Quotes in lists in quotes: beyond this depth nobody reads, and the parser's work grows with the square of it. */
const DEEPEST = 20
const CONTAINER = '(?:>|[-*+](?=[ \\t]|$)|\\d{1,9}[.)](?=[ \\t]|$)|\\[\\^[^\\]]+\\]:)'
const DEEP = new RegExp(`^((?:[ \\t]*${CONTAINER}){${DEEPEST}})((?:[ \\t]*${CONTAINER})+)`)
const CONTAINERS = new RegExp(`^(?:[ \\t]*${CONTAINER})+`)
const ITEM = new RegExp(`^(?:[ \\t]*>)*([ \\t]*)${CONTAINER}`)
const RULE = /^[ \t]*([-*])(?:[ \t]*\1)*[ \t]*$/

/** Marks in one paragraph that may open or close something; their pairs are sought in each other. */
const MOST_MARKS = 3_000
const MARK = /[[\]~*_`$<!&]/g

/** Each of them may be the underline of a heading. */
const MOST_UNDERLINES = 300
const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*$/

/** Each of them looks back at those before it. */
const MOST_LINES = 2_000

const PREFIX = '[ \\t>]*(?:(?:[-*+]|\\d{1,9}[.)])[ \\t]+)*'
const FENCE = new RegExp(`^(${PREFIX})(\`{3,}(?=[^\`]*$)|~{3,})`)
const BLANK = /^[ \t>]*$/
const BULLET = /^[ \t>]*(?:(?:[-*+]|0*1[.)]|#{1,6})[ \t]|\[\^[^\]\s]+\]:)/
/** No paragraph is interrupted by the second of a list. */
const NUMBER = /^[ \t>]*\d{1,9}[.)][ \t]/
/** Nor by what a name leads to. */
const DEFINITION = /^[ \t>]*\[[^[\]]+\]:[ \t]*[^ \t]+(?:[ \t]+["'(][^"'()]*["')])?[ \t]*$/
const ROW = /\|/
const TABLE_RULE = /^[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t:|-]*)?$/

/** Where a paragraph begins and ends that holds more than writing does; it is shown as it is, since sorting it out would stop the page. */
export type DensePart = { readonly from: number; readonly to: number }

/** `text` is as long as what was given, but what nests too deeply is text in it. */
export type Bounded = { readonly text: string; readonly dense: readonly DensePart[] }

export function bounded(source: string): Bounded {
  const dense: DensePart[] = []
  const lines = source.split('\n')
  const fence = fences()
  const depth = depths()
  let part = newPart(0)
  const end = (to: number) => {
    if (part.marks > MOST_MARKS || part.lines > MOST_LINES || part.underlines > MOST_UNDERLINES) dense.push({ from: part.from, to })
  }
  let offset = 0
  for (const [at, line] of lines.entries()) {
    if (fence.takes(line) || BLANK.test(line)) {
      end(offset)
      part = newPart(offset + line.length + 1)
    } else {
      lines[at] = depth.bounded(line)
      if (part.lines > 0 && begins(line, part)) {
        end(offset)
        part = { ...newPart(offset), goesOn: BULLET.test(line) ? NUMBER : part.goesOn }
      }
      take(part, line)
    }
    offset += line.length + 1
  }
  end(source.length)
  return { text: lines.join('\n'), dense }
}

/** `goesOn` is what another piece of the same list, table or the like begins with. */
type Part = { readonly from: number; marks: number; lines: number; underlines: number; goesOn: RegExp | null }

const newPart = (from: number): Part => ({ from, marks: 0, lines: 0, underlines: 0, goesOn: null })

const begins = (line: string, { goesOn }: Part) => BULLET.test(line) || goesOn?.test(line) === true

function take(part: Part, line: string): void {
  if (part.lines === 0) part.goesOn ??= [NUMBER, DEFINITION].find(first => first.test(line)) ?? null
  if (part.lines === 1 && line.includes('|') && TABLE_RULE.test(line)) part.goesOn = ROW
  if (part.goesOn === DEFINITION && !DEFINITION.test(line)) part.goesOn = null
  if (UNDERLINE.test(line)) part.underlines += 1
  part.marks += line.match(MARK)?.length ?? 0
  part.lines += 1
}

/** Tells the lines of code from the others. What is in an item or a quote does not outlast it. */
function fences() {
  let closing: RegExp | null = null
  let inside = false
  return {
    takes(line: string): boolean {
      if (closing !== null && !(inside && /^[^\s>]/.test(line))) {
        if (closing.test(line)) closing = null
        return true
      }
      const [, prefix = '', marks] = FENCE.exec(line) ?? []
      inside = prefix.trim() !== '' || prefix.length > 3
      closing = marks === undefined ? null : new RegExp(`^[ \\t>]*${marks[0]}{${marks.length},}[ \\t]*$`)
      return closing !== null
    },
  }
}

/** Counts what nests, in one line or from line to line. */
function depths() {
  const indents: number[] = []
  return {
    bounded(line: string): string {
      const [, indent] = ITEM.exec(line) ?? []
      if (indent === undefined || RULE.test(line)) return line
      while ((indents.at(-1) ?? -1) >= indent.length) indents.pop()
      indents.push(indent.length)
      if (indents.length > DEEPEST) return line.replace(CONTAINERS, asText)
      return line.replace(DEEP, (_, head: string, rest: string) => head + asText(rest))
    },
  }
}

const asText = (marks: string) => marks.replace(/[-*+>.)[]/g, '·')
