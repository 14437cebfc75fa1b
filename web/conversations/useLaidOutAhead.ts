import { type RefObject, useEffect } from 'react'
import { whenIdle } from '#web/foundation/idle.ts'
import type { Turn } from '#web/messages/turn.ts'
import { layoutAhead } from './layoutAhead.ts'

/** Milliseconds within which a piece is laid out however busy the browser is. */
const WITHIN = 200
/** Milliseconds at one go: whoever begins to scroll is not to wait for more. */
const MOST = 8

/** While the browser is idle, lays out what the reader comes to next, so that no frame has to. */
export function useLaidOutAhead(
  scroller: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
  shown: readonly Turn[],
): void {
  useEffect(() => {
    const [box, inner] = [scroller.current, content.current]
    if (box === null || inner === null) return
    let steps = layoutAhead(box, inner)
    let cancel: (() => void) | null = null
    const lay = (left_ms: number) => {
      const until = performance.now() + Math.min(MOST, left_ms)
      let isOver = steps.next().done
      while (!isOver && performance.now() < until) isOver = steps.next().done
      cancel = isOver ? null : whenIdle(lay, WITHIN)
    }
    /** The reader is elsewhere. */
    const moved = () => {
      steps = layoutAhead(box, inner)
      cancel ??= whenIdle(lay, WITHIN)
    }
    box.addEventListener('scroll', moved, { passive: true })
    moved()
    return () => {
      cancel?.()
      box.removeEventListener('scroll', moved)
    }
  }, [scroller, content, shown])
}
