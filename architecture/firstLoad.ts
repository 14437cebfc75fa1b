/**
 * The modules that each screen loads first. vite.config.ts assigns modules to chunks by file name, so that a rename can move code into the
 * first load. `node scripts/node.mjs architecture/firstLoad.ts` rewrites firstLoad.json; its diff shows what a commit has moved.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, loadConfigFromFile, type Rolldown } from 'vite'
import { SCREENS } from '../scripts/firstPaint.ts'

const ROOT = join(import.meta.dirname, '..')
const CONFIG = join(ROOT, 'vite.config.ts')
const LIST = join(import.meta.dirname, 'firstLoad.json')

/** The chunks that each screen loads first, and the modules of each chunk. */
export type FirstLoad = { screens: Record<string, string[]>; chunks: Record<string, string[]> }

export function knownFirstLoad(): FirstLoad {
  return JSON.parse(readFileSync(LIST, 'utf8'))
}

/** Builds the page as `npm run build` does, without the steps that change no chunk and take time. */
export async function chunksOfPage(): Promise<Rolldown.OutputChunk[]> {
  const loaded = await loadConfigFromFile({ command: 'build', mode: 'production' }, CONFIG)
  if (loaded === null) throw new Error(`${CONFIG} is not there`)
  const { config } = loaded
  const plugins = config.plugins?.flat().filter(plugin => plugin && 'name' in plugin && plugin.name !== 'first-paint')
  const built = await build({
    ...config,
    plugins,
    configFile: false,
    logLevel: 'error',
    build: { ...config.build, write: false, minify: false, cssMinify: false },
  })
  if (!('output' in built)) throw new Error('one build has one output')
  return built.output.filter(file => file.type === 'chunk')
}

export function firstLoadOf(chunks: readonly Rolldown.OutputChunk[]): FirstLoad {
  const screens = Object.entries(SCREENS).map(
    ([name, path]) => [name, loadedWith(chunks, ['web/main.tsx', path])] as const,
  )
  const loaded = new Set(screens.flatMap(([, needed]) => needed))
  const named = (needed: Iterable<Rolldown.OutputChunk>) => [...needed].map(({ name }) => name).toSorted()
  return {
    screens: Object.fromEntries(screens.map(([name, needed]) => [name, named(needed)])),
    chunks: Object.fromEntries(
      [...loaded]
        .map(({ name, moduleIds }): [string, string[]] => [name, namesOf(moduleIds)])
        .toSorted(([a], [b]) => (a < b ? -1 : 1)),
    ),
  }
}

function loadedWith(chunks: readonly Rolldown.OutputChunk[], paths: readonly string[]): Rolldown.OutputChunk[] {
  const all = new Set(paths.map(path => chunks.find(({ moduleIds }) => moduleIds.includes(join(ROOT, path)))?.fileName))
  if (all.has(undefined)) throw new Error(`no chunk has one of ${paths.join(', ')}`)
  // A loop over a set also visits what is added during the loop.
  for (const name of all) {
    for (const imported of chunks.find(({ fileName }) => fileName === name)?.imports ?? []) all.add(imported)
  }
  return chunks.filter(({ fileName }) => all.has(fileName))
}

function namesOf(ids: readonly string[]): string[] {
  return [...new Set(ids.map(nameOf))].toSorted()
}

/**
 * The name of a module: our path, or the library's name; for the kit also the component, since only some of it is wanted in the first
 * load.
 */
function nameOf(id: string): string {
  const [path = ''] = id.replace('\0', '').replaceAll('\\', '/').split('?')
  const inLibrary = path.split('node_modules/').at(-1) ?? ''
  if (inLibrary === path) return path.replace(`${ROOT.replaceAll('\\', '/')}/`, '')
  const part = /^@mantine\/core\/.*\/(components\/\w+)/.exec(inLibrary)?.[1]
  const library = inLibrary
    .split('/')
    .slice(0, inLibrary.startsWith('@') ? 2 : 1)
    .join('/')
  return part === undefined ? library : `${library}/${part}`
}

if (import.meta.main) writeFileSync(LIST, `${JSON.stringify(firstLoadOf(await chunksOfPage()), null, 2)}\n`)
