import { useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'

const listeners = new Set<() => void>()
let printing = false

/** Whether the page is being put on paper: then everything is to be there, in light colours. */
export function usePrinting(): boolean {
  return useSyncExternalStore(follow, () => printing)
}

export function beginPrinting(): void {
  change(true)
}

export function endPrinting(): void {
  change(false)
}

function change(to: boolean): void {
  if (printing === to) return
  printing = to
  // The browser takes the page as it is when this returns.
  flushSync(() => {
    for (const listener of listeners) listener()
  })
}

function follow(listener: () => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

// By the menu of ours or by the browser's own.
window.addEventListener('beforeprint', beginPrinting)
window.addEventListener('afterprint', endPrinting)
