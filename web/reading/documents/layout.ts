import { cellText } from './markdownWriter.ts'

/** A run of text on a page: where its baseline begins, from the left and from the bottom, and how large it is. */
export type TextRun = { text: string; x: number; y: number; width: number; size: number }

/** Runs of a line without a wide gap between them. */
type Segment = { text: string; left: number; right: number; y: number; size: number }
type Line = { segments: Segment[]; y: number; size: number; left: number; right: number }

/** Shares of the size of the letters. */
const SPACE = 0.18
const WIDE_GAP = 1.2
const SAME_LINE = 0.45
const PARAGRAPH_GAP = 1.75

/** The text of a page in the order in which it is read: columns one after another, rows of a table as a table. */
export function textOfPage(runs: readonly TextRun[]): string {
  const lines = linesOf(segmentsOf(runs))
  if (lines.length === 0) return ''
  return blocksOf(lines, bodySize(lines)).join('\n\n')
}

function segmentsOf(runs: readonly TextRun[]): Segment[] {
  const segments: Segment[] = []
  let open: Segment | null = null
  for (const { text, x, y, width, size } of runs) {
    if (text === '' || size <= 0) continue
    if (text.trim() === '') {
      // A space is seen by its width, unless it is written within a word that goes on.
      if (open !== null && isOnLine(open, y) && Math.abs(x - open.right) < size) open.text += ' '
      continue
    }
    const gap: number = open === null ? Infinity : x - open.right
    if (open !== null && isOnLine(open, y) && gap < WIDE_GAP * size && gap > -size) {
      const isApart = gap > SPACE * size && !open.text.endsWith(' ') && !text.startsWith(' ')
      open.text += isApart && !(isWide(open.text.at(-1)) && isWide(text[0])) ? ` ${text}` : text
      open.right = Math.max(open.right, x + width)
      open.size = Math.max(open.size, size)
    } else {
      open = { text, left: x, right: x + width, y, size }
      segments.push(open)
    }
  }
  return segments
}

const isOnLine = ({ y, size }: { y: number; size: number }, other: number) => Math.abs(y - other) < SAME_LINE * size

/** Chinese, Japanese and Korean letters stand next to each other without spaces. */
const isWide = (character = '') => /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]/.test(character)

function linesOf(segments: readonly Segment[]): Line[] {
  const lines: Line[] = []
  for (const segment of segments.toSorted((one, other) => other.y - one.y || one.left - other.left)) {
    const line = lines.at(-1)
    if (line !== undefined && isOnLine(line, segment.y)) {
      line.segments.push(segment)
      line.left = Math.min(line.left, segment.left)
      line.right = Math.max(line.right, segment.right)
      line.size = Math.max(line.size, segment.size)
    } else
      lines.push({ segments: [segment], y: segment.y, size: segment.size, left: segment.left, right: segment.right })
  }
  for (const line of lines) line.segments.sort((one, other) => one.left - other.left)
  return lines
}

/** The size that most letters have. */
function bodySize(lines: readonly Line[]): number {
  const letters = new Map<number, number>()
  for (const { text, size } of lines.flatMap(({ segments }) => segments)) {
    const rounded = Math.round(size * 2) / 2
    letters.set(rounded, (letters.get(rounded) ?? 0) + text.length)
  }
  return [...letters].reduce((most, each) => (each[1] > most[1] ? each : most))[0]
}

function blocksOf(lines: readonly Line[], body: number): string[] {
  const blocks: string[] = []
  let plain: Line[] = []
  const endPlain = () => {
    blocks.push(...paragraphsOf(plain, body))
    plain = []
  }
  for (let at = 0; at < lines.length;) {
    const columns = columnsFrom(lines, at)
    const table = columns === null ? tableFrom(lines, at) : null
    const line = lines[at]
    if (columns !== null) {
      endPlain()
      for (const column of columns.parts) blocks.push(...blocksOf(column, body))
      at = columns.end
    } else if (table !== null) {
      endPlain()
      blocks.push(table.text)
      at = table.end
    } else {
      if (line !== undefined) plain.push(line)
      at += 1
    }
  }
  endPlain()
  return blocks
}

/** Lines by which columns are looked for. */
const WINDOW = 6
const MIN_COLUMN_LINES = 4
/** Letters of a line of prose, at least. Those of a table are shorter. */
const MIN_PROSE = 16

/** Lines from there on that stand in two columns of prose; each may have columns itself. */
function columnsFrom(lines: readonly Line[], at: number): { parts: Line[][]; end: number } | null {
  const first = lines.slice(at, at + WINDOW).flatMap(({ segments }) => segments)
  let gutter = gutterOf(first)
  if (gutter === null) return null
  let end = at
  for (; end < lines.length; end++) {
    const narrowed = narrow(gutter, lines[end]?.segments ?? [])
    if (narrowed === null) break
    gutter = narrowed
  }
  const segments = lines.slice(at, end).flatMap(line => line.segments)
  const edge = gutter.from
  const parts = [segments.filter(({ right }) => right <= edge + 1), segments.filter(({ right }) => right > edge + 1)]
  return parts.every(isProse) ? { parts: parts.map(linesOf), end } : null
}

type Gutter = { from: number; to: number; least: number }

/** The widest strip without any text between text. */
function gutterOf(segments: readonly Segment[]): Gutter | null {
  let edge = -Infinity
  let widest: Gutter | null = null
  for (const { left, right, size } of segments.toSorted((one, other) => one.left - other.left)) {
    if (edge > -Infinity && left - edge > size * 0.8 && left - edge > (widest === null ? 0 : widest.to - widest.from))
      widest = { from: edge, to: left, least: size * 0.5 }
    edge = Math.max(edge, right)
  }
  return widest
}

function narrow({ from, to, least }: Gutter, segments: readonly Segment[]): Gutter | null {
  const middle = (from + to) / 2
  let [narrowFrom, narrowTo] = [from, to]
  for (const { left, right } of segments) {
    if (right <= middle) narrowFrom = Math.max(narrowFrom, right)
    else if (left >= middle) narrowTo = Math.min(narrowTo, left)
    else return null
  }
  return narrowTo - narrowFrom < least ? null : { from: narrowFrom, to: narrowTo, least }
}

function isProse(segments: readonly Segment[]): boolean {
  if (segments.length < MIN_COLUMN_LINES) return false
  const letters = segments.reduce((sum, { text }) => sum + lettersOf(text), 0)
  return letters / segments.length >= MIN_PROSE
}

/** A Chinese character says as much as two letters. */
const lettersOf = (text: string) => {
  let letters = 0
  for (const character of text) letters += isWide(character) ? 2 : 1
  return letters
}

type Column = { left: number; right: number }

/** Rows from there on whose cells stand below each other. */
function tableFrom(lines: readonly Line[], at: number): { text: string; end: number } | null {
  let columns: Column[] = []
  let end = at
  for (; end < lines.length; end++) {
    const line = lines[end]
    const previous = lines[end - 1]
    if (line === undefined || line.segments.length < 2) break
    // A wide gap ends a table.
    if (end > at && previous !== undefined && previous.y - line.y > 4 * line.size) break
    const merged = mergedColumns(columns, line.segments)
    if (merged.length < Math.max(2, columns.length)) break
    columns = merged
  }
  if (end - at < 2) return null
  const rows = lines.slice(at, end).map(({ segments }) =>
    columns.map(column =>
      cellText(
        segments
          .filter(({ left, right }) => left < column.right && right > column.left)
          .map(({ text }) => text)
          .join(' '),
      ),
    ),
  )
  const [head = [], ...rest] = rows.map(cells => `| ${cells.join(' | ')} |`)
  return { text: [head, `|${' --- |'.repeat(columns.length)}`, ...rest].join('\n'), end }
}

/** Cells that lie above each other are of one column. */
function mergedColumns(columns: readonly Column[], segments: readonly Segment[]): Column[] {
  const merged: Column[] = []
  const spans = [...columns, ...segments].map(({ left, right }) => ({ left, right }))
  for (const span of spans.toSorted((one, other) => one.left - other.left)) {
    const previous = merged.at(-1)
    if (previous !== undefined && span.left < previous.right) previous.right = Math.max(previous.right, span.right)
    else merged.push(span)
  }
  return merged
}

function paragraphsOf(lines: readonly Line[], body: number): string[] {
  const edge = Math.max(...lines.map(({ right }) => right))
  const paragraphs: string[] = []
  let text = ''
  let previous: Line | null = null
  for (const line of lines) {
    const written = textOf(line)
    const heading = headingOf(line, written, body)
    if (previous !== null && isNextParagraph(previous, line)) {
      paragraphs.push(text)
      text = ''
    }
    if (text === '') text = `${heading}${written}`
    else if (heading !== '' || (previous !== null && isFull(previous, edge))) text = joined(text, written)
    else text = `${text}\n${written}`
    previous = line
  }
  if (text !== '') paragraphs.push(text)
  return paragraphs
}

function isNextParagraph(previous: Line, line: Line): boolean {
  const size = Math.max(previous.size, line.size)
  return Math.abs(previous.size - line.size) > 0.15 * size || Math.abs(previous.y - line.y) > PARAGRAPH_GAP * size
}

/** Whether a line goes on in the next one, as it reaches the edge. */
const isFull = ({ right, size }: Line, edge: number) => right > edge - 4 * size

function joined(text: string, next: string): string {
  const isWithoutSpace = text.endsWith('-') || (isWide(text.at(-1)) && isWide(next[0]))
  return isWithoutSpace ? text + next : `${text} ${next}`
}

function textOf({ segments }: Line): string {
  const text = segments
    .map(segment => segment.text.trim())
    .join('  ')
    .replace(/^[•●▪◦‣·∙]\s*/, '- ')
  return text
}

const MAX_HEADING = 150

function headingOf({ size }: Line, text: string, body: number): string {
  const ratio = size / body
  if (ratio < 1.15 || text.length > MAX_HEADING || !/[\p{L}\p{N}]/u.test(text)) return ''
  return ratio >= 1.6 ? '# ' : ratio >= 1.3 ? '## ' : '### '
}
