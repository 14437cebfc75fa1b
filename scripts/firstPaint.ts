import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { build, type Plugin, type Rolldown } from 'vite'
import type { Drawn } from '#web/drawFirstPaint.tsx'
import type { Plan } from '#web/firstPaint/screen.ts'
import { outputOf } from './outputOf.ts'

const ROOT = join(import.meta.dirname, '..')
const DRAWN = join(ROOT, 'dist/firstPaint')
/** Screens that are loaded together with the page's shell, by their first module. */
export const SCREENS = { login: 'web/app/LoginPage.tsx', conversation: 'web/asking/ConversationScreen.tsx' }
/**
 * The page for any address, and the pages with a drawn screen, which the server sends to those who see that screen
 * first (server/foundation/http/page.ts).
 */
const PAGES = [
  { file: 'index.html', name: undefined },
  { file: 'drawn/signedOut/login.html', name: 'login' },
  { file: 'drawn/signedIn/conversation.html', name: 'conversation' },
] as const

/**
 * Writes the pages: web/index.html, with what is drawn, and with web/firstPaint/start.ts inline, which runs the
 * scripts.
 */
export function firstPaint(configFile: string): Plugin {
  return {
    name: 'first-paint',
    apply: (config, { command }) => command === 'build' && config.build?.ssr === undefined,
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        delete bundle['index.html']
        const html = await readFile(join(ROOT, 'web/index.html'), 'utf8')
        const start = await bundledStart()
        const { markup, texts, noScripts } = await draw(configFile)
        const chunks = Object.values(bundle).filter(file => file.type === 'chunk')
        const shell = scriptsOf(chunks, 'web/main.tsx')
        const styles = chunks
          .filter(({ fileName }) => shell.includes(`/${fileName}`))
          .flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])])
        for (const { file, name } of PAGES) {
          const scripts = name === undefined ? [] : scriptsOf(chunks, SCREENS[name])
          const screen = name && { name, scripts: scripts.filter(script => !shell.includes(script)) }
          const head = headOf({ scripts: shell, texts, screen }, start, styles)
          const drawn = Object.entries(name === undefined ? {} : markup[name])
          const templates = drawn.map(([id, content]) => `<template id="${id}">${content}</template>`)
          const source = html
            .replace('<!-- start -->', () => head.join('\n    '))
            .replace('<!-- no scripts -->', () => noteWithoutScripts(noScripts))
            .replace('<!-- first paint -->', () => [...templates, '<first-paint></first-paint>'].join('\n    '))
            .replace('<script type="module" src="/main.tsx"></script>', '')
          this.emitFile({ type: 'asset', fileName: file, source })
        }
      },
    },
  }
}

function headOf(plan: Plan, start: string, styles: readonly string[]): string[] {
  const preloads = plan.scripts.map(href => `<link rel="modulepreload" fetchpriority="low" crossorigin href="${href}">`)
  return [
    `<script type="application/json" id="plan">${JSON.stringify(plan).replaceAll('<', '\\u003c')}</script>`,
    // Blocks the first paint until #root is parsed: painting an empty page first delays the drawn one on a slow
    // processor.
    ...(plan.screen === undefined ? preloads : ['<link rel="expect" href="#root" blocking="render">']),
    // Before the style sheets, because a script waits for those before it.
    `<script>${start}</script>`,
    ...styles.map(file => `<link rel="stylesheet" crossorigin href="/${file}">`),
  ]
}

/**
 * In every language, since nobody is known yet. Styled by class alone (web/firstPaint/firstPaint.css): the policy
 * allows no inline style.
 */
function noteWithoutScripts(texts: Drawn['noScripts']): string {
  const lines = Object.entries(texts).map(([lang, text]) => `<p lang="${lang}">${text}</p>`)
  return `<noscript><div class="no-scripts" role="alert">${lines.join('')}</div></noscript>`
}

async function bundledStart(): Promise<string> {
  const input = join(ROOT, 'web/firstPaint/start.ts')
  const built = await build({
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    build: { write: false, rolldownOptions: { input, output: { format: 'iife' } } },
  })
  if (!('output' in built)) throw new Error('one build has one output')
  const [{ code, moduleIds }] = built.output
  const library = moduleIds.find(id => id.includes('node_modules'))
  if (library !== undefined) throw new Error(`the inline script would contain ${library}`)
  if (code.includes('</script') || code.includes('<!--')) throw new Error('the inline script would end before its end')
  return code.trim()
}

async function draw(configFile: string): Promise<Drawn> {
  await build({
    configFile,
    logLevel: 'error',
    build: {
      ssr: join(ROOT, 'web/drawFirstPaint.tsx'),
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
  const first = chunks.find(({ moduleIds }) => moduleIds.includes(join(ROOT, path)))
  if (first === undefined) throw new Error(`no chunk has ${path}`)
  const seen = new Set<Rolldown.OutputChunk>()
  const withImports = (chunk: Rolldown.OutputChunk): Rolldown.OutputChunk[] => {
    if (seen.has(chunk)) return []
    seen.add(chunk)
    return [...chunks.filter(({ fileName }) => chunk.imports.includes(fileName)).flatMap(withImports), chunk]
  }
  return withImports(first).map(({ fileName }) => `/${fileName}`)
}
