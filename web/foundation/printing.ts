import { useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'

const listeners = new Set<() => void>()
let printing = false
const isPrinting = () => printing

/** Whether the page is being printed: then all of it is rendered, in light colours. */
export function usePrinting(): boolean {
  return useSyncExternalStore(follow, isPrinting, isPrinting)
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
  // The browser prints the page as it is when this returns.
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

// By our menu or the browser's.
window.addEventListener('beforeprint', beginPrinting)
window.addEventListener('afterprint', endPrinting)
