import type { Nodes } from 'mdast'
import type { ReactNode } from 'react'
import type { Fold, Summary } from '../parser/foldTokens.ts'

/** Nesting of details. */
const DEEPEST = 20

type Piece<T> = { readonly at: T } | { readonly fold: Fold; readonly key: number; readonly inside: Piece<T>[] }

/**
 * The entries in their order, with what stands between a beginning and its end in a box. A box that is never closed
 * ends with the text: it may still grow. An end without a beginning stays an entry.
 */
export function folded<T>(entries: readonly T[], foldIn: (entry: T) => Fold | null): Piece<T>[] {
  const whole: Piece<T>[] = []
  const stack = [whole]
  for (const [key, entry] of entries.entries()) {
    const fold = foldIn(entry)
    if (fold?.closes && stack.length > 1) stack.pop()
    else if (fold && !fold.closes && stack.length <= DEEPEST) {
      const inside: Piece<T>[] = []
      stack.at(-1)?.push({ fold, key, inside })
      stack.push(inside)
    } else stack.at(-1)?.push({ at: entry })
  }
  return whole
}

/** Draws pieces: each box as details, with a summary as the browser wants it: first, and only one. */
export function drawFolded<T>(
  pieces: readonly Piece<T>[],
  draw: (entry: T) => ReactNode,
  summaryIn: (entry: T) => Summary | null,
  drawSummary: (summary: Summary) => ReactNode,
): ReactNode[] {
  return pieces.map(piece => {
    if ('at' in piece) return draw(piece.at)
    const first = piece.inside.findIndex(inside => 'at' in inside && summaryIn(inside.at) !== null)
    const found = piece.inside[first]
    const summary = found && 'at' in found ? summaryIn(found.at) : null
    return (
      <details key={`fold ${piece.key}`} open={piece.fold.open}>
        {summary && <summary dir="auto">{drawSummary(summary)}</summary>}
        {drawFolded(
          summary ? piece.inside.filter((_, at) => at !== first) : piece.inside,
          draw,
          summaryIn,
          drawSummary,
        )}
      </details>
    )
  })
}

export const foldIn = (node: Nodes | undefined): Fold | null => (node?.type === 'fold' ? node : null)
export const summaryIn = (node: Nodes | undefined): Summary | null => (node?.type === 'summary' ? node : null)
