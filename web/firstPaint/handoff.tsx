import { type ReactNode, useEffect, useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { HANDOFF } from '#web/foundation/useShortcut.ts'
import type { FirstPaint } from './start.ts'

type Field = HTMLInputElement | HTMLTextAreaElement

/**
 * Replaces the drawn screen with the page as soon as that is rendered; until then the page is laid out, but invisible.
 */
export function AfterFirstPaint({ page, children }: { page: HTMLElement; children: ReactNode }) {
  const [, setReady] = useState(false)
  useLayoutEffect(() => {
    takeTestIds()
    // Computes styles in a task of their own, before the frame that lays the page out.
    window.scheduler?.postTask(() => getComputedStyle(page).color, { priority: 'user-blocking' }).catch(() => {})
  }, [page])
  useEffect(() => {
    // Runs in a task of its own, after the effects of all children.
    const timer = setTimeout(() => {
      // Everything that listens to input is subscribed before the values are copied.
      flushSync(() => setReady(true))
      handOff(page)
    })
    return () => clearTimeout(timer)
  }, [page])
  return children
}

/** From now on only the page has `data-testid`s, so that none is found twice. */
export function takeTestIds(): void {
  for (const marked of document.querySelectorAll<HTMLElement>('first-paint [data-testid]')) {
    marked.dataset['mark'] = marked.dataset['testid']
    delete marked.dataset['testid']
  }
}

/**
 * Shows the page in place of the drawn screen, in one step. What was typed and chosen is copied; then the last click
 * and the key that would have sent are repeated. Waits for the end of a word that an input method is composing.
 */
export function handOff(page: HTMLElement): void {
  const first = document.querySelector('first-paint')
  if (first === null) return
  if (first.composing) {
    first.addEventListener('compositionend', () => setTimeout(() => handOff(page)), { once: true })
    return
  }
  const focused = first.contains(document.activeElement) ? document.activeElement : null
  const changed = [...first.querySelectorAll<Field>('input, textarea')].filter(field => isChanged(field, first))
  first.remove()
  for (const field of changed) {
    const counterpart = counterpartOf(field, page)
    if (counterpart !== null) copyValue(field, counterpart)
  }
  if (focused instanceof HTMLElement) counterpartOf(focused, page)?.focus({ preventScroll: true })
  // React has rendered the copied values by then.
  setTimeout(() => {
    const { clicked, sendKeydown } = first
    if (clicked !== null) counterpartOf(clicked, page)?.click()
    if (sendKeydown?.target instanceof HTMLElement)
      counterpartOf(sendKeydown.target, page)?.dispatchEvent(new KeyboardEvent('keydown', sendKeydown))
    first.dispatchEvent(new Event(HANDOFF))
  })
}

/** The element of the page with the same test id, or else of the same kind and name. */
function counterpartOf<E extends HTMLElement>(element: E, page: HTMLElement): E | null {
  const { mark } = element.dataset
  if (mark !== undefined) return page.querySelector<E>(`[data-testid="${mark}"]`)
  return [...page.querySelectorAll<E>(element.localName)].find(other => nameOf(other) === nameOf(element)) ?? null
}

function nameOf(element: HTMLElement): string {
  return element.getAttribute('name') ?? element.getAttribute('aria-label') ?? element.textContent.trim()
}

/**
 * The page has a draft that the browser itself puts back into its field already; only what somebody typed is copied.
 */
function isChanged(field: Field, { hasTyped }: FirstPaint): boolean {
  if (field instanceof HTMLTextAreaElement) return hasTyped && field.value !== field.defaultValue
  return field.type === 'checkbox' ? field.checked !== field.defaultChecked : field.value !== field.defaultValue
}

/** Copies a value as if it had been typed there; a draft that the page has goes before it. */
function copyValue(from: Field, to: Field): void {
  if (from instanceof HTMLInputElement && from.type === 'checkbox') {
    if (to instanceof HTMLInputElement && to.checked !== from.checked) to.click()
    return
  }
  const before = to instanceof HTMLTextAreaElement ? to.value : ''
  // React overrides the setter of the element to see changes of its own; the prototype's goes past it.
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(to), 'value')?.set?.call(to, before + from.value)
  to.dispatchEvent(new InputEvent('input', { bubbles: true }))
  if (from instanceof HTMLTextAreaElement && to instanceof HTMLTextAreaElement)
    to.setSelectionRange(before.length + from.selectionStart, before.length + from.selectionEnd)
}
