import type { PlainKey } from '#web/i18n/dictionary.ts'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The route's name in the specification, section 2. */
    name?: string
    title?: PlainKey
    /** Header and page share one surface, or the page lies in the L-shape of header and sidebar. */
    surface?: 'paper' | 'shelf'
  }
}
