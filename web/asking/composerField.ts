export const COMPOSER_FIELD = 'composer-field'

/** To where one writes, from wherever one is. */
export function focusComposer(): void {
  document.getElementById(COMPOSER_FIELD)?.focus({ preventScroll: true })
}

/** With a real keyboard one can write at once, and stop by Escape; on a phone the keyboard would cover what was opened. */
export function focusComposerWhereKeysAre(): void {
  if (window.matchMedia('(hover: hover) and (pointer: fine)').matches) focusComposer()
}
