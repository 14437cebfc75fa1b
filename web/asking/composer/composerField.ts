import { type RefObject, useLayoutEffect, useRef } from 'react'

export const COMPOSER_FIELD = 'composer-field'

/** Focuses the composer; not the copy of it in the first paint, whose reader keeps the focus until the page takes over. */
export function focusComposer(): void {
  document.querySelector<HTMLElement>(`#${COMPOSER_FIELD}:not(first-paint *)`)?.focus({ preventScroll: true })
}

/** Whether this device has a mouse, and so a real keyboard, and files that can be dropped. */
export const isDesktop = (): boolean => window.matchMedia('(hover: hover) and (pointer: fine)').matches

/** The same on devices with a real keyboard only: on a phone the on-screen keyboard would cover the conversation. */
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
