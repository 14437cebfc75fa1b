import { sameLine } from './codeLines.ts'
import type { Line } from './codeLines.ts'
import type { Highlighted } from './highlight.ts'

type Highlight = (code: string) => Highlighted

/** At most this many lines at a time, so that no piece of work is long. */
const PIECE = 300

/** A line longer than this (minified code) is left plain: expressions that look for words in it take too long. */
const LONGEST_LINE = 2_000

export type CodePainter = {
  /** The lines coloured so far, from the first. */
  readonly lines: readonly Line[]
  /** Colours some more of the complete lines; answers whether there is more to do. */
  paint(code: string, complete: number): boolean
}

/**
 * Colours code that grows. What has been coloured up to a line where nothing is open stays as it is; the rest is coloured
 * again together with what has come.
 */
export function codePainter(highlight: Highlight): CodePainter {
  let lines: Line[] = []
  let kept = 0 // lines that stay as they are
  let keptCode = '' // and what they are made of
  return {
    get lines() {
      return lines
    },
    paint(code, complete) {
      if (!code.startsWith(keptCode)) {
        lines = []
        kept = 0
        keptCode = ''
      }
      const keptEnd = keptCode.length
      if (complete <= keptEnd) return false
      const end = endOfPiece(code, keptEnd, complete)
      const piece = code.slice(keptEnd, end).replace(/\n$/, '')
      const { lines: fresh, atRest } = colour(piece, highlight)
      const before = lines
      lines = [
        ...before.slice(0, kept),
        ...fresh.map((line, at) => {
          const old = before[kept + at]
          return old && sameLine(old, line) ? old : line
        }),
      ]
      if (!atRest && fresh.length < PIECE) return false
      kept = lines.length
      keptCode = code.slice(0, end)
      return end < complete
    },
  }
}

function colour(piece: string, highlight: Highlight): Highlighted {
  const lines = piece.split('\n')
  if (!lines.some(line => line.length > LONGEST_LINE)) return highlight(piece)
  return { lines: lines.map(text => [{ text, shade: null }]), atRest: true }
}

function endOfPiece(code: string, start: number, complete: number): number {
  let end = start
  for (let count = 0; count < PIECE && end < complete; count += 1) {
    const next = code.indexOf('\n', end)
    end = next === -1 || next >= complete ? complete : next + 1
  }
  return end
}
