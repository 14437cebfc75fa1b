import { after, afterFrame, whenIdle } from '#web/foundation/idle.ts'
import type { Turn } from '#web/messages/turn.ts'
import { prepareTurns } from './prepareTurns.ts'
import { runSlice } from './runSlice.ts'
import { type Edge, extendAt, type TurnWindow } from './turnWindow.ts'

/** Milliseconds until the next slice of parsing when the browser is never idle. */
const WITHIN_MS = 200
/** Pixels from the missing turns at which they are added at once. */
const NEAR = 2400
/** Milliseconds after scrolling up in which nothing is added, as long as the missing turns are further away. */
const SCROLL_PAUSE_MS = 300
export const HAS_SCROLL_ANCHORING = CSS.supports('overflow-anchor', 'auto')

/** How somebody reads: how far from the top, and whether, and when (performance.now), they scrolled up last. */
export type Reader = { top: number; isGoingUp: boolean; wentUpAt: number }

type Extension = {
  turns: readonly Turn[]
  window: TurnWindow
  /** What scrolls, and the room for the missing turns in it. */
  box: HTMLElement
  gap: HTMLElement | null
  /** Kept from one extension to the next. */
  reader: Reader
  show(next: TurnWindow, edge: Edge): void
}

/**
 * Adds the next few turns at the edge that the reader reaches first: parses them in small tasks while the browser is idle, or before the next
 * frame where they are about to be reached, then shows them. Returns a function that cancels it.
 */
export function extendWindow({ turns, window, box, gap, reader, show }: Extension): () => void {
  const nearest = () => nearestEdge(window, reader.top, box, gap)
  const { edge } = nearest()
  const { added, next } = extendAt(edge, turns, window)
  const parsing = prepareTurns(added)
  let scheduled: { isUrgent: boolean; cancel(): void } | null = null

  function schedule(): void {
    const pause = reader.wentUpAt + SCROLL_PAUSE_MS - performance.now()
    const isUrgent = isAboutToReach(nearest(), reader)
    // Browsers that scroll in a thread of their own may run many tasks before a frame, so an urgent step waits for one.
    if (isUrgent) scheduled = { isUrgent, cancel: afterFrame(step) }
    else scheduled = { isUrgent, cancel: pause > 0 ? after(pause, schedule) : whenIdle(step, WITHIN_MS) }
  }

  function step(): void {
    scheduled = null
    if (runSlice(parsing)) show(next, edge)
    else schedule()
  }

  function onScroll(): void {
    // The page itself only scrolls down, to the end, so scrolling up is the reader's doing.
    reader.isGoingUp = box.scrollTop < reader.top
    if (reader.isGoingUp) reader.wentUpAt = performance.now()
    // At the very top scroll anchoring does not work.
    if (HAS_SCROLL_ANCHORING && edge === 'top' && box.scrollTop <= 0) box.scrollTop = 1
    reader.top = box.scrollTop
    if (scheduled === null || scheduled.isUrgent || !isAboutToReach(nearest(), reader)) return
    scheduled.cancel()
    schedule()
  }

  box.addEventListener('scroll', onScroll, { passive: true })
  schedule()
  return () => {
    box.removeEventListener('scroll', onScroll)
    scheduled?.cancel()
  }
}

/** An edge of the window, and its distance from the reader in pixels, negative when it is in view. */
type EdgeAhead = { edge: Edge; distance: number }

function isAboutToReach({ edge, distance }: EdgeAhead, { isGoingUp }: Reader): boolean {
  return distance < 0 || (distance < NEAR && isGoingUp === (edge !== 'gapStart'))
}

/** The edge that the reader reaches first. */
function nearestEdge(
  { anchorRange, tail }: TurnWindow,
  scrollTop: number,
  box: HTMLElement,
  gap: HTMLElement | null,
): EdgeAhead {
  const top = { edge: 'top', distance: (anchorRange?.from ?? tail) > 0 ? scrollTop : Infinity } as const
  if (anchorRange === null || gap === null || top.distance < NEAR) return top
  const screen = box.getBoundingClientRect()
  const rect = gap.getBoundingClientRect()
  // Reading downwards the gap begins at its start, upwards at its end; inside it the nearer one counts.
  return (rect.top + rect.bottom) / 2 > (screen.top + screen.bottom) / 2
    ? { edge: 'gapStart', distance: rect.top - screen.bottom }
    : { edge: 'gapEnd', distance: screen.top - rect.bottom }
}
