/** The five colours code has, and no more. */
export type Shade = 'key' | 'str' | 'num' | 'fn' | 'com'

export type Token = { readonly text: string; readonly shade: Shade | null }

export type Line = readonly Token[]

export type Highlighted = { readonly lines: readonly Line[]; readonly atRest: boolean }

const plainLine = (text: string): Line => (text ? [{ text, shade: null }] : [])

export function sameLine(one: Line, other: Line): boolean {
  return (
    one === other ||
    (one.length === other.length &&
      one.every((token, at) => token.text === other[at]?.text && token.shade === other[at].shade))
  )
}

const textOf = (line: Line) => line.map(token => token.text).join('')

/** Lines of growing code, coloured where they have been; a line that is as it was stays the same object. */
export function growingLines(): (code: string, coloured: readonly Line[]) => readonly Line[] {
  let seen = ''
  let seenColoured: readonly Line[] = []
  let lines: readonly Line[] = [plainLine('')]
  return (code, coloured) => {
    if (code === seen && coloured === seenColoured) return lines
    const kept = code.startsWith(seen) ? lines.length - 1 : 0
    const start = kept > 0 ? seen.lastIndexOf('\n') + 1 : 0
    const old = lines.slice(0, kept)
    const complete = coloured === seenColoured ? old : old.map((line, at) => fitting(coloured[at], line))
    const fresh = code
      .slice(start)
      .split('\n')
      .map((text, at) => {
        const before = lines[kept + at]
        return fitting(coloured[kept + at], before && textOf(before) === text ? before : plainLine(text))
      })
    lines = [...complete, ...fresh]
    seen = code
    seenColoured = coloured
    return lines
  }
}

/** The coloured line if it is one of this text, and still the same object if nothing changed. */
function fitting(coloured: Line | undefined, line: Line): Line {
  if (!coloured || coloured === line || sameLine(coloured, line)) return line
  return textOf(coloured) === textOf(line) ? coloured : line
}

type Highlight = (code: string) => Highlighted

/** At most this many lines at a time, so that no piece of work is long. */
const PIECE = 300

/** A line longer than this (minified code) is left plain: expressions that look for words in it take too long. */
const LONGEST_LINE = 2_000

export type LineHighlighter = {
  /** The lines coloured so far, from the first. */
  readonly lines: readonly Line[]
  /** Colours some more of the complete lines; answers whether there is more to do. */
  paint(code: string, complete: number): boolean
}

/**
 * Colours code that grows. What has been coloured up to a line where nothing is open stays as it is; the rest is coloured
 * again together with what has come.
 */
export function lineHighlighter(highlight: Highlight): LineHighlighter {
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
