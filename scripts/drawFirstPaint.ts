/**
 * node scripts/drawFirstPaint.ts BUNDLE: renders the first screens to HTML at build time, and prints them as JSON. It is a process of its
 * own, because the page's modules need a global window.
 */
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { DEFAULT_LANGUAGE, type Language, LANGUAGES } from '#contract/preferences.ts'
import { pairTexts } from './pairTexts.ts'

/** scripts/firstPaint.ts starts this program; web/public/start.js shows its result. */
export type FirstPaint = {
  screens: Record<'login' | 'conversation', DrawnScreen>
  /** By language: the text shown when the page's scripts do not arrive. */
  unloaded: Record<string, string>
}

type DrawnScreen = {
  /** HTML of the screen in its variants, and HTML that replaces parts of it. */
  templates: Record<string, string>
  /** For each further language: its texts by those of the default language. */
  texts: Record<string, Record<string, string>>
  /** By language, one for each hour of the day. */
  greetings?: Record<string, string[]>
}

const around = { wide: false, dark: false }

/** Stands in for browser objects that the page's modules read while they load: each property is itself again. Nothing drawn depends on it. */
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

// On a server, useSyncExternalStore returns the store's initial value; here it shall return the present one.
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
      // Replaced parts: the theme button in the dark theme, and the notes of the demonstration under the greeting and the composer.
      toLight: drawn[language].toLight,
      demonstration: demonstration[language],
    }))),
    greetings: await byLanguage(greetings),
  },
}
const found: FirstPaint = { screens, unloaded: await byLanguage(unloaded) }
process.stdout.write(JSON.stringify(found), () => process.exit()) // timers of the page's modules would keep the process alive

/** Languages are drawn one after another, because the page has one current language at a time. */
async function byLanguage<T>(make: (language: Language) => Promise<T>): Promise<Record<Language, T>> {
  const made: Partial<Record<Language, T>> = {}
  for (const language of LANGUAGES) made[language] = await make(language)
  return made as Record<Language, T> // the loop has set every language
}
