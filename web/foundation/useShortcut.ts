import { useEffect, useRef } from 'react'
import { isAboveDialogs, type ShortcutName, shortcutOf } from './shortcuts.ts'

/** The handlers of each shortcut; of several, the one registered last is called. */
const answering = new Map<ShortcutName, (() => void)[]>()

/** Answers a shortcut as long as the caller is mounted and the handler is not null. */
export function useShortcut(name: ShortcutName, handler: (() => void) | null): void {
  const latest = useRef(handler)
  useEffect(() => {
    latest.current = handler
  })
  const answers = handler !== null
  useEffect(() => (answers ? onShortcut(name, () => latest.current?.()) : undefined), [name, answers])
}

export function onShortcut(name: ShortcutName, handler: () => void): () => void {
  answering.set(name, [...(answering.get(name) ?? []), handler])
  return () =>
    void answering.set(
      name,
      (answering.get(name) ?? []).filter(other => other !== handler),
    )
}

/** What the first paint hears when the page has taken its place. */
export const TAKEN_OVER = 'takenover'

/** Set in the capture phase, since a dialog that Escape closes is gone by the time the key bubbles up. What is open takes Escape first. */
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
  const answer = answering.get(name)?.at(-1)
  if (answer === undefined) return
  event.preventDefault()
  // A page that cannot be seen yet cannot take the focus either.
  const first = document.querySelector('first-paint')
  if (first === null) answer()
  else first.addEventListener(TAKEN_OVER, answer, { once: true })
})
