/** A fence that is open: its marks, the quotes it stands in and the column of the list around it. */
type Fence = { marks: string; quotes: number; column: number }

const QUOTES = /^(?: {0,3}> ?)+/
const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/
const ITEM = /^( {0,3}(?:[-*+]|\d{1,9}[.)]))( {1,4}(?=\S)| *$)/
/** Blocks of HTML that only their own end closes. */
const RAW = [
  ['<!--', '-->'],
  ['<pre', '</pre>'],
  ['<script', '</script>'],
  ['<style', '</style>'],
  ['<textarea', '</textarea>'],
  ['<?', '?>'],
  ['<![cdata[', ']]>'],
] as const

/** A text that broke off within a block of code, a formula or a comment, with its end, so that what follows is not part of it. */
export function withClosedBlocks(text: string): string {
  const { fence, formula } = openBlocks(text)
  if (fence !== null)
    return `${text.replace(/\n+$/, '')}\n${'> '.repeat(fence.quotes)}${' '.repeat(fence.column)}${fence.marks}`
  if (formula) return `${text.replace(/\n+$/, '')}\n$$`
  const raw = RAW.find(([begin, end]) => opensLast(text, begin, end))
  return raw === undefined ? text : `${text}\n${raw[1]}`
}

function openBlocks(text: string): { fence: Fence | null; formula: boolean } {
  let fence: Fence | null = null
  let formula = false
  let columns: number[] = []
  for (const line of text.replaceAll('\t', '    ').split('\n')) {
    const prefix = QUOTES.exec(line)?.[0] ?? ''
    const quotes = prefix.split('>').length - 1
    const body = line.slice(prefix.length)
    if (fence !== null && !leaves(fence, quotes, body)) {
      if (closes(fence, body)) fence = null
      continue
    }
    fence = null
    const { inside, column, around } = itemsIn(body, columns)
    columns = around
    const marks = formula ? undefined : FENCE.exec(inside)?.[1]
    if (marks !== undefined) fence = { marks, quotes, column }
    else if (
      /^\s*\$\$\s*$/.test(inside) ||
      (!formula && /^\s*\$\$(?!.*\$\$)/.test(inside)) ||
      (formula && /\$\$\s*$/.test(inside))
    )
      formula = !formula
  }
  return { fence, formula }
}

/** A line outside of the quote or the list that a fence stands in ends it with them. */
function leaves(fence: Fence, quotes: number, body: string): boolean {
  if (quotes < fence.quotes) return true
  return body.trim() !== '' && indentOf(body) < fence.column
}

function closes({ marks, column }: Fence, body: string): boolean {
  const line = body.slice(Math.min(column, indentOf(body)))
  return indentOf(line) <= 3 && new RegExp(`^${marks[0]}{${marks.length},}$`).test(line.trim())
}

/** The line inside of the lists around it, the column where it begins, and the columns of those lists. */
function itemsIn(body: string, before: readonly number[]): { inside: string; column: number; around: number[] } {
  const indent = indentOf(body)
  const around = body.trim() === '' ? [...before] : before.filter(column => column <= indent)
  let column = around.at(-1) ?? 0
  let inside = body.slice(column)
  for (let item = ITEM.exec(inside); item !== null; item = ITEM.exec(inside)) {
    const [whole, mark = '', space = ''] = item
    column += mark.length + Math.max(1, space.length)
    around.push(column)
    inside = inside.slice(whole.length)
    if (inside === '') break
  }
  return { inside, column, around }
}

function indentOf(text: string): number {
  return text.length - text.trimStart().length
}

function opensLast(text: string, begin: string, end: string): boolean {
  const low = text.toLowerCase()
  const at = low.lastIndexOf(begin)
  if (at < 0 || low.includes(end, at)) return false
  return low.slice(low.lastIndexOf('\n', at) + 1, at).trim() === ''
}
