import { type RefObject, useEffect } from 'react'
import { BOX } from '#web/messages/markdown/parser/blockGroups.ts'
import { whenIdle } from '#web/foundation/idle.ts'
import type { Turn } from '#web/messages/turn.ts'
import { runSlice } from './turnWindow.ts'

/** Screens above and below the reader that are laid out ahead. */
const SCREENS_AHEAD = 4
/** Milliseconds until the next slice of layout when the browser is never idle. */
const WITHIN_MS = 200

/** The width of the page when a box was laid out. */
const widthAtLayout = new WeakMap<Element, number>()

/** Lays out what the reader will come to while the browser is idle, so that no frame has to. */
export function useLayoutAhead(
  scroller: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
  rendered: readonly Turn[],
): void {
  useEffect(() => {
    const [box, inner] = [scroller.current, content.current]
    if (box === null || inner === null) return
    let steps = layoutAhead(box, inner)
    let cancel: (() => void) | null = null
    const layOut = () => {
      cancel = runSlice(steps) ? null : whenIdle(layOut, WITHIN_MS)
    }
    const onScroll = () => {
      steps = layoutAhead(box, inner)
      cancel ??= whenIdle(layOut, WITHIN_MS)
    }
    box.addEventListener('scroll', onScroll, { passive: true })
    onScroll()
    return () => {
      cancel?.()
      box.removeEventListener('scroll', onScroll)
    }
  }, [scroller, content, rendered])
}

/**
 * Lays out what is near the reader, a box a step, the nearest turn first. With `content-visibility` the browser would
 * lay out each box in the frame that shows it, which takes too long when several come at once. Reading the position of
 * an element in a skipped box lays out that box and no other.
 */
export function* layoutAhead(scroller: HTMLElement, content: HTMLElement): Generator<undefined, void> {
  const screen = scroller.getBoundingClientRect()
  for (const turn of turnsNear(content, screen)) {
    for (const box of [turn, ...turn.querySelectorAll(BOX)]) {
      if (widthAtLayout.get(box) === screen.width) continue
      widthAtLayout.set(box, screen.width)
      box.firstElementChild?.getBoundingClientRect()
      yield
    }
  }
}

function turnsNear(content: HTMLElement, screen: DOMRect): Element[] {
  const distanceTo = (turn: Element) => {
    const { top, bottom } = turn.getBoundingClientRect()
    return Math.max(top - screen.bottom, screen.top - bottom)
  }
  return [...content.querySelectorAll(':scope > section')]
    .map(turn => ({ turn, distance: distanceTo(turn) }))
    .filter(({ distance }) => distance < SCREENS_AHEAD * screen.height)
    .toSorted((a, b) => a.distance - b.distance)
    .map(({ turn }) => turn)
}
