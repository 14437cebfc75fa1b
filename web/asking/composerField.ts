export const COMPOSER_FIELD = 'composer-field'

/** To where one writes, from wherever one is. */
export function focusComposer(): void {
  document.getElementById(COMPOSER_FIELD)?.focus({ preventScroll: true })
}
