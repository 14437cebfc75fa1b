import { flushSync } from 'react-dom'
import { create } from 'zustand'

const usePrintingState = create(() => ({ printing: false }))

/** Whether the page is being printed: then all of it is rendered, in light colours. */
export function usePrinting(): boolean {
  return usePrintingState(({ printing }) => printing)
}

// Renders synchronously, because the browser prints the page as it is when the event handlers return.
export function beginPrinting(): void {
  flushSync(() => usePrintingState.setState({ printing: true }))
}

export function endPrinting(): void {
  flushSync(() => usePrintingState.setState({ printing: false }))
}

// Fired for our menu entry and for the browser's own.
window.addEventListener('beforeprint', beginPrinting)
window.addEventListener('afterprint', endPrinting)
