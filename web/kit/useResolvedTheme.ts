import { useSyncExternalStore } from 'react'
import { usePreferences } from '#web/foundation/preferences.ts'
import { usePrinting } from '#web/foundation/printing.ts'

const dark = window.matchMedia('(prefers-color-scheme: dark)')

function follow(onChange: () => void): () => void {
  dark.addEventListener('change', onChange)
  return () => dark.removeEventListener('change', onChange)
}

/** The chosen theme, or the system's as long as nobody has chosen; paper is light. */
export function useResolvedTheme(): 'light' | 'dark' {
  const { theme } = usePreferences()
  const systemIsDark = useSyncExternalStore(follow, () => dark.matches)
  const chosen = theme ?? (systemIsDark ? 'dark' : 'light')
  return usePrinting() ? 'light' : chosen
}
