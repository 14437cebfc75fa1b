import { MantineContext, MantineThemeProvider } from '@mantine/core'
import { type ReactNode, useEffect, useLayoutEffect, useMemo } from 'react'
import { theme } from './theme.ts'
import { useResolvedTheme } from './useResolvedTheme.ts'

const page = document.documentElement

/** What the kit's parts ask for. The theme is chosen with our preferences, never with the kit's own means. */
const CONTEXT = {
  setColorScheme: () => {},
  clearColorScheme: () => {},
  getRootElement: () => page,
  classNamesPrefix: 'mantine',
  cssVariablesSelector: ':root',
  withStaticClasses: true,
}

/**
 * The kit without its own provider, which brings <style> elements that we have as a file (mantineVariables.css), computes all of its variables
 * before it knows whether anybody wants them, and takes a dark page for a light one until its second effect has run.
 */
export function Kit({ children }: { children: ReactNode }) {
  const scheme = useResolvedTheme()
  const context = useMemo(() => ({ ...CONTEXT, colorScheme: scheme }), [scheme])
  useLayoutEffect(() => {
    Object.assign(page.dataset, { mantineColorScheme: scheme, respectReducedMotion: 'true' })
  }, [scheme])
  useBarColour(scheme)
  return (
    <MantineContext value={context}>
      <MantineThemeProvider theme={theme}>{children}</MantineThemeProvider>
    </MantineContext>
  )
}

/** Gives the browser's or phone's bar the colour of the header in the chosen theme. */
function useBarColour(scheme: 'light' | 'dark'): void {
  useEffect(() => {
    const colour = getComputedStyle(page).getPropertyValue('--shelf').trim()
    for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')) meta.content = colour
  }, [scheme])
}
