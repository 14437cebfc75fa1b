import { MantineProvider } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { theme } from './theme.ts'
import { useResolvedTheme } from './useResolvedTheme.ts'

/** The kit without any <style> element: its variables come from mantineVariables.css, and nobody uses its hiddenFrom props. */
export function Kit({ children }: { children: ReactNode }) {
  const scheme = useResolvedTheme()
  useBarColour(scheme)
  return (
    <MantineProvider theme={theme} forceColorScheme={scheme} withCssVariables={false} withGlobalClasses={false}>
      {children}
    </MantineProvider>
  )
}

/** Gives the browser's or phone's bar the colour of the header in the chosen theme. */
function useBarColour(scheme: 'light' | 'dark'): void {
  useEffect(() => {
    const colour = getComputedStyle(document.documentElement).getPropertyValue('--shelf').trim()
    for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')) meta.content = colour
  }, [scheme])
}
