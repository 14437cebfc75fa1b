import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { type Anchor, fieldOf } from './field.ts'
import { type Slash, slashAt } from './slash.ts'

/** The slash that the person is typing at, and what puts it away until another one is typed. */
export function useSlash(anchor: Anchor): { slash: Slash | null; dismiss(): void } {
  const [slash, setSlash] = useState<Slash | null>(null)
  const dismissedAt = useRef<number | null>(null)
  const look = useEffectEvent((field: HTMLTextAreaElement, mayOpen: boolean) => {
    const { value, selectionStart, selectionEnd } = field
    const isWriting = document.activeElement === field && selectionStart === selectionEnd
    const found = isWriting ? slashAt(value, selectionEnd) : null
    if (found?.start !== dismissedAt.current) dismissedAt.current = null
    const isDismissed = dismissedAt.current !== null
    setSlash(before => {
      if (found === null || isDismissed || (!mayOpen && before === null)) return null
      return before?.start === found.start && before.query === found.query ? before : found
    })
  })
  useEffect(() => {
    const field = fieldOf(anchor)
    if (field === null) return undefined
    const listening = new AbortController()
    const { signal } = listening
    // At the document, since what is set here is drawn before a listener further out hears of the letter: the composer
    // would get back the text without it.
    const listen = (type: 'input' | 'compositionend' | 'keyup' | 'click', on: (event: Event) => void) =>
      document.addEventListener(type, event => event.target === field && on(event), { signal })
    // What an input method is composing is no name yet.
    listen('input', event => (event as InputEvent).isComposing || look(field, true))
    listen('compositionend', () => look(field, true))
    for (const moved of ['keyup', 'click'] as const) listen(moved, () => look(field, false))
    field.addEventListener('blur', () => setSlash(null), { signal })
    look(field, true)
    return () => listening.abort()
  }, [anchor])
  const dismiss = () => {
    dismissedAt.current = slash?.start ?? null
    setSlash(null)
  }
  return { slash, dismiss }
}
