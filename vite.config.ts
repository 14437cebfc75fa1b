import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compiledAtOnce } from './scripts/compiledAtOnce.ts'
import { firstPaint } from './scripts/firstPaint.ts'
import { kitIds } from './scripts/kitIds.ts'
import { layerOrder } from './scripts/layerOrder.ts'
import { PAGE_VERSION } from './scripts/pageVersion.ts'
import { pureSchemas } from './scripts/pureSchemas.ts'

const root = fileURLToPath(new URL('.', import.meta.url))
/** Small modules that conversations and other screens share. As a chunk each they would be a request each. */
const PARTS =
  /[\\/](contract|web[\\/]foundation|web[\\/]kit|sharedMeter)[\\/](?!.*(chatSocket|chatEvents|Dialog|SecretInput|TerminalLines))/
const REACT = /node_modules[\\/](react|react-dom|scheduler)[\\/]|app[\\/]reactFirst/
const CONTRACT = /[\\/]contract[\\/]/
const FORMS =
  /@mantine[\\/]core[\\/].*[\\/](Input|InputBase|InlineInput|TextInput|PasswordInput|Checkbox|CheckboxIndicator|CloseButton)\b|kit[\\/]SecretInput/

/** The chunks of the first screens (architecture/firstLoad.json). */
const STARTING = ['react', 'libraries', 'contract', 'shell', 'forms', 'parts', 'chat']

const SERVER = `http://127.0.0.1:${process.env.PORT ?? 8000}`

export default defineConfig({
  root: `${root}web`,
  define: PAGE_VERSION,
  plugins: [
    react(),
    firstPaint(fileURLToPath(import.meta.url)),
    kitIds(),
    layerOrder(),
    pureSchemas(),
    compiledAtOnce(...STARTING),
  ],
  build: {
    outDir: `${root}dist/page`,
    emptyOutDir: true,
    sourcemap: false,
    reportCompressedSize: false,
    // Kilobytes before compression. What counts is what is transferred; the bench prints that.
    chunkSizeWarningLimit: 600,
    // The content security policy allows no inline script and no data: URL.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // Few requests: four chunks that every screen needs, which start.js evaluates one by one, and one chunk each for forms (sign-in and
    // others), shared small parts, menus and conversations.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'react', test: REACT, priority: 7 },
            {
              name: (id, graph) =>
                isLibrary(id) && isScript(id) && neededBy('web/main.tsx', graph).has(id) ? 'libraries' : null,
              debugName: 'libraries',
              priority: 6,
            },
            {
              name: (id, graph) => (CONTRACT.test(id) && neededBy('web/main.tsx', graph).has(id) ? 'contract' : null),
              debugName: 'contract',
              priority: 5,
            },
            {
              name: (id, graph) => (neededBy('web/main.tsx', graph).has(id) ? 'shell' : null),
              debugName: 'shell',
              priority: 4,
            },
            {
              name: (id, graph) =>
                FORMS.test(id) || neededBy('web/app/LoginPage.tsx', graph).has(id) ? 'forms' : null,
              debugName: 'forms',
              priority: 3,
            },
            {
              name: (id, graph) =>
                PARTS.test(id) && neededBy('web/asking/ConversationScreen.tsx', graph).has(id) ? 'parts' : null,
              debugName: 'parts',
              priority: 2,
            },
            {
              name: (id, graph) =>
                isLibrary(id) && neededBy('web/accounts/UserMenu.tsx', graph).has(id) ? 'menus' : null,
              debugName: 'menus',
              priority: 1,
            },
            {
              name: (id, graph) => (neededBy('web/asking/ConversationScreen.tsx', graph).has(id) ? 'chat' : null),
              debugName: 'chat',
              priority: 0,
            },
          ],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    fs: { allow: [root] },
    // The server compares Origin with Host on everything that changes state, so the browser's own Host must reach it.
    proxy: {
      '/api': { target: SERVER, ws: true, changeOrigin: false },
      '/healthz': { target: SERVER, changeOrigin: false },
    },
  },
})

type Graph = { getModuleInfo(id: string): { importedIds: readonly string[]; code: string | null } | null }

const KIT = '@mantine/core'
const KIT_NAMES = new RegExp(`import\\s*\\{([^}]*)\\}\\s*from\\s*["']${KIT}["']`, 'g')

const needed = new Map<string, Set<string>>()

/** A module and all that it imports, other than lazily. Of the kit only the parts that are named: its index names every part. */
function neededBy(path: string, graph: Graph): Set<string> {
  const known = needed.get(path)
  if (known !== undefined) return known
  const all = new Set([`${root}${path}`])
  needed.set(path, all)
  for (const id of all) {
    const { importedIds, code } = graph.getModuleInfo(id) ?? { importedIds: [], code: null }
    for (const imported of importedIds) {
      const parts = imported.endsWith(`${KIT}/esm/index.mjs`)
        ? partsNamed(code ?? '', graph.getModuleInfo(imported)?.importedIds ?? [])
        : [imported]
      for (const part of parts) all.add(part)
    }
  }
  return all
}

function isLibrary(id: string): boolean {
  return id.includes('node_modules')
}

function isScript(id: string): boolean {
  return !id.endsWith('.css')
}

function partsNamed(code: string, parts: readonly string[]): string[] {
  const names = [...code.matchAll(KIT_NAMES)]
    .flatMap(([, list = '']) => list.split(','))
    .map(name => name.trim().split(' ')[0])
  return parts.filter(part => names.some(name => part.endsWith(`/${name}.mjs`)) || part.includes('/esm/core/'))
}
