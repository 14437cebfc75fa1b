// The layers come first, then the styles of the library's components that most screens use, then ours. A component that
// few screens use brings its own `.layer.css`.
import './layers.css'
import '@mantine/core/styles/baseline.layer.css'
import '@mantine/core/styles/global.layer.css'
import '@mantine/core/styles/UnstyledButton.layer.css'
import '@mantine/core/styles/Loader.layer.css'
import '@mantine/core/styles/ActionIcon.layer.css'
import '@mantine/core/styles/Button.layer.css'
import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Menu.layer.css'
import './tokens.css'
import './mantineVariables.css'
import './kit.css'
import './base.css'
import { MantineProvider } from '@mantine/core'
import { type ReactNode, useEffect, useSyncExternalStore } from 'react'
import { usePreferences } from '#web/foundation/preferences.ts'
import { usePrinting } from '#web/foundation/printing.ts'
import { theme } from './theme.ts'

/**
 * The library with our theme. Its <style> elements would be refused by the content security policy: the variables are a
 * file (mantineVariables.css), and we use none of its global classes.
 */
export function Kit({ children }: { children: ReactNode }) {
  const scheme = useColorScheme()
  useThemeColorMeta(scheme)
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme={scheme}
      forceColorScheme={scheme}
      withCssVariables={false}
      withGlobalClasses={false}
    >
      {children}
    </MantineProvider>
  )
}

const dark = window.matchMedia('(prefers-color-scheme: dark)')

function subscribe(onChange: () => void): () => void {
  dark.addEventListener('change', onChange)
  return () => dark.removeEventListener('change', onChange)
}

const systemScheme = () => (dark.matches ? 'dark' : 'light')

/** The chosen theme, or the system's until somebody chooses; light on paper. */
function useColorScheme(): 'light' | 'dark' {
  const { theme: chosen } = usePreferences()
  const system = useSyncExternalStore(subscribe, systemScheme, systemScheme)
  return usePrinting() ? 'light' : (chosen ?? system)
}

/** Gives the browser's bar the colour of the header. */
function useThemeColorMeta(scheme: 'light' | 'dark'): void {
  useEffect(() => {
    const color = getComputedStyle(document.documentElement).getPropertyValue('--shelf').trim()
    for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')) meta.content = color
  }, [scheme])
}
