/** The five colours code has, and no more. */
export type Shade = 'key' | 'str' | 'num' | 'fn' | 'com'

export type Token = { readonly text: string; readonly shade: Shade | null }

export type Line = readonly Token[]

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
export function codeLines(): (code: string, coloured: readonly Line[]) => readonly Line[] {
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
