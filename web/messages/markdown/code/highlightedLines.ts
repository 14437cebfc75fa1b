/** Code has five colours. */
export type Shade = 'key' | 'str' | 'num' | 'fn' | 'com'

export type Token = { readonly text: string; readonly shade: Shade | null }

export type Line = readonly Token[]

/** `atRest`: nothing is open at the end, so that the following code can be highlighted on its own. */
export type Highlighted = { readonly lines: readonly Line[]; readonly atRest: boolean }

/** Lines that are highlighted in one task. */
const LINES_PER_STEP = 300

/** A longer line (minified code) stays plain: the expressions of a language take too long on it. */
const MAX_LINE = 2_000

const plainLine = (text: string): Line => (text ? [{ text, shade: null }] : [])

const textOf = (line: Line) => line.map(token => token.text).join('')

function sameLine(one: Line, other: Line): boolean {
  return (
    one === other ||
    (one.length === other.length &&
      one.every((token, at) => token.text === other[at]?.text && token.shade === other[at].shade))
  )
}

/** The lines of growing code, highlighted as far as they have been. An unchanged line stays the same object. */
export function growingLines(): (code: string, highlighted: readonly Line[]) => readonly Line[] {
  let lastCode = ''
  let lastHighlighted: readonly Line[] = []
  let lines: readonly Line[] = [plainLine('')]
  return (code, highlighted) => {
    if (code === lastCode && highlighted === lastHighlighted) return lines
    const kept = code.startsWith(lastCode) ? lines.length - 1 : 0
    const start = kept > 0 ? lastCode.lastIndexOf('\n') + 1 : 0
    const old = lines.slice(0, kept)
    const complete =
      highlighted === lastHighlighted ? old : old.map((line, at) => highlightedOrSame(highlighted[at], line))
    const fresh = code
      .slice(start)
      .split('\n')
      .map((text, at) => {
        const before = lines[kept + at]
        return highlightedOrSame(highlighted[kept + at], before && textOf(before) === text ? before : plainLine(text))
      })
    lines = [...complete, ...fresh]
    lastCode = code
    lastHighlighted = highlighted
    return lines
  }
}

/** The highlighted line if it has the same text; the same object if nothing changed. */
function highlightedOrSame(highlighted: Line | undefined, line: Line): Line {
  if (!highlighted || highlighted === line || sameLine(highlighted, line)) return line
  return textOf(highlighted) === textOf(line) ? highlighted : line
}

export type LineHighlighter = {
  /** The highlighted lines, from the first. */
  readonly lines: readonly Line[]
  /** Highlights some more of the complete lines; returns whether there are more. */
  step(code: string, complete: number): boolean
}

/**
 * Highlights code that grows. Lines up to one at which nothing is open are final; the others are highlighted again
 * together with the lines that follow.
 */
export function lineHighlighter(highlight: (code: string) => Highlighted): LineHighlighter {
  let lines: Line[] = []
  let final = 0 // lines
  let finalCode = '' // their code
  return {
    get lines() {
      return lines
    },
    step(code, complete) {
      if (!code.startsWith(finalCode)) {
        lines = []
        final = 0
        finalCode = ''
      }
      const start = finalCode.length
      if (complete <= start) return false
      const end = endOfStep(code, start, complete)
      const { lines: fresh, atRest } = highlightPiece(code.slice(start, end).replace(/\n$/, ''), highlight)
      const before = lines
      lines = [
        ...before.slice(0, final),
        ...fresh.map((line, at) => {
          const old = before[final + at]
          return old && sameLine(old, line) ? old : line
        }),
      ]
      if (!atRest && fresh.length < LINES_PER_STEP) return false
      final = lines.length
      finalCode = code.slice(0, end)
      return end < complete
    },
  }
}

function highlightPiece(piece: string, highlight: (code: string) => Highlighted): Highlighted {
  const lines = piece.split('\n')
  return lines.some(line => line.length > MAX_LINE) ? { lines: lines.map(plainLine), atRest: true } : highlight(piece)
}

function endOfStep(code: string, start: number, complete: number): number {
  let end = start
  for (let count = 0; count < LINES_PER_STEP && end < complete; count += 1) {
    const next = code.indexOf('\n', end)
    end = next === -1 || next >= complete ? complete : next + 1
  }
  return end
}
