import { MASKS, unmasked } from '#web/messages/markdown/parser/maskedMarks.ts'
import { maskNestedFences } from '#web/messages/markdown/parser/nestedFences.ts'

/** An open fence: its marks, the number of quotes around it and the column of the list around it. */
type Fence = { marks: string; quotes: number; column: number }

const QUOTES = /^(?: {0,3}> ?)+/
const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/
const ITEM = /^( {0,3}(?:[-*+]|\d{1,9}[.)]))( {1,4}(?=\S)| *$)/
/** Blocks of HTML that only their own end tag closes. */
const RAW = [
  ['<!--', '-->'],
  ['<pre', '</pre>'],
  ['<script', '</script>'],
  ['<style', '</style>'],
  ['<textarea', '</textarea>'],
  ['<?', '?>'],
  ['<![cdata[', ']]>'],
] as const

/**
 * An answer as other viewers read it as well: nested fences told apart, and a block that broke off closed before what
 * follows.
 */
export function portableMarkdown(text: string): string {
  return withClosedBlocks(withLongerFences(text))
}

/** Closes a code block, formula or comment at the end of the text. */
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

/** Whether the line is outside of the quote or the list around the fence, which ends with them. */
function leaves(fence: Fence, quotes: number, body: string): boolean {
  if (quotes < fence.quotes) return true
  return body.trim() !== '' && indentOf(body) < fence.column
}

function closes({ marks, column }: Fence, body: string): boolean {
  const line = body.slice(Math.min(column, indentOf(body)))
  return indentOf(line) <= 3 && new RegExp(`^${marks[0]}{${marks.length},}$`).test(line.trim())
}

/** The line without the list items before it, its column, and the columns of the lists around it. */
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

const NESTED_FENCE = /(?<=^[ \t>*+\-\d.)]*)(?:`{3,}|~{3,})/
const MASKED = new RegExp(`(?:${MASKS['`']}{3,}|${MASKS['~']}{3,})`)

/** Makes a fence that holds fences longer than those: in other viewers the first closing fence would close all. */
export function withLongerFences(text: string): string {
  const masked = maskNestedFences(text, true)
  if (masked === text) return text
  const lines = masked.split('\n')
  let begin: number | null = null
  let longest = 0
  for (const [at, line] of lines.entries()) {
    longest = Math.max(longest, MASKED.exec(line)?.[0].length ?? 0)
    const marks = NESTED_FENCE.exec(line)?.[0]
    if (marks === undefined) continue
    const isEnd: boolean = begin !== null && longest > 0 && lines[begin]?.match(NESTED_FENCE)?.[0][0] === marks[0]
    if (!isEnd) {
      if (longest === 0) begin = at
      continue
    }
    for (const end of [begin ?? at, at])
      lines[end] = lines[end]?.replace(NESTED_FENCE, ([mark = '`']) => mark.repeat(longest + 1)) ?? ''
    begin = null
    longest = 0
  }
  return unmasked(lines.join('\n'))
}
