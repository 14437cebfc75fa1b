import { type RefObject, useLayoutEffect, useRef } from 'react'

export const COMPOSER_FIELD = 'composer-field'

/** Focuses the composer of the page. The one of the first paint keeps its own focus until the handoff. */
export function focusComposer(): void {
  document.querySelector<HTMLElement>(`#${COMPOSER_FIELD}:not(first-paint *)`)?.focus({ preventScroll: true })
}

/** Whether this device has a mouse, and so probably a keyboard, and files to drop. */
export const isDesktop = (): boolean => window.matchMedia('(hover: hover) and (pointer: fine)').matches

/**
 * Focuses the composer on devices with a real keyboard only: on a phone the on-screen keyboard would cover the
 * conversation.
 */
export function focusComposerWhereKeysAre(): void {
  if (isDesktop()) focusComposer()
}

/** Fits a text field to its text in browsers without `field-sizing`. */
export function useAutosize(text: string): RefObject<HTMLTextAreaElement | null> {
  const field = useRef<HTMLTextAreaElement>(null)
  useLayoutEffect(() => {
    const element = field.current
    if (element === null || CSS.supports('field-sizing', 'content')) return
    element.style.height = 'auto'
    element.style.height = `${element.scrollHeight}px`
  }, [text])
  return field
}
