import type { PoolFacts, PoolWindow } from './pool.ts'
import { ASLEEP_AFTER_MS, CLAIM_LASTS_MS, lastAsked, stepOf } from './parts.ts'
import { poolSpan, windowLength } from './poolSpan.ts'

const DAY = 86_400_000
const HALF_HOUR = 1_800_000
/** After so long everybody who does not ask is asleep, and nothing is kept for anybody. */
const ALL_ASLEEP_MS = ASLEEP_AFTER_MS + DAY

/**
 * The first moment from `from` on at which a window allows an ask, if nobody does anything; null: none. Between two
 * edges, the moments at which somebody falls asleep, a claim or a gift ends, a window resets or what is kept changes,
 * lines only leave and what is kept only falls: what is allowed once stays so until the next edge. So the moment is
 * found by halving what is between two edges.
 */
export function firstOpening(
  facts: PoolFacts,
  window: PoolWindow,
  { need }: { need: Record<PoolWindow['unit'], number> },
  allows: (window: PoolWindow, moment: number) => boolean,
  from: number,
): number | null {
  if (need[window.unit] > window.amount) return null
  const edges = edgesAfter(facts, window, from)
  let start = from
  while (true) {
    if (allows(window, start)) return start
    const edge = edges.next(start)
    if (edge === null) return null
    const isLast = edge.is_still || edge.at - start <= 1
    if (!isLast && allows(window, edge.at - 1)) return halve(start, edge.at - 1, moment => allows(window, moment))
    start = edge.at
  }
}

/** `closed` is not allowed, `open` is. */
function halve(closed: number, open: number, allows: (moment: number) => boolean): number {
  let [low, high] = [closed, open]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (allows(middle)) high = middle
    else low = middle
  }
  return high
}

/** `is_still`: until then nothing changes. */
type Edge = { at: number; is_still: boolean }

/** The next edge after a moment; null: the last one has passed, and nothing changes any more. */
function edgesAfter(facts: PoolFacts, window: PoolWindow, from: number): { next(moment: number): Edge | null } {
  const length = windowLength(window)
  const last = from + ALL_ASLEEP_MS + 2 * length
  const ahead = timesAhead(facts, window, from)
  const all_left = Math.max(from, ...ahead) + length
  const fixed = fixedEdges(facts, window, ahead)
    .filter(edge => edge > from && edge <= last)
    .toSorted((one, other) => one - other)
  let index = 0
  return {
    next: moment => {
      if (moment >= last) return null
      while (index < fixed.length && (fixed[index] ?? 0) <= moment) index++
      const { ends, is_open } = poolSpan(facts, window, moment)
      // Further ahead than the window is long half hours are near enough.
      const step = moment < from + 2 * length ? stepOf(window) : Math.max(HALF_HOUR, stepOf(window))
      const change = ends ?? (Math.floor(moment / step) + 1) * step
      const is_still = !is_open || (ends === null && moment >= all_left)
      return { at: Math.min(fixed[index] ?? last, change, last), is_still }
    },
  }
}

/** Of asks that were made by a clock that was ahead. */
const timesAhead = ({ state, running }: PoolFacts, window: PoolWindow, from: number): number[] =>
  [...state.timesAfter(window.key, from), ...running.map(line => line.asked_time)].filter(at => at > from)

function fixedEdges(facts: PoolFacts, window: PoolWindow, ahead: readonly number[]): number[] {
  const { members, claims, gifts, openings } = facts
  const length = windowLength(window)
  const { reported } = window
  const opened_at = openings.get(window.key)
  return [
    ...[...members.values()].map(member => lastAsked(facts, member) + ASLEEP_AFTER_MS),
    ...[...claims.values()].map(({ time }) => time + CLAIM_LASTS_MS),
    ...gifts.map(({ until }) => until),
    // They count as soon as they are less than a window away.
    ...(window.window.kind === 'rolling' ? ahead.map(at => at - length + 1) : []),
    ...(opened_at === undefined ? [] : [opened_at]),
    ...(reported?.ends_at == null ? [] : [reported.ends_at, reported.ends_at - 2 * length]),
    ...(reported == null ? [] : [reported.at, reported.at + 1, reported.at + length]),
  ].filter(Number.isFinite)
}
