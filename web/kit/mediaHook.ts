import { useSyncExternalStore } from 'react'

/** Makes a hook that returns whether a media query matches now. */
export function mediaHook(query: string): () => boolean {
  const list = window.matchMedia(query)
  const subscribe = (onChange: () => void) => {
    list.addEventListener('change', onChange)
    return () => list.removeEventListener('change', onChange)
  }
  return () => useSyncExternalStore(subscribe, () => list.matches)
}
