import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { build, type Plugin, type Rolldown } from 'vite'
import type { Language } from '#contract/preferences.ts'
import type { Drawn } from '#web/drawFirstPaint.tsx'
import type { Plan, ScreenName } from '#web/firstPaint/plan.ts'
import { outputOf } from './outputOf.ts'

const ROOT = join(import.meta.dirname, '..')
const DRAWN = join(ROOT, 'dist/firstPaint')
/** Screens that are loaded together with the page's shell, by their first module. */
export const SCREENS = { login: 'web/app/LoginPage.tsx', conversation: 'web/asking/ConversationScreen.tsx' }
/**
 * The pages: one for any address, and one for each drawn screen, which the server sends to whoever sees that screen first
 * (server/foundation/http/page.ts). `markup` are the templates that a page contains in each language.
 */
const PAGES: { file: string; name?: ScreenName; markup: (keyof Drawn['markup'])[] }[] = [
  { file: 'index.html', markup: [] },
  { file: 'drawn/signedOut/login.html', name: 'login', markup: ['login', 'toLight'] },
  {
    file: 'drawn/signedIn/conversation.html',
    name: 'conversation',
    markup: ['narrow', 'wide', 'toLight', 'demonstrationNote', 'demonstrationHint'],
  },
]

type Drawings = Record<Language, Drawn>

/**
 * Writes the pages around web/index.html: its entry script is replaced by web/firstPaint/start.ts, which shows what is drawn in the page and
 * then runs the scripts.
 */
export function firstPaint(configFile: string): Plugin {
  return {
    name: 'first-paint',
    apply: (config, { command }) => command === 'build' && config.build?.ssr === undefined,
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const html = await readFile(join(ROOT, 'web/index.html'), 'utf8')
        const [start, drawings] = [await bundledStart(), await draw(configFile)]
        delete bundle['index.html']
        const chunks = Object.values(bundle).filter(file => file.type === 'chunk')
        const styles = Object.keys(bundle).filter(file => file.endsWith('.css'))
        const shell = scriptsOf(chunks, 'web/main.tsx')
        for (const { file, name, markup } of PAGES) {
          const all = name === undefined ? shell : scriptsOf(chunks, SCREENS[name])
          const scripts = all.filter(script => !shell.includes(script))
          const screen = name && { name, scripts, greetings: eachOf(drawings, ({ greetings }) => greetings) }
          const plan = { scripts: shell, unloaded: eachOf(drawings, ({ unloaded }) => unloaded), screen }
          const source = replaceIn(html, {
            '<!-- start -->': headOf(plan, start, styles),
            '<!-- first paint -->': [...templatesOf(drawings, markup), '<first-paint></first-paint>'],
            '<script type="module" src="/main.tsx"></script>': [],
          })
          this.emitFile({ type: 'asset', fileName: file, source })
        }
      },
    },
  }
}

function replaceIn(html: string, parts: Record<string, string[]>): string {
  return Object.entries(parts).reduce((text, [part, lines]) => {
    if (!text.includes(part)) throw new Error(`web/index.html has no ${part}`)
    return text.replace(part, () => lines.join('\n    '))
  }, html)
}

function headOf(plan: Plan, start: string, styles: readonly string[]): string[] {
  const preloads = plan.scripts.map(href => `<link rel="modulepreload" fetchpriority="low" crossorigin href="${href}">`)
  return [
    `<script type="application/json" id="plan">${JSON.stringify(plan).replaceAll('<', '\\u003c')}</script>`,
    // Blocks the first paint until #root is parsed: painting an empty page first delays the drawn one on a slow processor.
    ...(plan.screen === undefined ? preloads : ['<link rel="expect" href="#root" blocking="render">']),
    // Before the styles, since a script waits for those that stand before it.
    `<script>${start}</script>`,
    ...styles.map(file => `<link rel="stylesheet" crossorigin href="/${file}">`),
  ]
}

function templatesOf(drawings: Drawings, names: readonly (keyof Drawn['markup'])[]): string[] {
  return Object.entries(drawings).flatMap(([language, { markup }]) =>
    names.map(name => `<template id="${language}-${name}">${markup[name]}</template>`),
  )
}

function eachOf<T>(drawings: Drawings, get: (drawn: Drawn) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(drawings).map(([language, drawn]) => [language, get(drawn)]))
}

async function bundledStart(): Promise<string> {
  const { output } = (await build({
    configFile: false,
    root: join(ROOT, 'web'),
    publicDir: false,
    logLevel: 'warn',
    build: {
      write: false,
      rolldownOptions: { input: join(ROOT, 'web/firstPaint/start.ts'), output: { format: 'iife' } },
    },
  })) as Rolldown.RolldownOutput // one build, which watches nothing
  const [{ code, moduleIds }] = output
  const library = moduleIds.find(id => id.includes('node_modules'))
  if (library !== undefined) throw new Error(`the inline script would contain ${library}`)
  if (code.includes('</script') || code.includes('<!--')) throw new Error('the inline script would end before its end')
  return code.trim()
}

async function draw(configFile: string): Promise<Drawings> {
  const program = join(ROOT, 'web/drawFirstPaint.tsx')
  await build({
    configFile,
    logLevel: 'error',
    build: {
      ssr: program,
      outDir: DRAWN,
      emptyOutDir: true,
      copyPublicDir: false,
      rolldownOptions: { output: { codeSplitting: false } },
    },
  })
  const printed = await outputOf(join(DRAWN, 'drawFirstPaint.js'))
  await rm(DRAWN, { recursive: true })
  return JSON.parse(printed)
}

/** The scripts of a module and of all that it imports, other than lazily, in the order in which they are run. */
function scriptsOf(chunks: readonly Rolldown.OutputChunk[], path: string): string[] {
  const id = join(ROOT, path)
  const first = chunks.find(chunk => chunk.facadeModuleId === id) ?? chunks.find(chunk => chunk.moduleIds.includes(id))
  if (first === undefined) throw new Error(`no chunk has ${path}`)
  const needed = new Set<Rolldown.OutputChunk>()
  const add = (chunk: Rolldown.OutputChunk, ancestors: readonly string[] = []): void => {
    for (const name of chunk.imports) {
      const imported = chunks.find(({ fileName }) => fileName === name)
      if (imported !== undefined && !ancestors.includes(name)) add(imported, [...ancestors, chunk.fileName])
    }
    needed.add(chunk)
  }
  add(first)
  return [...needed].map(({ fileName }) => `/${fileName}`)
}
