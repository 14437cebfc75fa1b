import { textOf } from '#contract/messages.ts'
import type { Turn } from '#web/messages/turn.ts'
import { screenful } from './screenful.ts'

/** Letters of turns that are put to those that are shown at one go; those a turn counts for at least. */
const LETTERS = 1200
const LEAST_LETTERS = 100

/** What is shown of the turns: all from `rest` on, and, with a gap between, those around what the reader was led to. */
export type Part = { island: { from: number; to: number } | null; rest: number }

/** Where more can be put to it: before all that is shown, or on either side of the gap. */
export type Edge = 'top' | 'gapStart' | 'gapEnd'

export const NOTHING: Part = { island: null, rest: Infinity }
export const EVERYTHING: Part = { island: null, rest: 0 }

type Now = {
  turns: readonly Turn[]
  /** So many of them, from the first on, are those that stood there before. */
  known: number
  /** Pixels of the screen. */
  height: number
  /** Messages to show, the first of them that there is. */
  sought: readonly (string | null)[]
}

/** What was shown stays. Added are the last screenful and one from the wanted message on; of many new turns at once no more than that. */
export function partOf(before: Part, { turns, known, height, sought }: Now): Part {
  const last = turns.length - screenful(turns, height)
  const screenFrom = (at: number) => ({ from: at, to: at + 1 + screenful(turns.slice(at + 1).toReversed(), height) })
  let part = joined({ ...before, rest: Math.min(before.rest, last) })
  if (known < last) {
    const from = before.rest < known ? before.rest : (before.island?.from ?? Infinity)
    const to = before.rest < known ? known : Math.min(before.island?.to ?? 0, known)
    // Where another branch begins, the reader has chosen it.
    part = joined({ island: from < to ? { from, to: to === known ? screenFrom(known).to : to } : null, rest: last })
  }
  const at = placeOf(turns, sought)
  return at === null || isShown(part, at) ? part : joined({ island: screenFrom(at), rest: part.rest })
}

/** A few more turns at an edge, and the part with them. */
export function grownAt(
  edge: Edge,
  turns: readonly Turn[],
  { island, rest }: Part,
): { few: readonly Turn[]; part: Part } {
  const top = island?.from ?? rest
  if (island === null || edge === 'top') {
    const from = top - fewOf(turns.slice(0, top).toReversed())
    return {
      few: turns.slice(from, top),
      part: island === null ? { island, rest: from } : { island: { ...island, from }, rest },
    }
  }
  const gap = turns.slice(island.to, rest)
  if (edge === 'gapStart') {
    const few = gap.slice(0, fewOf(gap))
    return { few, part: joined({ island: { ...island, to: island.to + few.length }, rest }) }
  }
  const few = gap.slice(-fewOf(gap.toReversed()))
  return { few, part: joined({ island, rest: rest - few.length }) }
}

export function isSamePart(a: Part, b: Part): boolean {
  return a.rest === b.rest && a.island?.from === b.island?.from && a.island?.to === b.island?.to
}

/** How many turns, from the first on, are in both. */
export function countOfSame(a: readonly Turn[], b: readonly Turn[]): number {
  if (a === b) return a.length
  const other = a.findIndex(({ key }, at) => key !== b[at]?.key)
  return other < 0 ? a.length : other
}

function joined(part: Part): Part {
  const { island, rest } = part
  return island === null || island.to < rest ? part : { island: null, rest: Math.min(island.from, rest) }
}

function isShown({ island, rest }: Part, at: number): boolean {
  return at >= rest || (island !== null && at >= island.from && at < island.to)
}

/** So many of these, from the first on, as hold some letters; at least one. */
function fewOf(turns: readonly Turn[]): number {
  let letters = 0
  const full = turns.findIndex(({ replies }) => {
    letters += replies.reduce((sum, reply) => sum + textOf(reply).length, LEAST_LETTERS)
    return letters >= LETTERS
  })
  return full < 0 ? turns.length : full + 1
}

/** Which turn holds the first of these messages that there is. */
function placeOf(turns: readonly Turn[], sought: readonly (string | null)[]): number | null {
  for (const message_id of sought) {
    const at =
      message_id === null
        ? -1
        : turns.findIndex(
            ({ question, replies }) => question?.id === message_id || replies.some(({ id }) => id === message_id),
          )
    if (at >= 0) return at
  }
  return null
}
