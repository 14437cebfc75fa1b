import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** Milliseconds for which the message that a search led to stays highlighted. */
const SHOWN_MS = 2000
/** Pixels from the end within which a reader counts as being at the end. */
const NEAR_END = 40

type Pinned = {
  /** Whether the reader has gone up to read. */
  away: boolean
  toEnd(): void
}

/**
 * Keeps the end of a growing content in sight until the reader goes up. What counts is the direction: a content that
 * grows never moves it up, so going up is always the reader's wish. It starts over at the end when `reading` changes, or at
 * the message that was looked for.
 */
export function usePinnedToEnd(
  scroller: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
  reading: string,
  target: string | null,
): Pinned {
  const pinned = useRef(true)
  const reached = useRef<string | null>(null)
  const placed = useRef<string | null>(null)
  const [gone, setGone] = useState<{ reading: string } | null>(null)

  useLayoutEffect(() => {
    const box = scroller.current
    if (box === null) return
    // Nothing is looked for any more: the reader stays where they are.
    if (target === null && placed.current === reading) return
    placed.current = reading
    // Gone to once; the next question leads to the end again.
    const looked = target === reached.current ? null : elementOf(box, target)
    pinned.current = looked === null
    if (looked === null) return goToEnd(box)
    reached.current = target
    if (looked instanceof HTMLDetailsElement) looked.open = true
    looked.scrollIntoView({ block: 'start' })
    looked.animate([{ background: 'var(--green-soft)' }, {}], { duration: SHOWN_MS })
  }, [scroller, reading, target])

  useEffect(() => {
    const box = scroller.current
    const inner = content.current
    if (box === null || inner === null) return
    return watch(box, inner, pinned, away => setGone(away ? { reading } : null))
  }, [scroller, content, reading])

  const toEnd = () => {
    pinned.current = true
    setGone(null)
    if (scroller.current !== null) goToEnd(scroller.current)
  }

  return { away: gone?.reading === reading, toEnd }
}

function watch(
  box: HTMLElement,
  inner: HTMLElement,
  pinned: { current: boolean },
  onAway: (away: boolean) => void,
): () => void {
  let top = box.scrollTop
  let height = box.scrollHeight
  let room = box.clientHeight
  let away = false
  const tell = () => {
    const next = !pinned.current && distanceToEnd(box) > NEAR_END
    if (next !== away) onAway(next)
    away = next
  }
  const onScroll = () => {
    const up = box.scrollTop < top - 1
    // A content that has become shorter moves it up as well, and so does more room to show it in.
    if (up && box.scrollHeight >= height && box.clientHeight <= room) pinned.current = false
    else if (!up && distanceToEnd(box) <= NEAR_END) pinned.current = true
    top = box.scrollTop
    height = box.scrollHeight
    room = box.clientHeight
    tell()
  }
  const onWheel = (event: WheelEvent) => {
    if (event.deltaY < 0 && box.scrollTop > 0) pinned.current = false
  }
  // Somebody in the content is about to change its length above what is being looked at.
  const onStay = () => {
    pinned.current = false
  }
  const observer = new ResizeObserver(() => {
    if (pinned.current) goToEnd(box)
    top = box.scrollTop
    height = box.scrollHeight
    room = box.clientHeight
    tell()
  })
  observer.observe(inner)
  observer.observe(box)
  box.addEventListener('scroll', onScroll, { passive: true })
  box.addEventListener('wheel', onWheel, { passive: true })
  box.addEventListener('stay', onStay)
  return () => {
    observer.disconnect()
    box.removeEventListener('scroll', onScroll)
    box.removeEventListener('wheel', onWheel)
    box.removeEventListener('stay', onStay)
  }
}

/** Where a message is shown: by itself, or with others in one step. */
function elementOf(box: HTMLElement, message_id: string | null): Element | null {
  const id = CSS.escape(message_id ?? '')
  return box.querySelector(`[data-message-id="${id}"], [data-message-ids~="${id}"]`)
}

function goToEnd(box: HTMLElement): void {
  box.scrollTo(0, box.scrollHeight)
}

function distanceToEnd(box: HTMLElement): number {
  return box.scrollHeight - box.clientHeight - box.scrollTop
}
