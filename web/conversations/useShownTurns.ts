import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { usePrinting } from '#web/foundation/printing.ts'
import type { Turn } from '#web/messages/turns.ts'
import { whenIdle } from '#web/messages/markdown/turns.ts'
import { screenful } from './screenful.ts'

/** Milliseconds that putting older turns before the others may take at one go: between frames, and while the reader waits. */
const MOST = 32
const LEAST = 8
/** Whether the browser keeps what is read in its place by itself; at the very top none does. */
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
  /** What a turn has cost lately, in milliseconds. */
  const cost = useRef(LEAST)

  useEffect(() => {
    const box = scroller.current
    if (from === 0 || box === null) return
    const grow = (left_ms: number) => {
      const count = Math.min(from, Math.max(1, Math.floor(Math.min(MOST, Math.max(LEAST, left_ms)) / cost.current)))
      const started = performance.now()
      // Asking for either makes the browser lay out what it has put off.
      if (!ANCHORS || top.current <= 0) heightBefore.current = { height: box.scrollHeight, top: box.scrollTop }
      flushSync(() => setPlace({ reading, first, from: from - count }))
      cost.current = (cost.current + Math.max(.1, (performance.now() - started) / count)) / 2
    }
    // What moves down goes to the end; only who goes up may come to the top.
    const onScroll = () => {
      const up = box.scrollTop < top.current
      top.current = box.scrollTop
      if (up && top.current < NEAR_TOP) grow(LEAST)
    }
    box.addEventListener('scroll', onScroll, { passive: true })
    const cancel = whenIdle(grow)
    return () => {
      box.removeEventListener('scroll', onScroll)
      cancel()
    }
  }, [from, reading, first, scroller])

  useLayoutEffect(() => {
    const box = scroller.current
    const before = heightBefore.current
    heightBefore.current = null
    if (box === null || before === null) return
    if (!ANCHORS || before.top <= 0) box.scrollTo(0, before.top + box.scrollHeight - before.height)
  }, [from, scroller])

  return useMemo(() => (from > 0 ? turns.slice(from) : turns), [turns, from])
}

/** Which turn holds this message; without one, none does. */
function placeOf(turns: readonly Turn[], message_id: string | null): number {
  const at = message_id === null ? -1
    : turns.findIndex(({ question, replies }) => question?.id === message_id || replies.some(({ id }) => id === message_id))
  return at < 0 ? Infinity : at
}
