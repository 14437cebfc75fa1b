export const COMPOSER_FIELD = 'composer-field'

/** Moves the focus into the composer. */
export function focusComposer(): void {
  document.getElementById(COMPOSER_FIELD)?.focus({ preventScroll: true })
}

/** The same on devices with a real keyboard only; on a phone the on-screen keyboard would cover what was opened. */
export function focusComposerWhereKeysAre(): void {
  if (window.matchMedia('(hover: hover) and (pointer: fine)').matches) focusComposer()
}
