import type { KeyboardEvent } from 'react'

const STEPS: Record<string, (at: number, last: number) => number> = {
  ArrowDown: (at, last) => Math.min(at + 1, last),
  ArrowUp: at => at - 1,
  Home: () => 0,
  End: (_, last) => last,
}

/** Arrow keys, Home and End move through the links of a list; `onOut` is called for going up from the first one. */
export function onRowKey(event: KeyboardEvent<HTMLElement>, onOut?: () => void): void {
  const step = STEPS[event.key]
  const plain = !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey
  const links = linksIn(event.currentTarget)
  const row = event.target instanceof Element ? event.target.closest('li') : null
  const at = links.findIndex(link => row?.contains(link))
  if (step === undefined || !plain || at < 0 || event.target instanceof HTMLInputElement) return
  event.preventDefault()
  const next = step(at, links.length - 1)
  if (next < 0) onOut?.()
  else links[next]?.focus()
}

export function focusFirstRow(list: Element | null): void {
  if (list !== null) linksIn(list)[0]?.focus()
}

export function openFirstRow(list: Element | null): void {
  if (list !== null) linksIn(list)[0]?.click()
}

/**
 * Returns a function to call once the row of the conversation is removed: it moves the lost focus to the next row, else
 * to the first button.
 */
export function keepFocusNear(id: string): () => void {
  const link = document.querySelector(`[data-conversation-id="${CSS.escape(id)}"] a`)
  const list = link?.closest('nav') ?? null
  const at = list === null ? -1 : linksIn(list).findIndex(one => one === link)
  // The list renders in the next task.
  return () =>
    void setTimeout(() => {
      if (list === null || document.activeElement !== document.body) return
      const links = linksIn(list)
      const next = links[Math.min(at, links.length - 1)] ?? list.querySelector('button')
      next?.focus()
    })
}

function linksIn(list: Element): HTMLElement[] {
  return [...list.querySelectorAll<HTMLElement>('li a, li > button[data-more]')]
}
