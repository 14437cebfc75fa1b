import { textOf } from '#contract/messages.ts'
import type { Turn } from '#web/messages/turn.ts'

/** Pixels of a line, and the letters it holds at most; a question and an answer with their rows take at least so much besides. */
const LINE = 27
const LETTERS = 90
const BESIDES = 130

/** How many of the latest turns fill a screen of this height whatever they hold; at least one. */
export function screenful(turns: readonly Turn[], height: number): number {
  let filled = 0
  for (let count = 1; count < turns.length; count += 1) {
    filled += leastHeight(turns[turns.length - count])
    if (filled >= height) return count
  }
  return turns.length
}

function leastHeight(turn: Turn | undefined): number {
  const letters = turn?.replies.reduce((sum, reply) => sum + textOf(reply).length, 0) ?? 0
  return BESIDES + LINE * Math.floor(letters / LETTERS)
}
