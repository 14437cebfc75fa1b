import { useEffect, useRef } from 'react'
import { isAboveDialogs, type ShortcutName, shortcutOf } from './shortcuts.ts'

/** Of several handlers, the one registered last is called. */
const handlers = new Map<ShortcutName, (() => void)[]>()

/** Handles a shortcut while the caller is mounted and the handler is not null. */
export function useShortcut(name: ShortcutName, handler: (() => void) | null): void {
  const latest = useRef(handler)
  useEffect(() => {
    latest.current = handler
  })
  const enabled = handler !== null
  useEffect(() => (enabled ? onShortcut(name, () => latest.current?.()) : undefined), [name, enabled])
}

export function onShortcut(name: ShortcutName, handler: () => void): () => void {
  handlers.set(name, [...(handlers.get(name) ?? []), handler])
  return () =>
    void handlers.set(
      name,
      (handlers.get(name) ?? []).filter(other => other !== handler),
    )
}

/** The event that is dispatched on the first paint when the page has replaced it. */
export const HANDOFF = 'handoff'

/** Set in the capture phase: when the event bubbles, Escape has already closed the dialog. */
let inDialog = false
window.addEventListener(
  'keydown',
  ({ target }) => {
    inDialog =
      document.querySelector('[aria-modal=true], :popover-open') !== null ||
      (target instanceof Element && target.closest('[role=menu], [role=dialog]') !== null)
  },
  { capture: true },
)

window.addEventListener('keydown', event => {
  if (event.defaultPrevented) return
  const name = shortcutOf(event, event.target)
  if (name === null || (inDialog && !isAboveDialogs(name))) return
  const run = handlers.get(name)?.at(-1)
  if (run === undefined) return
  event.preventDefault()
  // Before the handoff the page is invisible and cannot take the focus, so the shortcut waits.
  const first = document.querySelector('first-paint')
  if (first === null) run()
  else first.addEventListener(HANDOFF, run, { once: true })
})
