import { type RefObject, useEffect, useEffectEvent } from 'react'

/** What stands within the form of a composer. */
export type Anchor = RefObject<HTMLElement | null>

export const fieldOf = (anchor: Anchor): HTMLTextAreaElement | null =>
  anchor.current?.closest('form')?.querySelector('textarea') ?? null

export type Range = readonly [start: number, end: number]

/** Replaces a part as typing does, so that it can be undone; gives the whole text. */
export function replaceIn(field: HTMLTextAreaElement, [start, end]: Range, text: string): string {
  select(field, [start, end])
  // The one way to change a field that its undo knows; not every browser has it.
  if (!document.execCommand(text === '' ? 'delete' : 'insertText', false, text)) {
    field.setRangeText(text, start, end, 'end')
    field.dispatchEvent(new InputEvent('input', { bubbles: true }))
  }
  return field.value
}

export function select(field: HTMLTextAreaElement, [start, end]: Range): void {
  field.focus()
  field.setSelectionRange(start, end)
}

/** Gives keys of the field to `onKey` before the composer gets them; it says which it has taken. */
export function useKeys(anchor: Anchor, onKey: (event: KeyboardEvent, field: HTMLTextAreaElement) => boolean): void {
  const take = useEffectEvent(onKey)
  useEffect(() => {
    const field = fieldOf(anchor)
    if (field === null) return undefined
    const onKeyDown = (event: KeyboardEvent) => {
      if (!take(event, field)) return
      event.preventDefault()
      // Above the field, Escape would stop the answer, and Enter would send.
      event.stopPropagation()
    }
    field.addEventListener('keydown', onKeyDown)
    return () => field.removeEventListener('keydown', onKeyDown)
  }, [anchor])
}
