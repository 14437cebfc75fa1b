import { flushSync } from 'react-dom'

const listeners = new Set<() => void>()
const SCHEME = 'data-mantine-color-scheme'
let schemeBefore: string | null = null
let printing = false

/** Told before the page is printed: then everything is to be there. Answers with the way to call it off. */
export function onPrinting(listener: () => void): () => void {
  listeners.add(listener)
  return () => { listeners.delete(listener) }
}

/** All that is read is laid out, in the colours of paper. */
export function beginPrinting(): void {
  if (printing) return
  printing = true
  const { documentElement: root } = document
  schemeBefore = root.getAttribute(SCHEME)
  root.setAttribute(SCHEME, 'light')
  // The browser takes the page as it is when this returns.
  flushSync(() => { for (const listener of listeners) listener() })
}

export function endPrinting(): void {
  if (!printing) return
  printing = false
  if (schemeBefore !== null) document.documentElement.setAttribute(SCHEME, schemeBefore)
}

// By the menu of ours or by the browser's own.
window.addEventListener('beforeprint', beginPrinting)
window.addEventListener('afterprint', endPrinting)
