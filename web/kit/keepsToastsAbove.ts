/** A ref for what stands at the lower edge of the page and has to stay within reach: as long as it is there, the toasts stand above it. */
export function keepsToastsAbove(edge: HTMLElement | null): () => void {
  const page = document.documentElement
  const measured = new ResizeObserver(() => page.style.setProperty('--toasts-above', `${edge?.offsetHeight ?? 0}px`))
  if (edge !== null) measured.observe(edge)
  return () => {
    measured.disconnect()
    page.style.removeProperty('--toasts-above')
  }
}
