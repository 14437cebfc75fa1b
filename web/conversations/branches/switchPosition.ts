/** How far from the top of its thread a switch stood, in pixels, when it was pressed; and which of its buttons it was. */
type SwitchPosition = { fork: string; testid: string; top: number }

let kept: SwitchPosition | null = null

/** Another branch has other heights below the switch; the switch itself must stay under the finger. */
export function keepPosition(fork: string, button: HTMLElement): void {
  kept = { fork, testid: button.dataset['testid'] ?? '', top: button.getBoundingClientRect().top }
}

/** Puts the switch back to where it stood, with the focus on the same button. */
export function restorePosition(fork: string, group: HTMLElement): void {
  if (kept?.fork !== fork) return
  const { testid, top } = kept
  kept = null
  const button = group.querySelector<HTMLElement>(`[data-testid=${testid}]`)
  const scroller = group.closest('[data-testid=thread]')
  if (button === null || scroller === null) return
  scroller.dispatchEvent(new Event('stay'))
  scroller.scrollBy(0, button.getBoundingClientRect().top - top)
  button.focus({ preventScroll: true })
}
