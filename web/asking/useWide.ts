import { useSyncExternalStore } from 'react'

const wide = window.matchMedia('(min-width: 62.5em)')

/** Whether the list has its own place beside the conversation; below 1000 px it is a drawer. */
export function useWide(): boolean {
  return useSyncExternalStore(onChange => {
    wide.addEventListener('change', onChange)
    return () => wide.removeEventListener('change', onChange)
  }, () => wide.matches)
}
