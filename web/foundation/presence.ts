import { useSyncExternalStore } from 'react'

/** Milliseconds without input after which nobody seems to be there. */
const IDLE_AFTER_MS = 60_000
const INPUT_EVENTS = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'focus', 'blur'] as const

const listeners = new Set<() => void>()
let present = document.hasFocus()
const isPresent = () => present
let timer: ReturnType<typeof setTimeout> | undefined

/** Whether somebody is at this page: it has the focus, and there was input within the last minute. */
export function useIsPresent(): boolean {
  return useSyncExternalStore(subscribe, isPresent, isPresent)
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    for (const type of INPUT_EVENTS) window.addEventListener(type, onInput, { passive: true })
    onInput()
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearTimeout(timer)
    for (const type of INPUT_EVENTS) window.removeEventListener(type, onInput)
  }
}

function onInput(): void {
  clearTimeout(timer)
  timer = setTimeout(() => set(false), IDLE_AFTER_MS)
  set(document.hasFocus())
}

function set(now: boolean): void {
  if (now === present) return
  present = now
  for (const listener of listeners) listener()
}
