/** Pixels. A smaller difference is a bar of the browser, not a keyboard. */
const LEAST_KEYBOARD = 120

type Viewport = Pick<VisualViewport, 'height' | 'scale' | 'addEventListener'>

/**
 * Safari lays the on-screen keyboard over the page. This limits the page to its visible height, so that the composer
 * stays above the keys. Other browsers do so themselves (interactive-widget in index.html).
 */
export function leaveRoomForKeyboard(viewport: Viewport | null = window.visualViewport): void {
  const page = document.documentElement
  const follow = () => {
    if (viewport === null) return
    const covered = viewport.scale === 1 && window.innerHeight - viewport.height > LEAST_KEYBOARD
    if (covered) page.style.setProperty('--room', `${Math.round(viewport.height)}px`)
    else page.style.removeProperty('--room')
    // Safari scrolls the page to show the field, which is visible anyway.
    if (covered) window.scrollTo(0, 0)
  }
  viewport?.addEventListener('resize', follow)
}
