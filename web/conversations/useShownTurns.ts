import { type RefObject, startTransition, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { usePrinting } from '#web/foundation/printing.ts'
import { after, afterFrame, whenIdle } from '#web/foundation/idle.ts'
import type { Turn } from '#web/messages/turn.ts'
import { prepareTurns } from './readyToShow.ts'
import { countOfSame, type Edge, EVERYTHING, grownAt, isSamePart, NOTHING, type Part, partOf } from './shownPart.ts'

/** Milliseconds for which turns are parsed at one go, and within which that is gone on with however busy the browser is. */
const MOST = 16
const LEAST = 8
const WITHIN = 200
/** Whether the browser has scroll anchoring. */
const ANCHORS = CSS.supports('overflow-anchor', 'auto')
/** Pixels from the missing turns at which they are added at once. */
const NEAR = 2400
/** Milliseconds after scrolling up in which nothing is added, as long as the missing turns are further away. */
const RESTING = 300

/** What is shown, of a conversation and of a branch of it. */
type Place = { reading: string; turns: readonly Turn[]; part: Part }

/** Room that is kept for turns that are still missing: how many, and before which. */
export type Gap = { before: string | undefined; count: number }

type ShownTurns = { shown: readonly Turn[]; gap: Gap | null; gapElement: RefObject<HTMLDivElement | null> }

/**
 * First the latest turns that fill the screen, and as many from the message that a search led to. The others are added a few at a
 * time while the browser is idle, first where the reader is, without moving what is being read.
 */
export function useShownTurns(
  turns: readonly Turn[],
  scroller: RefObject<HTMLElement | null>,
  reading: string,
  sought: readonly (string | null)[],
): ShownTurns {
  const [place, setPlace] = useState<Place>({ reading, turns: [], part: NOTHING })
  const known = place.reading === reading ? countOfSame(place.turns, turns) : 0
  // On paper there is no scrolling to more.
  const printing = usePrinting()
  const next = printing
    ? EVERYTHING
    : partOf(known === 0 ? NOTHING : place.part, { turns, known, height: innerHeight, sought })
  const part = isSamePart(next, place.part) ? place.part : next
  if (part !== place.part || reading !== place.reading || known !== turns.length || known !== place.turns.length)
    setPlace({ reading, turns, part })
  const gapElement = useRef<HTMLDivElement>(null)
  const heightBefore = useRef<{ height: number; top: number } | null>(null)
  /** How far down the reader was when they moved last, which way, and when they went up. */
  const reader = useRef({ top: 0, goesUp: false, wentUp: -Infinity })

  useEffect(() => {
    const box = scroller.current
    if (box === null || isSamePart(part, EVERYTHING)) return
    const nearest = () => nearestEdge(part, reader.current.top, box, gapElement.current)
    const at = nearest().edge
    const grown = grownAt(at, turns, part)
    const steps = prepareTurns(grown.few)
    const show = () => setPlace({ reading, turns, part: grown.part })
    /** Whether the reader comes to what is not there yet. */
    const isAwaited = () => {
      const { edge, distance } = nearest()
      return distance < 0 || (distance < NEAR && reader.current.goesUp === (edge !== 'gapStart'))
    }
    let wasAwaited = false
    let cancel: (() => void) | null = null
    const grow = (left_ms: number) => {
      cancel = null
      const until = performance.now() + Math.min(MOST, Math.max(LEAST, left_ms))
      let step = steps.next()
      while (!step.done && performance.now() < until) step = steps.next()
      if (!step.done) return goOn()
      if (ANCHORS) return startTransition(show)
      // Asking for either makes the browser lay out what it has put off.
      if (at !== 'gapStart') heightBefore.current = { height: box.scrollHeight, top: box.scrollTop }
      flushSync(show)
    }
    const goOn = () => {
      wasAwaited = isAwaited()
      const resting = reader.current.wentUp + RESTING - performance.now()
      // A browser that scrolls by itself lets tasks go before frames, however many.
      if (wasAwaited) cancel = afterFrame(() => grow(LEAST))
      else cancel = resting > 0 ? after(resting, goOn) : whenIdle(grow, WITHIN)
    }
    const onScroll = () => {
      // What moves down goes to the end; only who goes up may come to the top.
      reader.current.goesUp = box.scrollTop < reader.current.top
      if (reader.current.goesUp) reader.current.wentUp = performance.now()
      // At the very top no browser keeps what is read in its place.
      if (ANCHORS && at === 'top' && box.scrollTop <= 0) box.scrollTop = 1
      reader.current.top = box.scrollTop
      if (wasAwaited || cancel === null || !isAwaited()) return
      cancel()
      goOn()
    }
    box.addEventListener('scroll', onScroll, { passive: true })
    goOn()
    return () => {
      box.removeEventListener('scroll', onScroll)
      cancel?.()
    }
  }, [turns, part, reading, scroller])

  useLayoutEffect(() => {
    const box = scroller.current
    const before = heightBefore.current
    heightBefore.current = null
    if (box === null || before === null) return
    box.scrollTo(0, before.top + box.scrollHeight - before.height)
  }, [part, scroller])

  return { ...useMemo(() => shownOf(turns, part), [turns, part]), gapElement }
}

function shownOf(turns: readonly Turn[], { island, rest }: Part): Omit<ShownTurns, 'gapElement'> {
  if (island === null) return { shown: rest > 0 ? turns.slice(rest) : turns, gap: null }
  return {
    shown: [...turns.slice(island.from, island.to), ...turns.slice(rest)],
    gap: { before: turns[rest]?.key, count: rest - island.to },
  }
}

/** Where somebody so far down comes first to what is not there yet, and in how many pixels; less than none when it is before their eyes. */
function nearestEdge(
  { island, rest }: Part,
  read: number,
  box: HTMLElement,
  gap: HTMLElement | null,
): { edge: Edge; distance: number } {
  const above = { edge: 'top', distance: (island?.from ?? rest) > 0 ? read : Infinity } as const
  if (island === null || gap === null || above.distance < NEAR) return above
  const screen = box.getBoundingClientRect()
  const { top, bottom } = gap.getBoundingClientRect()
  // Down to where the gap begins, up to where it ends; within it the nearer of the two.
  return (top + bottom) / 2 > (screen.top + screen.bottom) / 2
    ? { edge: 'gapStart', distance: top - screen.bottom }
    : { edge: 'gapEnd', distance: screen.top - bottom }
}
