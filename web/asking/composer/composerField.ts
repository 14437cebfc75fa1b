export const COMPOSER_FIELD = 'composer-field'

/** Moves the focus into the composer; not into that of the first paint, where the focus is its reader's until the page takes over. */
export function focusComposer(): void {
  document.querySelector<HTMLElement>(`#${COMPOSER_FIELD}:not(first-paint *)`)?.focus({ preventScroll: true })
}

/** The same on devices with a real keyboard only; on a phone the on-screen keyboard would cover what was opened. */
export function focusComposerWhereKeysAre(): void {
  if (window.matchMedia('(hover: hover) and (pointer: fine)').matches) focusComposer()
}
