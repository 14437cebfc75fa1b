import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')

/** Where the built page lies; the server serves this folder. */
export const PAGE = join(ROOT, 'dist/page')

const STAMP = join(ROOT, 'dist/page.stamp')

/** package.json has the version that the page shows. */
const SOURCES = [
  'web/**/*', 'contract/**/*', '{vite.config.ts,package.json,package-lock.json,tsconfig.json}',
  'scripts/{build,buildWorker,compressPage,drawFirstPaint,firstPaint,layerOrder,pageStamp,pageVersion,pairTexts}.ts',
]

/** Whether dist/page was made from the sources as they are. Contents count, not times: a checkout touches every file. */
export function isFresh(): boolean {
  if (!existsSync(join(PAGE, 'index.html'))) return false
  if (!existsSync(join(ROOT, 'web/index.html'))) return true // an image that carries the built page only
  return existsSync(STAMP) && readFileSync(STAMP, 'utf8') === stampOf(ROOT)
}

/** Before a build, so that one broken off is not taken for a whole one. */
export function forgetStamp(): void {
  rmSync(STAMP, { force: true })
}

export function keepStamp(): void {
  mkdirSync(dirname(STAMP), { recursive: true })
  writeFileSync(STAMP, stampOf(ROOT))
}

export function stampOf(root: string): string {
  const hash = createHash('sha256')
  const paths = globSync(SOURCES, { cwd: root, withFileTypes: true })
    .filter(entry => entry.isFile() && !/\.(test|testing)\.tsx?$/.test(entry.name))
    .map(entry => join(entry.parentPath, entry.name))
  for (const path of paths.toSorted()) hash.update(path.slice(root.length)).update('\0').update(readFileSync(path)).update('\0')
  return hash.digest('hex')
}
