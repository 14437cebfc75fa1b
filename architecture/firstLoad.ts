/** How much the first screens may load. `node scripts/node.mjs bench/page/chunks.ts` shows what is in each chunk. */
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { build, loadConfigFromFile, type Rolldown } from 'vite'
import { SCREENS } from '../scripts/firstPaint.ts'

const ROOT = join(import.meta.dirname, '..')
const CONFIG = join(ROOT, 'vite.config.ts')

export type Screen = keyof typeof SCREENS

/**
 * KB (1,024 bytes, compressed) of each chunk, and which screens load it first. Raise a number only for what people need
 * at once; lower it when something has left.
 */
export const CHUNK_BUDGETS: Record<string, { kilobytes: number; screens: readonly Screen[] }> = {
  'rolldown-runtime': { kilobytes: 1, screens: ['login', 'conversation'] },
  react: { kilobytes: 58, screens: ['login', 'conversation'] },
  libraries: { kilobytes: 56, screens: ['login', 'conversation'] },
  shell: { kilobytes: 31, screens: ['login', 'conversation'] },
  // With the names of its classes.
  style: { kilobytes: 30, screens: ['login', 'conversation'] },
  forms: { kilobytes: 10, screens: ['login'] },
  LoginPage: { kilobytes: 3, screens: ['login'] },
  ConversationScreen: { kilobytes: 27, screens: ['conversation'] },
  shared: { kilobytes: 82, screens: ['conversation'] },
}

/**
 * Of scripts and styles together. The bench also counts headers and the script in the page, 6 KB, and asks for 190 and
 * 280 KB.
 */
export const SCREEN_BUDGETS: Record<Screen, { kilobytes: number; requests: number }> = {
  login: { kilobytes: 184, requests: 14 },
  conversation: { kilobytes: 279, requests: 14 },
}

/**
 * KB of all scripts of the admin area together, with the texts of one language, that the conversation screen has not
 * loaded.
 */
export const ADMIN_KILOBYTES = 249

/** A file of the first load by the name of its chunk. */
export type Loaded = { name: string; kilobytes: number; moduleIds?: readonly string[] }

type Output = Rolldown.RolldownOutput['output']

/** Builds the page as `npm run build` does, without drawing the first paint, which changes no chunk and takes time. */
export async function builtPage(): Promise<Output> {
  const loaded = await loadConfigFromFile({ command: 'build', mode: 'production' }, CONFIG)
  if (loaded === null) throw new Error(`${CONFIG} is not there`)
  const { config } = loaded
  const plugins = config.plugins?.flat().filter(plugin => plugin && 'name' in plugin && plugin.name !== 'first-paint')
  const built = await build({
    ...config,
    plugins,
    configFile: false,
    logLevel: 'error',
    build: { ...config.build, write: false },
  })
  if (!('output' in built)) throw new Error('one build has one output')
  return built.output
}

/**
 * The files that a screen loads first: the chunks of main.tsx and of the screen's own module with all that they import,
 * and the styles.
 */
export function firstLoadOf(output: Output, screen: Screen): Loaded[] {
  const names = firstFilesOf(output, screen)
  const styles = output.flatMap(file =>
    file.type === 'chunk' && names.has(file.fileName) ? [...(file.viteMetadata?.importedCss ?? [])] : [],
  )
  return output.filter(({ fileName }) => names.has(fileName) || styles.includes(fileName)).map(loaded)
}

/** The scripts of all pages of the admin area, without those that the conversation screen has. */
export function adminLoadOf(output: Output): Loaded[] {
  const chunks = output.filter(file => file.type === 'chunk')
  const first = firstFilesOf(output, 'conversation')
  const own = chunks.filter(({ moduleIds }) => moduleIds.some(id => OF_ADMIN.test(id)))
  const names = withImports(
    chunks,
    own.map(({ fileName }) => fileName),
  )
  return chunks.filter(({ fileName }) => names.has(fileName) && !first.has(fileName)).map(loaded)
}

const OF_ADMIN = /[\\/](web[\\/](admin|sources[\\/]\w+[\\/]admin)|uplot|i18n[\\/]zh-CN[\\/]admin)[\\/]/

/** Kilobytes, since the files of the first screens are asked for by many tests and take seconds to compress. */
const compressed = new WeakMap<Output[number], number>()

function loaded(file: Output[number]): Loaded {
  const kilobytes = compressed.get(file) ?? brotliCompressSync(textOf(file)).length / 1024
  compressed.set(file, kilobytes)
  return { name: nameOf(file.fileName), kilobytes, moduleIds: file.type === 'chunk' ? file.moduleIds : [] }
}

const textOf = (file: Output[number]) => (file.type === 'chunk' ? file.code : file.source)

function firstFilesOf(output: Output, screen: Screen): Set<string> {
  const chunks = output.filter(file => file.type === 'chunk')
  return withImports(
    chunks,
    ['web/main.tsx', SCREENS[screen]].map(path => chunkOf(chunks, path).fileName),
  )
}

/** These files and all that they import. */
function withImports(chunks: readonly Rolldown.OutputChunk[], files: readonly string[]): Set<string> {
  const names = new Set(files)
  // A loop over a set also visits what is added during the loop.
  for (const name of names)
    for (const imported of chunks.find(({ fileName }) => fileName === name)?.imports ?? []) names.add(imported)
  return names
}

function chunkOf(chunks: readonly Rolldown.OutputChunk[], path: string): Rolldown.OutputChunk {
  const chunk = chunks.find(({ moduleIds }) => moduleIds.includes(join(ROOT, path)))
  if (chunk === undefined) throw new Error(`no chunk has ${path}`)
  return chunk
}

/** A chunk's name, without folder, digest and extension; a digest may have '-' in it. */
function nameOf(file: string): string {
  return /^assets\/(.+)-.{8}\.\w+$/.exec(file)?.[1] ?? file
}

/** Chunks that import each other, by their names: then a module may run before one that it imports. */
export function chunkCycles(output: Output): string[] {
  const chunks = new Map(output.filter(file => file.type === 'chunk').map(chunk => [chunk.fileName, chunk]))
  return [...chunks.keys()].filter(file => {
    const reached = new Set(chunks.get(file)?.imports)
    for (const name of reached) for (const imported of chunks.get(name)?.imports ?? []) reached.add(imported)
    return reached.has(file)
  })
}

/** What is over its budget or in no table, in words; nothing when all is well. */
export function overBudget(screen: Screen, files: readonly Loaded[]): string[] {
  const sums = new Map<string, number>()
  for (const { name, kilobytes } of files) sums.set(name, (sums.get(name) ?? 0) + kilobytes)
  const total = [...sums.values()].reduce((sum, kilobytes) => sum + kilobytes, 0)
  const budget = SCREEN_BUDGETS[screen]
  const requests = files.length + 1
  return [
    ...[...sums].flatMap(([name, kilobytes]) => {
      const row = CHUNK_BUDGETS[name]
      if (!row?.screens.includes(screen)) return [`${name}: is not of this screen`]
      return kilobytes > row.kilobytes ? [`${name}: ${kilobytes.toFixed(1)} KB of ${row.kilobytes}`] : []
    }),
    ...(total > budget.kilobytes ? [`all: ${total.toFixed(1)} KB of ${budget.kilobytes}`] : []),
    ...(requests > budget.requests ? [`${requests} requests of ${budget.requests}`] : []),
  ]
}
