/**
 * Imported first by web/drawFirstPaint.tsx: stands in for the browser objects that modules of the page read while they
 * load. Nothing that is drawn depends on it, but for the two media queries.
 */
export const media = { wide: false, dark: false }

/** Can be read, called and constructed; each of its properties is itself again. */
const anything: unknown = new Proxy(() => anything, {
  get: (_target, name) => (name === 'then' ? undefined : name === Symbol.toPrimitive ? () => '' : anything),
  construct: () => ({}),
})
const standIn = (known: object) =>
  new Proxy(known, { get: (target, name) => (name in target ? Reflect.get(target, name) : anything) })

const matchMedia = (query: string) => ({
  get matches() {
    return query.includes('width') ? media.wide : query.includes('dark') && media.dark
  },
  addEventListener() {},
  removeEventListener() {},
})
const document = standIn({ cookie: '', getElementById: () => null })
const location = { origin: 'http://portal.invalid' }
const window = standIn({ document, matchMedia, location, sessionStorage: undefined })
Object.assign(globalThis, { document, window, CSS: anything })
Object.defineProperty(globalThis, 'navigator', { value: anything })
