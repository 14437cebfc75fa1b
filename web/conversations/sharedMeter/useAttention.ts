import { useSyncExternalStore } from 'react'

/** Milliseconds without a key or a pointer after which nobody seems to look. */
const IDLE_AFTER_MS = 60_000
const SIGNS = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'focus', 'blur'] as const

const listeners = new Set<() => void>()
let here = document.hasFocus()
let timer: ReturnType<typeof setTimeout> | undefined

/** Whether somebody is at this page: it has the focus, and there was a sign of life within the last minute. */
export function useAttention(): boolean {
  return useSyncExternalStore(subscribe, () => here)
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    for (const sign of SIGNS) window.addEventListener(sign, onSign, { passive: true })
    onSign()
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearTimeout(timer)
    for (const sign of SIGNS) window.removeEventListener(sign, onSign)
  }
}

function onSign(): void {
  clearTimeout(timer)
  timer = setTimeout(() => set(false), IDLE_AFTER_MS)
  set(document.hasFocus())
}

function set(now: boolean): void {
  if (now === here) return
  here = now
  for (const listener of listeners) listener()
}
