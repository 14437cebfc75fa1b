import { type RefObject, useEffect } from 'react'

/** Where the control that had the focus inside is removed, such as by its own click, the focus stays inside: with the whole. */
export function useFocusKept(whole: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = whole.current
    if (element === null) return undefined
    const stop = new AbortController()
    const { signal } = stop
    let isInside = false
    const look = ({ target }: Event) => {
      isInside = target instanceof Node && element.contains(target)
    }
    document.addEventListener('focusin', look, { signal })
    // Where a click takes the focus away, nothing else need get it.
    document.addEventListener('pointerdown', look, { signal })
    const removals = new MutationObserver(() => {
      if (isInside && document.activeElement === document.body) element.focus({ preventScroll: true })
    })
    removals.observe(element, { childList: true, subtree: true })
    return () => {
      stop.abort()
      removals.disconnect()
    }
  }, [whole])
}
