import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { build, minify, type Plugin, type Rolldown } from 'vite'
import type { FirstPaint } from './drawFirstPaint.ts'
import { outputOf } from './outputOf.ts'

const ROOT = join(import.meta.dirname, '..')
const DRAWN = join(ROOT, 'dist/firstPaint')
/** Screens that are loaded together with the page's shell, by their first module. */
export const SCREENS = { login: 'web/app/LoginPage.tsx', conversation: 'web/asking/ConversationScreen.tsx' }
/**
 * The HTML file of each screen. The server sends it in place of index.html to whoever sees that screen first
 * (server/foundation/http/page.ts).
 */
const FILES = { login: 'drawn/signedOut/login.html', conversation: 'drawn/signedIn/conversation.html' }
const MARKER = '<!-- first paint -->'
const ENTRY = /\s*<script type="module"[^>]* src="([^"]+)"><\/script>/g
const PRELOADED = /\s*<link rel="modulepreload"[^>]* href="([^"]+)">/g
const START = '<script src="/start.js"></script>'

type Screen = keyof typeof SCREENS
type Files = { scripts: string[]; styles: string[] }

/**
 * Writes an HTML file for each screen with the screen already drawn in it, so that it is visible before any script has run.
 * web/public/start.js fetches and runs the scripts after the first paint, each in a task of its own.
 */
export function firstPaint(configFile: string): Plugin {
  const pages = new Map<string, string>()
  return {
    name: 'first-paint',
    apply: (config, { command }) => command === 'build' && config.build?.ssr === undefined,
    transformIndexHtml: {
      order: 'post',
      async handler(document, { bundle = {} }) {
        const start = await startScript()
        const html = document.replace(START, () => start)
        const preloaded = [...html.matchAll(PRELOADED)].map(([, href = '']) => href)
        const entries = [...html.matchAll(ENTRY)].map(([, src = '']) => src)
        const scripts = [...new Set([...preloaded, ...entries])]
        const bare = html.replaceAll(ENTRY, '').replaceAll(PRELOADED, '')
        const { screens, unloaded } = await drawn(configFile)
        for (const [name, { templates, texts, greetings }] of Object.entries(screens) as [
          Screen,
          FirstPaint['screens'][Screen],
        ][]) {
          const further = filesOf(bundle, SCREENS[name], html)
          const plan = { screen: name, scripts, screenScripts: further.scripts, greetings, unloaded }
          pages.set(FILES[name], laidIn(bare, { plan, texts }, stylesheets(further.styles), templates))
        }
        return laidIn(
          bare,
          { plan: { scripts, unloaded } },
          scripts.map(href => `<link rel="modulepreload" fetchpriority="low" crossorigin href="${href}">`),
          {},
        )
      },
    },
    async writeBundle({ dir = '' }) {
      for (const [name, page] of pages) {
        await mkdir(dirname(join(dir, name)), { recursive: true })
        await writeFile(join(dir, name), page)
      }
      // Vite has copied start.js with the public folder, which `npm run dev` serves; the built pages contain it inline.
      await rm(join(dir, 'start.js'))
    },
  }
}

/** Inline, because everything waits for it. The content security policy allows it by its hash (server/foundation/http/page.ts). */
async function startScript(): Promise<string> {
  const { code } = await minify('start.js', await readFile(join(ROOT, 'web/public/start.js'), 'utf8'))
  if (/<\/?script|<!--/i.test(code)) throw new Error('start.js would end before its end in a page')
  return `<script>${code.trim()}</script>`
}

/** Blocks the first paint until #root is parsed: painting an empty page first delays the drawn one on a slow processor. */
function stylesheets(styles: readonly string[]): string[] {
  return [
    '<link rel="expect" href="#root" blocking="render">',
    ...styles.map(href => `<link rel="stylesheet" crossorigin href="${href}">`),
  ]
}

/** Inserts scripts, data, links and templates into the HTML. start.js finds each of `data` by its id. */
function laidIn(
  html: string,
  data: Record<string, object>,
  links: readonly string[],
  templates: Record<string, string>,
): string {
  const scripts = Object.entries(data).map(
    ([id, value]) =>
      `<script type="application/json" id="${id}">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`,
  )
  const drawings = Object.entries(templates).map(
    ([name, markup]) => `<template id="paint-${name}">${markup}</template>`,
  )
  return html
    .replace('<script>', () => [...scripts, '<script>'].join('\n    '))
    .replace('</head>', () => `  ${links.join('\n    ')}\n  </head>`)
    .replace(MARKER, () => [...drawings, '<first-paint></first-paint>'].join('\n    '))
}

async function drawn(configFile: string): Promise<FirstPaint> {
  await build({
    configFile,
    logLevel: 'error',
    build: {
      ssr: join(ROOT, 'web/app/firstPaint/draw.tsx'),
      outDir: DRAWN,
      emptyOutDir: true,
      copyPublicDir: false,
      rolldownOptions: { output: { codeSplitting: false } },
    },
  })
  const found = await outputOf(join(ROOT, 'scripts/drawFirstPaint.ts'), join(DRAWN, 'draw.js'))
  await rm(DRAWN, { recursive: true })
  return JSON.parse(found)
}

/** The chunk and its imports, dependencies first. */
function inOrder(
  chunk: Rolldown.OutputChunk,
  chunks: readonly Rolldown.OutputChunk[],
  seen = new Set<string>(),
): Rolldown.OutputChunk[] {
  if (seen.has(chunk.fileName)) return []
  seen.add(chunk.fileName)
  const imported = chunks.filter(({ fileName }) => chunk.imports.includes(fileName))
  return [...imported.flatMap(each => inOrder(each, chunks, seen)), chunk]
}

/** The scripts and styles of a lazily imported module and of its dependencies, without those that the HTML already names. */
function filesOf(bundle: Rolldown.OutputBundle, path: string, html: string): Files {
  const chunks = Object.values(bundle).filter(file => file.type === 'chunk')
  const isFirst = (id: string | null) => id?.endsWith(`/${path}`) === true
  const first =
    chunks.find(chunk => isFirst(chunk.facadeModuleId)) ?? chunks.find(chunk => chunk.moduleIds.some(isFirst))
  if (first === undefined) throw new Error(`no chunk has ${path}`)
  const needed = inOrder(first, chunks)
  const styles = needed.flatMap(chunk => [...(chunk.viteMetadata?.importedCss ?? [])])
  const further = (names: string[]) =>
    [...new Set(names)].map(name => `/${name}`).filter(name => !html.includes(`"${name}"`))
  return { scripts: further(needed.map(chunk => chunk.fileName)), styles: further(styles) }
}
