import { flushSync } from 'react-dom'
import { create } from 'zustand'

const usePrintingState = create(() => ({ printing: false }))

/** Whether the page is being printed: then all of it is rendered, in light colours. */
export function usePrinting(): boolean {
  return usePrintingState(({ printing }) => printing)
}

// The browser prints the page as it is when these return.
export function beginPrinting(): void {
  flushSync(() => usePrintingState.setState({ printing: true }))
}

export function endPrinting(): void {
  flushSync(() => usePrintingState.setState({ printing: false }))
}

// By our menu or the browser's.
window.addEventListener('beforeprint', beginPrinting)
window.addEventListener('afterprint', endPrinting)
