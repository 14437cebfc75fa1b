import { execFile } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build, minify, type Plugin, type Rolldown } from 'vite'
import type { FirstPaint } from './drawFirstPaint.ts'

const ROOT = join(import.meta.dirname, '..')
const DRAWN = join(ROOT, 'dist/firstPaint')
/** Which screen is fetched beside the page around it, by the module that begins it. */
export const SCREENS = { login: 'web/app/LoginPage.tsx', conversation: 'web/asking/ConversationScreen.tsx' }
const PLACE = '<!-- first paint -->'
const ENTRY = /\s*<script type="module"[^>]* src="([^"]+)"><\/script>/g
const PRELOADED = /\s*<link rel="modulepreload"[^>]* href="([^"]+)">/g
const START = '<script src="/start.js"></script>'

/**
 * Lays into index.html what is shown before any script has run, and leaves to start.js when those are run: after that has been
 * painted, each in a task of its own. How: web/public/start.js.
 */
export function firstPaint(configFile: string): Plugin {
  return {
    name: 'first-paint',
    apply: (config, { command }) => command === 'build' && config.build?.ssr === undefined,
    transformIndexHtml: {
      order: 'post',
      async handler(html, { bundle = {} }) {
        const preloaded = [...html.matchAll(PRELOADED)].map(([, href = '']) => href)
        const entries = [...html.matchAll(ENTRY)].map(([, src = '']) => src)
        const scripts = [...new Set([...preloaded, ...entries])]
        const { screens, toLight, demonstration, ...words } = await drawn(configFile)
        const further = Object.fromEntries(Object.entries(SCREENS).map(([name, path]) => [name, filesOf(bundle, path, html)]))
        const plan = JSON.stringify({ scripts, further, ...words }).replaceAll('<', '\\u003c')
        // Behind what is needed to paint: a browser opens six connections, and these would take them all.
        const links = scripts.map(href => `<link rel="modulepreload" fetchpriority="low" crossorigin href="${href}">`)
        const templates = Object.entries({ ...screens, toLight, demonstration }).map(([name, markup]) => `<template id="paint-${name}">${markup}</template>`)
        return html
          .replaceAll(ENTRY, '')
          .replaceAll(PRELOADED, '')
          .replace(START, () => `<script type="application/json" id="plan">${plan}</script>\n    ${START}`)
          .replace('</head>', () => `  ${links.join('\n    ')}\n  </head>`)
          .replace(PLACE, () => `${templates.join('\n    ')}\n    <first-paint></first-paint>`)
      },
    },
    // What lies in the public folder is copied as it is; this is waited for by everybody.
    async writeBundle({ dir = '' }) {
      const start = join(dir, 'start.js')
      const { code } = await minify('start.js', await readFile(start, 'utf8'))
      await writeFile(start, code)
    },
  }
}

async function drawn(configFile: string): Promise<FirstPaint> {
  await build({
    configFile,
    logLevel: 'error',
    build: {
      ssr: join(ROOT, 'web/app/firstPaint/draw.tsx'), outDir: DRAWN, emptyOutDir: true, copyPublicDir: false,
      rolldownOptions: { output: { codeSplitting: false } },
    },
  })
  const draw = [join(ROOT, 'scripts/drawFirstPaint.ts'), join(DRAWN, 'draw.js')]
  const { stdout } = await promisify(execFile)(process.execPath, draw, { cwd: ROOT, maxBuffer: 2 ** 24 })
  await rm(DRAWN, { recursive: true })
  return JSON.parse(stdout)
}

/** A lazily imported module's chunk and styles, and those of what it needs; other than what the page names for every screen. */
function filesOf(bundle: Rolldown.OutputBundle, path: string, html: string): { scripts: string[]; styles: string[] } {
  const chunks = Object.values(bundle).filter(file => file.type === 'chunk')
  const isFirst = (id: string | null) => id?.endsWith(`/${path}`) === true
  const first = chunks.find(chunk => isFirst(chunk.facadeModuleId)) ?? chunks.find(chunk => chunk.moduleIds.some(isFirst))
  if (first === undefined) throw new Error(`no chunk has ${path}`)
  const all = new Set([first.fileName])
  for (const name of all) {
    for (const imported of chunks.find(chunk => chunk.fileName === name)?.imports ?? []) all.add(imported)
  }
  const needed = chunks.filter(chunk => all.has(chunk.fileName))
  const styles = needed.flatMap(chunk => [...chunk.viteMetadata?.importedCss ?? []])
  const further = (names: string[]) => [...new Set(names)].map(name => `/${name}`).filter(name => !html.includes(`"${name}"`))
  return { scripts: further(needed.map(chunk => chunk.fileName)), styles: further(styles) }
}
