import type { Paragraph } from 'mdast'

/**
 * Characters of a line that are parsed; one line of a million would block the page for seconds. A longer one is shown
 * as it was written.
 */
export const MAX_LINE = 30_000

/** Characters of plain text in one paragraph: the browser lays out each on its own, and only those in sight. */
const PIECE = 4_000
/** A piece ends behind a space or line end among its last characters, if there is one. */
const LOOKBACK = 500

const FENCE = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})/

/**
 * Where the first line begins that is too long to parse, and is not in a fence; null if there is none. `from` is
 * outside of fences.
 */
export function longLineIn(text: string, from: number): number | null {
  if (text.length - from <= MAX_LINE) return null
  let fence = ''
  for (let start = from; text.length - start > MAX_LINE;) {
    const newline = text.indexOf('\n', start)
    const end = newline === -1 ? text.length : newline
    const isLong = end - start > MAX_LINE
    const [, marks] = (end - start > 2 && FENCE.exec(text.slice(start, Math.min(end, start + 200)))) || []
    if (fence === '' && isLong) return start
    if (marks !== undefined && fence === '') fence = marks
    else if (marks?.startsWith(fence) && text.slice(start, end).trimEnd().endsWith(marks)) fence = ''
    start = end + 1
  }
  return null
}

export function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end === -1 ? text.length : end
}

const COMBINES = /\p{M}|[\u200D\uDC00-\uDFFF]/u

/** Where the piece of plain text that begins here ends. */
function pieceEnd(text: string, from: number, end: number): number {
  if (end - from <= PIECE) return end
  const tail = text.slice(from + PIECE - LOOKBACK, from + PIECE)
  const space = Math.max(tail.lastIndexOf('\n'), tail.lastIndexOf(' '))
  if (space !== -1) return from + PIECE - LOOKBACK + space + 1
  let cut = from + PIECE
  // Not within a character, nor before what is combined with it.
  while (
    cut < end &&
    cut < from + PIECE + 100 &&
    (COMBINES.test(text.charAt(cut)) || text.charAt(cut - 1) === '\u200D')
  )
    cut += 1
  return cut
}

/** Text as it was written, in paragraphs that the browser can lay out one by one. */
export function plainPieces(text: string, from = 0, end = text.length): Paragraph[] {
  const pieces: Paragraph[] = []
  for (let start = from; start < end || pieces.length === 0;) {
    const cut = pieceEnd(text, start, end)
    pieces.push(plainParagraph(text, start, cut))
    start = cut
  }
  return pieces
}

function plainParagraph(text: string, start: number, end: number): Paragraph {
  const position = {
    start: { line: 1, column: 1, offset: start },
    end: { line: 1, column: 1, offset: end },
  }
  return { type: 'paragraph', children: [{ type: 'text', value: text.slice(start, end), position }], position }
}

/** A long line from here on: its final pieces, and the last one if the line may still grow. */
export function longLineFrom(text: string, start: number) {
  const end = lineEnd(text, start)
  const pieces = plainPieces(text, start, end)
  const isOpen = end === text.length
  return isOpen
    ? { final: pieces.slice(0, -1), last: pieces.slice(-1), next: pieces.at(-1)?.position?.start.offset ?? end, isOpen }
    : { final: pieces, last: [], next: end + 1, isOpen }
}
