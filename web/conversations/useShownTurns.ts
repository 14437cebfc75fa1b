import { type RefObject, startTransition, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { textOf } from '#contract/messages.ts'
import { usePrinting } from '#web/foundation/printing.ts'
import { whenIdle } from '#web/messages/markdown/turns.ts'
import type { Turn } from '#web/messages/turns.ts'
import { prepareTurns } from './readyToShow.ts'
import { screenful } from './screenful.ts'

/** Letters of older turns that are put before the others at one go; those a turn counts for at least. */
const LETTERS = 2500
const LEAST_LETTERS = 100
/** Milliseconds for which they are parsed at one go, and within which that is gone on with however busy the browser is. */
const MOST = 16
const LEAST = 8
const WITHIN = 200
/** Whether the browser keeps what is read in its place by itself. */
const ANCHORS = CSS.supports('overflow-anchor', 'auto')
/** Pixels from the top at which the next older ones are fetched at once. */
const NEAR_TOP = 1200

/** The first turn that is shown, of a conversation and of a branch of it. */
type Place = { reading: string; first: string | undefined; from: number }

/**
 * The latest turns, so many as fill the screen, or as far back as the message that was looked for; older ones are put before
 * them a few at a time while the browser is idle, without moving what is being read.
 */
export function useShownTurns(
  turns: readonly Turn[], scroller: RefObject<HTMLElement | null>, reading: string, target: string | null,
): readonly Turn[] {
  const first = turns[0]?.key
  const [place, setPlace] = useState<Place>({ reading, first, from: Infinity })
  const begun = place.reading === reading && place.first === first ? place.from : Infinity
  // On paper there is no scrolling to more.
  const printing = usePrinting()
  // Turns come at the end, so what is shown stays shown, whatever follows.
  const from = printing ? 0 : Math.max(0, Math.min(begun, turns.length - screenful(turns, innerHeight), placeOf(turns, target)))
  if (from !== begun) setPlace({ reading, first, from })
  const heightBefore = useRef<{ height: number; top: number } | null>(null)
  const top = useRef(0)
  /** Whether the reader comes to what is not there yet. */
  const isAwaited = useRef(false)

  useEffect(() => {
    const box = scroller.current
    if (from === 0 || box === null) return
    const count = someBefore(turns, from)
    const steps = prepareTurns(turns.slice(from - count, from))
    const place = () => setPlace({ reading, first, from: from - count })
    let cancel: (() => void) | null = null
    const grow = (left_ms: number) => {
      cancel = null
      const until = performance.now() + Math.min(MOST, Math.max(LEAST, left_ms))
      let step = steps.next()
      while (!step.done && performance.now() < until) step = steps.next()
      if (!step.done) return goOn()
      if (ANCHORS) return startTransition(place)
      // Asking for either makes the browser lay out what it has put off.
      heightBefore.current = { height: box.scrollHeight, top: box.scrollTop }
      flushSync(place)
    }
    const goOn = () => { cancel = isAwaited.current ? inTask(grow) : whenIdle(grow, WITHIN) }
    // What moves down goes to the end; only who goes up may come to the top.
    const onScroll = () => {
      const up = box.scrollTop < top.current
      // At the very top no browser keeps what is read in its place.
      if (ANCHORS && box.scrollTop <= 0) box.scrollTop = 1
      top.current = box.scrollTop
      const before = isAwaited.current
      isAwaited.current = up && top.current < NEAR_TOP
      if (before || !isAwaited.current || cancel === null) return
      cancel()
      goOn()
    }
    box.addEventListener('scroll', onScroll, { passive: true })
    goOn()
    return () => {
      box.removeEventListener('scroll', onScroll)
      cancel?.()
    }
  }, [turns, from, reading, first, scroller])

  useLayoutEffect(() => {
    const box = scroller.current
    const before = heightBefore.current
    heightBefore.current = null
    if (box === null || before === null) return
    box.scrollTo(0, before.top + box.scrollHeight - before.height)
  }, [from, scroller])

  return useMemo(() => (from > 0 ? turns.slice(from) : turns), [turns, from])
}

/** So many turns before this one as hold some letters; at least one. */
function someBefore(turns: readonly Turn[], from: number): number {
  let letters = 0
  for (let count = 1; count < from; count += 1) {
    letters += LEAST_LETTERS + (turns[from - count]?.replies.reduce((sum, reply) => sum + textOf(reply).length, 0) ?? 0)
    if (letters >= LETTERS) return count
  }
  return from
}

function inTask(run: (left_ms: number) => void): () => void {
  const timer = setTimeout(run, 0, LEAST)
  return () => clearTimeout(timer)
}

/** Which turn holds this message; without one, none does. */
function placeOf(turns: readonly Turn[], message_id: string | null): number {
  const at = message_id === null ? -1
    : turns.findIndex(({ question, replies }) => question?.id === message_id || replies.some(({ id }) => id === message_id))
  return at < 0 ? Infinity : at
}
