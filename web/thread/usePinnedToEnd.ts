import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** Milliseconds for which the message that a search led to stays highlighted. */
const HIGHLIGHT_MS = 2000
/** Pixels from the end within which a reader counts as being at the end. */
const NEAR_END = 40

type Pinned = {
  /** Whether the reader has gone up to read. */
  isAway: boolean
  toEnd(): void
}

/**
 * Keeps the end of growing content in view until the reader scrolls up. Growing content never scrolls up by itself, so
 * scrolling up is always the reader's wish. With another `key` it starts over, at the end or at the target.
 */
export function usePinnedToEnd(
  scroller: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
  key: string,
  target: string | null,
): Pinned {
  const pinned = useRef(true)
  const reachedTarget = useRef<string | null>(null)
  const startedKey = useRef<string | null>(null)
  const [awayIn, setAwayIn] = useState<string | null>(null)

  useLayoutEffect(() => {
    const box = scroller.current
    if (box === null) return
    // Only the target was cleared: the reader stays where they are.
    if (target === null && startedKey.current === key) return
    startedKey.current = key
    // A target is scrolled to once; the next question scrolls to the end again.
    const element = target === reachedTarget.current ? null : elementOf(box, target)
    pinned.current = element === null
    if (element === null) return goToEnd(box)
    reachedTarget.current = target
    if (element instanceof HTMLDetailsElement) element.open = true
    element.scrollIntoView({ block: 'start' })
    element.animate([{ background: 'var(--green-soft)' }, {}], { duration: HIGHLIGHT_MS })
  }, [scroller, key, target])

  useEffect(() => {
    const [box, inner] = [scroller.current, content.current]
    if (box === null || inner === null) return
    return keepAtEnd(box, inner, pinned, isAway => setAwayIn(isAway ? key : null))
  }, [scroller, content, key])

  const toEnd = () => {
    pinned.current = true
    setAwayIn(null)
    if (scroller.current !== null) goToEnd(scroller.current)
  }

  return { isAway: awayIn === key, toEnd }
}

function keepAtEnd(
  box: HTMLElement,
  inner: HTMLElement,
  pinned: { current: boolean },
  onAway: (isAway: boolean) => void,
): () => void {
  let before = metricsOf(box)
  let wasAway = false
  const update = () => {
    before = metricsOf(box)
    const isAway = !pinned.current && distanceToEnd(box) > NEAR_END
    if (isAway !== wasAway) onAway(isAway)
    wasAway = isAway
  }
  const onScroll = () => {
    const { top, height, clientHeight } = metricsOf(box)
    const isUp = top < before.top - 1
    // Shorter content and a taller box move the position up as well.
    if (isUp && height >= before.height && clientHeight <= before.clientHeight) pinned.current = false
    else if (!isUp && distanceToEnd(box) <= NEAR_END) pinned.current = true
    update()
  }
  const onWheel = (event: WheelEvent) => {
    if (event.deltaY < 0 && box.scrollTop > 0) pinned.current = false
  }
  // Dispatched by components that are about to change the length of the content above the reader: a switch of branches,
  // a step that is expanded.
  const onUnpin = () => {
    pinned.current = false
  }
  const observer = new ResizeObserver(() => {
    if (pinned.current) goToEnd(box)
    update()
  })
  observer.observe(inner)
  observer.observe(box)
  box.addEventListener('scroll', onScroll, { passive: true })
  box.addEventListener('wheel', onWheel, { passive: true })
  box.addEventListener('unpin', onUnpin)
  return () => {
    observer.disconnect()
    box.removeEventListener('scroll', onScroll)
    box.removeEventListener('wheel', onWheel)
    box.removeEventListener('unpin', onUnpin)
  }
}

/** The element of a message: its own, or a step that it shares with others. */
function elementOf(box: HTMLElement, message_id: string | null): Element | null {
  const id = CSS.escape(message_id ?? '')
  return box.querySelector(`[data-message-id="${id}"], [data-message-ids~="${id}"]`)
}

const metricsOf = ({ scrollTop: top, scrollHeight: height, clientHeight }: HTMLElement) => ({
  top,
  height,
  clientHeight,
})

function distanceToEnd(box: HTMLElement): number {
  return box.scrollHeight - box.clientHeight - box.scrollTop
}

function goToEnd(box: HTMLElement): void {
  box.scrollTo(0, box.scrollHeight)
}
