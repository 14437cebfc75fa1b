// node scripts/node.mjs bench/page/chunks.ts: the transferred size of the page's scripts and styles, and which packages
// and folders are in them.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { kilobytes, printTable } from '../figures.ts'

const ROOT = join(import.meta.dirname, '../..')
/** How many of the largest parts are listed for each chunk. */
const PARTS = 12
const LARGEST_CHUNKS = 14

type Weighed = { name: string; bytes: number; parts: [string, number][] }

const outDir = join(ROOT, 'dist/bench/chunks')
const built = await build({
  configFile: join(ROOT, 'vite.config.ts'),
  logLevel: 'warn',
  build: { outDir, emptyOutDir: true },
})
if (!('output' in built)) throw new Error('one build has one output')
const weighed = built.output.flatMap(weigh).sort((a, b) => b.bytes - a.bytes)
rmSync(outDir, { recursive: true })

printTable(
  'Chunks, as transferred (brotli)',
  ['', 'size'],
  weighed.slice(0, LARGEST_CHUNKS).map(({ name, bytes }) => [name, kilobytes(bytes)]),
)
for (const { name, bytes, parts } of weighed.filter(each => each.parts.length > 1).slice(0, 4)) {
  const all = parts.reduce((total, [, length]) => total + length, 0)
  // A chunk is compressed as a whole; the compressed size is divided among its parts by their length.
  printTable(
    `${name}: ${kilobytes(bytes)}`,
    ['', 'about', 'share'],
    parts
      .slice(0, PARTS)
      .map(([part, length]) => [part, kilobytes((bytes * length) / all), `${Math.round((100 * length) / all)} %`]),
  )
}

function weigh(file: Rolldown.OutputChunk | Rolldown.OutputAsset): Weighed[] {
  if (file.type === 'asset') {
    return file.fileName.endsWith('.css')
      ? [{ name: file.fileName, bytes: brotliCompressSync(file.source).length, parts: [] }]
      : []
  }
  const parts = new Map<string, number>()
  for (const [id, { renderedLength }] of Object.entries(file.modules))
    parts.set(partOf(id), (parts.get(partOf(id)) ?? 0) + renderedLength)
  return [
    { name: file.fileName, bytes: brotliCompressSync(file.code).length, parts: [...parts].sort((a, b) => b[1] - a[1]) },
  ]
}

/** The package of a library's module, the folder of one of ours. */
function partOf(id: string): string {
  const library = id.split('node_modules/').at(-1)
  if (library !== undefined && library !== id)
    return library
      .split('/')
      .slice(0, library.startsWith('@') ? 2 : 1)
      .join('/')
  return id.replace(`${ROOT}/`, '').split('/').slice(0, 2).join('/')
}
