/** Pixels: what is smaller is a bar of the browser and not a keyboard. */
const LEAST_KEYBOARD = 120

export type Viewport = Pick<VisualViewport, 'height' | 'scale' | 'addEventListener'>

/**
 * Where the on-screen keyboard lies over the page instead of taking room from it (Safari), the page is made as high as what can be
 * seen, so that the composer stays above the keys. Others do it by themselves (interactive-widget in index.html).
 */
export function leaveRoomForKeyboard(viewport: Viewport | null = window.visualViewport): void {
  const page = document.documentElement
  const follow = () => {
    if (viewport === null) return
    const covered = viewport.scale === 1 && window.innerHeight - viewport.height > LEAST_KEYBOARD
    if (covered) page.style.setProperty('--room', `${Math.round(viewport.height)}px`)
    else page.style.removeProperty('--room')
    // The browser has pushed the page up to show the field, which is in sight anyway.
    if (covered) window.scrollTo(0, 0)
  }
  viewport?.addEventListener('resize', follow)
}
