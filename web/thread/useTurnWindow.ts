import {
  type RefObject,
  startTransition,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { after, afterFrame, whenIdle } from '#web/foundation/idle.ts'
import { usePrinting } from '#web/foundation/printing.ts'
import type { Turn } from '#web/messages/turn.ts'
import {
  commonPrefix,
  type Edge,
  EVERYTHING,
  extendAt,
  isSameWindow,
  nextWindow,
  NOTHING,
  prepareTurns,
  runSlice,
  type TurnWindow,
} from './turnWindow.ts'

/** Room for turns that are still missing: how many, and before which. */
type Gap = { before: string | undefined; count: number }

type RenderedTurns = { rendered: readonly Turn[]; gap: Gap | null; gapElement: RefObject<HTMLDivElement | null> }

/**
 * Windowing: renders the latest turns that fill the screen, and as many from the target on. The others are added a few
 * at a time while the browser is idle, nearest to the reader first and without moving what is being read.
 */
export function useTurnWindow(
  turns: readonly Turn[],
  scroller: RefObject<HTMLElement | null>,
  conversationKey: string,
  targets: readonly (string | null)[],
): RenderedTurns {
  const { window, setWindow } = useWindow(turns, conversationKey, targets)
  const gapElement = useRef<HTMLDivElement>(null)
  const reader = useRef<ScrollState>({ top: 0, isGoingUp: false, wentUpAt: -Infinity })
  const scrollBefore = useRef<{ height: number; top: number } | null>(null)

  useEffect(() => {
    const box = scroller.current
    if (box === null || isSameWindow(window, EVERYTHING)) return
    const show = (next: TurnWindow, edge: Edge) => {
      if (HAS_SCROLL_ANCHORING) return startTransition(() => setWindow(next))
      // Read only when needed, since both force a layout.
      if (edge !== 'gapStart') scrollBefore.current = { height: box.scrollHeight, top: box.scrollTop }
      flushSync(() => setWindow(next))
    }
    return extendWindow({ turns, window, box, gap: gapElement.current, reader: reader.current, show })
  }, [turns, window, setWindow, scroller])

  // Without scroll anchoring, what is being read is put back to where it was.
  useLayoutEffect(() => {
    const before = scrollBefore.current
    scrollBefore.current = null
    const box = scroller.current
    if (box !== null && before !== null) box.scrollTo(0, before.top + box.scrollHeight - before.height)
  }, [window, scroller])

  return { ...useMemo(() => renderedIn(turns, window), [turns, window]), gapElement }
}

/** The window of these turns: for others than before it is the next one at once, within the same rendering. */
function useWindow(turns: readonly Turn[], conversationKey: string, targets: readonly (string | null)[]) {
  const [state, setState] = useState({ conversationKey, turns: [] as readonly Turn[], window: NOTHING })
  const isPrinting = usePrinting()
  const known = state.conversationKey === conversationKey ? commonPrefix(state.turns, turns) : 0
  const before = known === 0 ? NOTHING : state.window
  const next = isPrinting ? EVERYTHING : nextWindow(before, { turns, known, height: innerHeight, targets })
  const window = isSameWindow(next, state.window) ? state.window : next
  const isNew = state.conversationKey !== conversationKey || known !== turns.length || known !== state.turns.length
  if (window !== state.window || isNew) setState({ conversationKey, turns, window })
  const setWindow = useCallback(
    (extended: TurnWindow) => setState({ conversationKey, turns, window: extended }),
    [conversationKey, turns],
  )
  return { window, setWindow }
}

function renderedIn(turns: readonly Turn[], { anchorRange, tail }: TurnWindow): Omit<RenderedTurns, 'gapElement'> {
  if (anchorRange === null) return { rendered: turns.slice(tail), gap: null }
  return {
    rendered: [...turns.slice(anchorRange.from, anchorRange.to), ...turns.slice(tail)],
    gap: { before: turns[tail]?.key, count: tail - anchorRange.to },
  }
}

/** Milliseconds until the next slice of parsing when the browser is never idle. */
const WITHIN_MS = 200
/** Pixels from the missing turns at which they are added at once. */
const NEAR = 2400
/** Milliseconds after scrolling up in which nothing is added, as long as the missing turns are further away. */
const SCROLL_PAUSE_MS = 300
const HAS_SCROLL_ANCHORING = CSS.supports('overflow-anchor', 'auto')

/** How somebody reads: how far from the top, and whether, and when (performance.now), they scrolled up last. */
type ScrollState = { top: number; isGoingUp: boolean; wentUpAt: number }

type Extension = {
  turns: readonly Turn[]
  window: TurnWindow
  /** What scrolls, and the room for the missing turns in it. */
  box: HTMLElement
  gap: HTMLElement | null
  /** Kept from one extension to the next. */
  reader: ScrollState
  show(next: TurnWindow, edge: Edge): void
}

/**
 * Adds the next few turns at the edge that the reader reaches first: parses them in small tasks while the browser is
 * idle, or before the next frame where they are about to be reached, then shows them. Returns a function that cancels
 * it.
 */
function extendWindow({ turns, window, box, gap, reader, show }: Extension): () => void {
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

function isAboutToReach({ edge, distance }: EdgeAhead, { isGoingUp }: ScrollState): boolean {
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
