import type { SharePerson, ShareWindow } from '#contract/shares.ts'

/** What a piece of a bar stands for. */
export type PieceKind = 'mine' | 'borrowed' | 'other' | 'left' | 'kept' | 'free'
/** `name` is of somebody else, where names are shown. */
export type Piece = { kind: PieceKind; amount: number; name: string | null }

/** So many others have a piece each; what further people used is one piece. */
const MAX_OTHERS = 12

/**
 * The window from left to right: what is used, mine, borrowed by me and others', the largest first; then what is not:
 * mine, kept for others, free. All of them together are what the window has.
 */
export function barPieces({ capacity, used, mine, people }: ShareWindow): Piece[] {
  const borrowed = mine?.borrowed ?? 0
  const own = (mine?.used ?? 0) - borrowed
  const unused = Math.max(0, capacity - used)
  const left = Math.min(unused, ownLeft(mine))
  const keptForOthers = people.reduce((sum, { is_me, kept }) => (is_me ? sum : sum + kept), 0)
  const kept = Math.min(unused - left, keptForOthers)
  return [
    ...piece('mine', own),
    ...piece('borrowed', borrowed),
    ...othersPieces(people, used - own - borrowed),
    ...piece('left', left),
    ...piece('kept', kept),
    ...piece('free', unused - left - kept),
  ]
}

/** Of one's share; with what others gave. */
export function ownLeft(mine: ShareWindow['mine']): number {
  return mine === null ? 0 : Math.max(0, mine.share - (mine.used - mine.borrowed))
}

export const piece = (kind: PieceKind, amount: number, name: string | null = null): Piece[] =>
  amount > 0 ? [{ kind, amount, name }] : []

/** `used`: by all others together, also by those who are no members any more. */
function othersPieces(people: readonly SharePerson[], used: number): Piece[] {
  const others = people.filter(person => !person.is_me && person.used > 0).toSorted((a, b) => b.used - a.used)
  const shown = others.slice(0, MAX_OTHERS).map(({ used: amount, name }) => ({ amount, name }))
  const further = used - shown.reduce((sum, { amount }) => sum + amount, 0)
  return [...shown.flatMap(({ amount, name }) => piece('other', amount, name)), ...piece('other', further)]
}

/** What a piece of a person's row stands for; `empty` ends the row where the scale goes on. */
export type RowKind = 'used' | 'lent' | 'left' | 'free' | 'mark' | 'borrowed' | 'empty'
export type RowPiece = { kind: RowKind; amount: number }

/**
 * A person's row: used of the share, lent, what is left of it, borrowed. A mark stands where the share ends, if they
 * used more. `scale` is the longest row.
 */
export function rowPieces({ share, used, borrowed, lent, kept, is_me }: SharePerson, scale: number): RowPiece[] {
  const own = used - borrowed
  const unused = Math.max(0, share - own - lent)
  const left = is_me ? unused : Math.min(unused, kept)
  const pieces: RowPiece[] = [
    { kind: 'used', amount: own },
    { kind: 'lent', amount: lent },
    { kind: 'left', amount: left },
    { kind: 'free', amount: unused - left },
  ]
  const length = pieces.reduce((sum, { amount }) => sum + amount, borrowed)
  return [
    ...pieces.filter(({ amount }) => amount > 0),
    ...(borrowed > 0
      ? ([
          { kind: 'mark', amount: 0 },
          { kind: 'borrowed', amount: borrowed },
        ] as const)
      : []),
    ...(scale > length ? ([{ kind: 'empty', amount: scale - length }] as const) : []),
  ]
}

/** How long the longest row is. */
export const longestRow = (people: readonly SharePerson[]): number =>
  people.reduce(
    (longest, { share, used, lent, borrowed }) => Math.max(longest, share, used + lent, share + borrowed),
    0,
  )
