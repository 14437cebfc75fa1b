import { type RefObject, startTransition, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { usePrinting } from '#web/foundation/printing.ts'
import { after, afterFrame, whenIdle } from '#web/foundation/idle.ts'
import type { Turn } from '#web/messages/turn.ts'
import { prepareTurns } from './prepareTurns.ts'
import {
  commonPrefix,
  type Edge,
  EVERYTHING,
  extendAt,
  isSameWindow,
  nextWindow,
  NOTHING,
  type TurnWindow,
} from './turnWindow.ts'

/** Milliseconds of parsing in one task; and until the next task when the browser is never idle. */
const SLICE_MS = 8
const WITHIN_MS = 200
/** Pixels from the missing turns at which they are added at once. */
const NEAR = 2400
/** Milliseconds after scrolling up in which nothing is added, as long as the missing turns are further away. */
const SCROLL_PAUSE_MS = 300
const HAS_SCROLL_ANCHORING = CSS.supports('overflow-anchor', 'auto')

/** Space for turns that are still missing: how many, and before which. */
type Gap = { before: string | undefined; count: number }

type RenderedTurns = { rendered: readonly Turn[]; gap: Gap | null; gapElement: RefObject<HTMLDivElement | null> }

/**
 * Windowing: renders the latest turns that fill the screen, and as many from the target on. The others are added a few at a time while
 * the browser is idle, nearest to the reader first and without moving what is being read.
 */
export function useTurnWindow(
  turns: readonly Turn[],
  scroller: RefObject<HTMLElement | null>,
  conversationKey: string,
  targets: readonly (string | null)[],
): RenderedTurns {
  const [state, setState] = useState({ conversationKey, turns: [] as readonly Turn[], window: NOTHING })
  const known = state.conversationKey === conversationKey ? commonPrefix(state.turns, turns) : 0
  // Everything is printed.
  const printing = usePrinting()
  const next = printing
    ? EVERYTHING
    : nextWindow(known === 0 ? NOTHING : state.window, { turns, known, height: innerHeight, targets })
  const window = isSameWindow(next, state.window) ? state.window : next
  const isNew = state.conversationKey !== conversationKey || known !== turns.length || known !== state.turns.length
  if (window !== state.window || isNew) setState({ conversationKey, turns, window })
  const gapElement = useRef<HTMLDivElement>(null)
  const scrollBefore = useRef<{ height: number; top: number } | null>(null)
  const reader = useRef({ top: 0, isGoingUp: false, wentUpAt: -Infinity })

  useEffect(() => {
    const box = scroller.current
    if (box === null || isSameWindow(window, EVERYTHING)) return
    const nearest = () => nearestEdge(window, reader.current.top, box, gapElement.current)
    const { edge } = nearest()
    const { added, next: extended } = extendAt(edge, turns, window)
    const steps = prepareTurns(added)
    const show = () => setState({ conversationKey, turns, window: extended })
    /** Whether the reader is about to reach missing turns. */
    const isUrgent = () => {
      const { edge: ahead, distance } = nearest()
      return distance < 0 || (distance < NEAR && reader.current.isGoingUp === (ahead !== 'gapStart'))
    }
    let wasUrgent = false
    let cancel: (() => void) | null = null
    const extend = () => {
      cancel = null
      const until = performance.now() + SLICE_MS
      let step = steps.next()
      while (!step.done && performance.now() < until) step = steps.next()
      if (!step.done) return schedule()
      if (HAS_SCROLL_ANCHORING) return startTransition(show)
      // Read only when needed, since both force a layout.
      if (edge !== 'gapStart') scrollBefore.current = { height: box.scrollHeight, top: box.scrollTop }
      flushSync(show)
    }
    const schedule = () => {
      wasUrgent = isUrgent()
      const pause = reader.current.wentUpAt + SCROLL_PAUSE_MS - performance.now()
      // Browsers that scroll in a thread of their own may run many tasks before a frame, so an urgent step waits for one.
      if (wasUrgent) cancel = afterFrame(extend)
      else cancel = pause > 0 ? after(pause, schedule) : whenIdle(extend, WITHIN_MS)
    }
    const onScroll = () => {
      // The page itself only scrolls down, to the end, so scrolling up is the reader's doing.
      const isGoingUp = box.scrollTop < reader.current.top
      // At the very top scroll anchoring does not work.
      if (HAS_SCROLL_ANCHORING && edge === 'top' && box.scrollTop <= 0) box.scrollTop = 1
      const wentUpAt = isGoingUp ? performance.now() : reader.current.wentUpAt
      reader.current = { top: box.scrollTop, isGoingUp, wentUpAt }
      if (wasUrgent || cancel === null || !isUrgent()) return
      cancel()
      schedule()
    }
    box.addEventListener('scroll', onScroll, { passive: true })
    schedule()
    return () => {
      box.removeEventListener('scroll', onScroll)
      cancel?.()
    }
  }, [turns, window, conversationKey, scroller])

  useLayoutEffect(() => {
    const before = scrollBefore.current
    scrollBefore.current = null
    const box = scroller.current
    if (box !== null && before !== null) box.scrollTo(0, before.top + box.scrollHeight - before.height)
  }, [window, scroller])

  return { ...useMemo(() => renderedIn(turns, window), [turns, window]), gapElement }
}

function renderedIn(turns: readonly Turn[], { anchorRange, tail }: TurnWindow): Omit<RenderedTurns, 'gapElement'> {
  if (anchorRange === null) return { rendered: turns.slice(tail), gap: null }
  return {
    rendered: [...turns.slice(anchorRange.from, anchorRange.to), ...turns.slice(tail)],
    gap: { before: turns[tail]?.key, count: tail - anchorRange.to },
  }
}

/** The edge that the reader reaches first, and its distance in pixels, negative when it is in view. */
function nearestEdge(
  { anchorRange, tail }: TurnWindow,
  scrollTop: number,
  box: HTMLElement,
  gap: HTMLElement | null,
): { edge: Edge; distance: number } {
  const top = { edge: 'top', distance: (anchorRange?.from ?? tail) > 0 ? scrollTop : Infinity } as const
  if (anchorRange === null || gap === null || top.distance < NEAR) return top
  const screen = box.getBoundingClientRect()
  const rect = gap.getBoundingClientRect()
  // Reading downwards the gap begins at its start, upwards at its end; inside it the nearer one counts.
  return (rect.top + rect.bottom) / 2 > (screen.top + screen.bottom) / 2
    ? { edge: 'gapStart', distance: rect.top - screen.bottom }
    : { edge: 'gapEnd', distance: screen.top - rect.bottom }
}
