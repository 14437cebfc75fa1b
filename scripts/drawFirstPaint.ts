// node scripts/drawFirstPaint.ts BUNDLE: what the first screens show before any script, as JSON. A process of its own, for the page's code finds a window here.
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { DEFAULT_LANGUAGE, type Language, LANGUAGES } from '#contract/preferences.ts'
import { pairTexts } from './pairTexts.ts'

/** In scripts/firstPaint.ts, which asks for it, and web/public/start.js, which shows it. */
export type FirstPaint = {
  screens: Record<'login' | 'conversation', DrawnScreen>
  /** By language, what is said where the scripts of the page do not come. */
  unloaded: Record<string, string>
}

type DrawnScreen = {
  /** The screen, in the forms it has, and what takes the place of a part of it. */
  templates: Record<string, string>
  /** Of each further language, what stands there in place of the default one's words. */
  texts: Record<string, Record<string, string>>
  /** By language and hour. */
  greetings?: Record<string, string[]>
}

const around = { wide: false, dark: false }

/** Whatever the page's modules look at while they are loaded; what is drawn depends on none of it. */
const anything: unknown = new Proxy(() => anything, {
  get: (_target, name) => (name === 'then' ? undefined : name === Symbol.toPrimitive ? () => '' : anything),
  construct: () => ({}),
})
const browser = (known: Record<string, unknown>) =>
  new Proxy(known, { get: (target, name) => (name in target ? Reflect.get(target, name) : anything) })

function matchMedia(query: string) {
  return {
    get matches() {
      return query.includes('width') ? around.wide : query.includes('dark') && around.dark
    },
    addEventListener() {},
    removeEventListener() {},
  }
}

const document = browser({ cookie: '', compatMode: 'CSS1Compat', getElementById: () => null })
Object.assign(globalThis, {
  document,
  window: browser({ document, matchMedia, location: { origin: 'http://portal.invalid' }, sessionStorage: undefined }),
  CSS: browser({ supports: () => true }),
})
Object.defineProperty(globalThis, 'navigator', {
  value: browser({ onLine: true, platform: '', language: DEFAULT_LANGUAGE }),
})

// Stores give a server what they began with; here they are to give what they hold.
const react = createRequire(import.meta.url)('react')
react.useSyncExternalStore = <T>(_subscribe: unknown, read: () => T): T => read()

const { demonstrate, draw, greetings, NAME, unloaded }: typeof import('#web/app/firstPaint/draw.tsx') = await import(
  pathToFileURL(process.argv[2] ?? '').href
)

const THEME_BUTTON = /<button(?:(?!<button).)*?tabler-icon-(?:moon|sun).*?<\/button>/

const NOTE = /<\/ul>(<div.*<\/div>)<\/div><\/div><div class="[^"]*dock/
const HINT = /(<span>[^<]*<\/span>)<\/p><\/form>/

function part(markup: string, pattern: RegExp): string {
  const found = pattern.exec(markup)
  if (found === null) throw new Error(`the first paint has nothing like ${pattern}`)
  return found[1] ?? found[0]
}

type Drawn = Record<'login' | 'wide' | 'narrow' | 'toLight', string>

async function drawAll(language: Language): Promise<Drawn> {
  Object.assign(around, { wide: false, dark: false })
  const login = await draw('login', language)
  const narrow = await draw('narrow', language)
  around.wide = true
  const wide = await draw('wide', language)
  around.dark = true
  return { login, narrow, wide, toLight: part(await draw('login', language), THEME_BUTTON) }
}

async function drawDemonstration(language: Language): Promise<string> {
  const markup = await draw('wide', language)
  return part(markup, NOTE) + part(markup, HINT)
}

const drawn = await byLanguage(drawAll)
demonstrate()
const demonstration = await byLanguage(drawDemonstration)

async function screen(templatesIn: (language: Language) => Record<string, string>) {
  const [templates, all] = [
    templatesIn(DEFAULT_LANGUAGE),
    (language: Language) => Object.values(templatesIn(language)).join(''),
  ]
  return { templates, texts: await byLanguage(async language => pairTexts(all(DEFAULT_LANGUAGE), all(language), NAME)) }
}

const screens: FirstPaint['screens'] = {
  login: await screen(language => ({ login: drawn[language].login, toLight: drawn[language].toLight })),
  conversation: {
    ...(await screen(language => ({
      narrow: drawn[language].narrow,
      wide: drawn[language].wide,
      // The theme button in the dark, and what a demonstration says under the greeting and under the field to write in.
      toLight: drawn[language].toLight,
      demonstration: demonstration[language],
    }))),
    greetings: await byLanguage(greetings),
  },
}
const found: FirstPaint = { screens, unloaded: await byLanguage(unloaded) }
process.stdout.write(JSON.stringify(found), () => process.exit()) // timers of the page's modules would keep it alive

/** One after another: the page has one language at a time. */
async function byLanguage<T>(make: (language: Language) => Promise<T>): Promise<Record<Language, T>> {
  const made: Partial<Record<Language, T>> = {}
  for (const language of LANGUAGES) made[language] = await make(language)
  return made as Record<Language, T> // each of them was made
}
