/**
 * Imported first where the page is drawn at build time (web/drawFirstPaint.tsx): stands in for the browser objects that modules of the page
 * read while they load. Nothing that is drawn depends on it, but for the two media queries.
 */
import { DEFAULT_LANGUAGE } from '#contract/preferences.ts'

export const media = { wide: false, dark: false }

/** Can be read, called and constructed; each of its properties is itself again. */
const anything: unknown = new Proxy(() => anything, {
  get: (_target, name) => (name === 'then' ? undefined : name === Symbol.toPrimitive ? () => '' : anything),
  construct: () => ({}),
})
const standIn = (known: Record<string, unknown>) =>
  new Proxy(known, { get: (target, name) => (name in target ? Reflect.get(target, name) : anything) })

function matchMedia(query: string) {
  return {
    get matches() {
      return query.includes('width') ? media.wide : query.includes('dark') && media.dark
    },
    addEventListener() {},
    removeEventListener() {},
  }
}

const document = standIn({ cookie: '', compatMode: 'CSS1Compat', getElementById: () => null })
Object.assign(globalThis, {
  document,
  window: standIn({ document, matchMedia, location: { origin: 'http://portal.invalid' }, sessionStorage: undefined }),
  CSS: standIn({ supports: () => true }),
})
Object.defineProperty(globalThis, 'navigator', {
  value: standIn({ onLine: true, platform: '', language: DEFAULT_LANGUAGE }),
})
