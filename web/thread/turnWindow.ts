import { textOf } from '#contract/messages.ts'
import type { ConversationHistory } from '#contract/conversations.ts'
import { pathTo } from '#contract/messageTree.ts'
import { type Turn, turnsOf } from '#web/messages/turn.ts'
import { prepareBlocks } from '#web/messages/markdown/parser/parseWhole.ts'
import { loadSteps } from '#web/messages/Steps.tsx'
import { stepKindOf } from '#web/messages/steps.ts'

/** Characters of answers that are added in one step; a turn counts for at least MIN_CHARACTERS. */
const STEP_CHARACTERS = 1200
const MIN_CHARACTERS = 100

/** Estimates: pixels of a line, characters that fit on it, and pixels of a turn beside the text of its answer. */
const LINE_HEIGHT = 27
const LINE_CHARACTERS = 90
const TURN_HEIGHT = 130

type Range = { from: number; to: number }

/**
 * Which turns are rendered: all from `tail` on and, before a gap, those around the message that the reader was led to.
 */
export type TurnWindow = { anchorRange: Range | null; tail: number }

/** Where the window can grow: before everything that is rendered, or on either side of the gap. */
export type Edge = 'top' | 'gapStart' | 'gapEnd'

export const NOTHING: TurnWindow = { anchorRange: null, tail: Infinity }
export const EVERYTHING: TurnWindow = { anchorRange: null, tail: 0 }

type Conversation = {
  turns: readonly Turn[]
  /** How many of the turns, from the first on, were there before. */
  known: number
  /** Pixels of the screen. */
  height: number
  /** Messages to render; the first of them that exists counts. */
  targets: readonly (string | null)[]
}

/**
 * The next window. What was rendered stays; the last screen and one from the target on are added. Of many new turns no
 * more than that is rendered.
 */
export function nextWindow(before: TurnWindow, { turns, known, height, targets }: Conversation): TurnWindow {
  const lastScreen = turns.length - turnsPerScreen(turns, height)
  const screenFrom = (at: number) => ({
    from: at,
    to: at + 1 + turnsPerScreen(turns.slice(at + 1).toReversed(), height),
  })
  let next = closeGap({ ...before, tail: Math.min(before.tail, lastScreen) })
  if (known < lastScreen) {
    const from = before.tail < known ? before.tail : (before.anchorRange?.from ?? Infinity)
    const to = before.tail < known ? known : Math.min(before.anchorRange?.to ?? 0, known)
    // Another branch begins where the reader has chosen it, so a screen is rendered from there.
    const anchorRange = from < to ? { from, to: to === known ? screenFrom(known).to : to } : null
    next = closeGap({ anchorRange, tail: lastScreen })
  }
  const target = indexOfTarget(turns, targets)
  return target === null || contains(next, target)
    ? next
    : closeGap({ anchorRange: screenFrom(target), tail: next.tail })
}

/** The next few turns at an edge, and the window that includes them. */
export function extendAt(
  edge: Edge,
  turns: readonly Turn[],
  { anchorRange, tail }: TurnWindow,
): { added: readonly Turn[]; next: TurnWindow } {
  if (anchorRange === null || edge === 'top') {
    const top = anchorRange?.from ?? tail
    const from = top - stepSize(turns.slice(0, top).toReversed())
    return {
      added: turns.slice(from, top),
      next: anchorRange === null ? { anchorRange, tail: from } : { anchorRange: { ...anchorRange, from }, tail },
    }
  }
  const gap = turns.slice(anchorRange.to, tail)
  if (edge === 'gapStart') {
    const added = gap.slice(0, stepSize(gap))
    return { added, next: closeGap({ anchorRange: { ...anchorRange, to: anchorRange.to + added.length }, tail }) }
  }
  const added = gap.slice(-stepSize(gap.toReversed()))
  return { added, next: closeGap({ anchorRange, tail: tail - added.length }) }
}

export function isSameWindow(a: TurnWindow, b: TurnWindow): boolean {
  return a.tail === b.tail && a.anchorRange?.from === b.anchorRange?.from && a.anchorRange?.to === b.anchorRange?.to
}

/** How many turns, from the first on, both have in common. */
export function commonPrefix(a: readonly Turn[], b: readonly Turn[]): number {
  if (a === b) return a.length
  const other = a.findIndex(({ key }, at) => key !== b[at]?.key)
  return other < 0 ? a.length : other
}

/** How many of the latest turns fill a screen of this height whatever they hold; at least one. */
export function turnsPerScreen(turns: readonly Turn[], height: number): number {
  let filled = 0
  for (let count = 1; count < turns.length; count += 1) {
    const turn = turns[turns.length - count]
    filled += TURN_HEIGHT + LINE_HEIGHT * Math.floor((turn === undefined ? 0 : charactersOf(turn)) / LINE_CHARACTERS)
    if (filled >= height) return count
  }
  return turns.length
}

function closeGap(window: TurnWindow): TurnWindow {
  const { anchorRange, tail } = window
  return anchorRange === null || anchorRange.to < tail
    ? window
    : { anchorRange: null, tail: Math.min(anchorRange.from, tail) }
}

function contains({ anchorRange, tail }: TurnWindow, at: number): boolean {
  return at >= tail || (anchorRange !== null && at >= anchorRange.from && at < anchorRange.to)
}

/** How many of these turns, from the first on, are added in one step; at least one. */
function stepSize(turns: readonly Turn[]): number {
  let characters = 0
  const full = turns.findIndex(turn => {
    characters += Math.max(MIN_CHARACTERS, charactersOf(turn))
    return characters >= STEP_CHARACTERS
  })
  return full < 0 ? turns.length : full + 1
}

function charactersOf({ replies }: Turn): number {
  return replies.reduce((sum, reply) => sum + textOf(reply).length, 0)
}

/** The turn that holds the first of these messages that exists. */
function indexOfTarget(turns: readonly Turn[], targets: readonly (string | null)[]): number | null {
  for (const message_id of targets) {
    if (message_id === null) continue
    const at = turns.findIndex(
      ({ question, replies }) => question?.id === message_id || replies.some(({ id }) => id === message_id),
    )
    if (at >= 0) return at
  }
  return null
}

/**
 * Parses what will be on the screen first, in several tasks: the page stays responsive, and rendering it is then quick.
 */
export async function prepareHistory<H extends Pick<ConversationHistory, 'mapping' | 'current_node'>>(
  history: H,
): Promise<H> {
  // Decoding the response has taken time in this task already.
  await nextTask()
  const turns = turnsOf(pathTo(history.mapping, history.current_node))
  const loading = turns.some(({ replies }) => replies.some(reply => stepKindOf(reply) !== null)) ? loadSteps() : null
  const steps = prepareTurns(turns.slice(-turnsPerScreen(turns, innerHeight)))
  while (!steps.next().done) await nextTask()
  // If loading fails, the code is loaded again when the steps are rendered.
  await loading?.catch(() => undefined)
  return history
}

/** Parses these turns before they are rendered; each step of the generator is a small piece of work. */
export function* prepareTurns(turns: readonly Turn[]): Generator<undefined, void> {
  for (const { replies } of turns) {
    for (const reply of replies) if (reply.content?.content_type === 'text') yield* prepareBlocks(textOf(reply))
  }
}

const nextTask = () => new Promise(resolve => setTimeout(resolve))

/** Milliseconds of work in one task, so that scrolling is not delayed. */
const SLICE_MS = 8

/** Does the next steps of a work for one slice of time; says whether all are done. */
export function runSlice(steps: Iterator<unknown>): boolean {
  const until = performance.now() + SLICE_MS
  let isDone = steps.next().done === true
  while (!isDone && performance.now() < until) isDone = steps.next().done === true
  return isDone
}
