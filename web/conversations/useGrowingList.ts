import { type RefObject, useEffect, useState } from 'react'

/** Rows at first, and as many more at a time: more than any screen shows. */
const CHUNK = 120
/** Pixels from the end of those there are at which the next ones are made. */
const NEAR_END = 1500

/** How many rows are made: some, more when somebody comes near their end, and always as far as `needed`. */
export function useGrowingList(scroller: RefObject<HTMLElement | null>, total: number, needed: number): number {
  const [grown, setGrown] = useState(CHUNK)
  const count = Math.max(grown, needed + CHUNK / 4)
  const more = count < total
  useEffect(() => {
    const box = scroller.current
    if (!more || box === null) return
    const grow = () => {
      if (box.scrollHeight - box.clientHeight - box.scrollTop < NEAR_END) setGrown(count + CHUNK)
    }
    box.addEventListener('scroll', grow, { passive: true })
    // Keys that go through the rows scroll as well, but not on their way along the last ones.
    box.addEventListener('focusin', grow)
    grow()
    return () => {
      box.removeEventListener('scroll', grow)
      box.removeEventListener('focusin', grow)
    }
  }, [scroller, more, count])
  return count
}
