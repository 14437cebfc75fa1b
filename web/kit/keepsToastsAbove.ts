let toasts: HTMLElement | null = null
/** Pixels from the lower edge of the page. */
let height = 0

/** A ref for what stands at the lower edge of the page and has to stay within reach: as long as it is there, the toasts stand above it. */
export function keepsToastsAbove(edge: HTMLElement | null): () => void {
  const measured = new ResizeObserver(() => lift(edge?.offsetHeight ?? 0))
  if (edge !== null) measured.observe(edge)
  return () => {
    measured.disconnect()
    lift(0)
  }
}

/** The ref of the toasts themselves. */
export function standsAboveEdge(section: HTMLElement | null): () => void {
  toasts = section
  lift(height)
  return () => {
    toasts = null
  }
}

/** At the toasts alone: with a variable of the page's, each line that is typed would give everything in it its styles anew. */
function lift(edge: number): void {
  height = edge
  toasts?.style.setProperty('--above', `${edge}px`)
}
