/** Which parts of dist/ are still up to date: a hash of the sources is kept beside each built folder. */
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')

/**
 * `sources` are globs; without a file at the first of them nothing can be built. `output` is one file of the built
 * folder.
 */
type Part = { sources: readonly [string, ...string[]]; output: string }

/** Both parts depend on these. The page shows the version of package.json. */
const SETTINGS = '{vite.config.ts,package.json,package-lock.json,tsconfig.json}'

const PAGE_SOURCES = [
  'web/index.html',
  'web/**/*',
  'contract/**/*',
  SETTINGS,
  'scripts/{buildPage,buildWorker,compressPage,firstPaint,outputOf,pageVersion}.ts',
] as const

const SERVER_SOURCES = [
  'server/main.ts',
  '{server,simulator,contract}/**/*',
  SETTINGS,
  'scripts/buildServer.ts',
] as const

/** The page, and the server bundled into few files (docs/performance.md). */
export const PAGE = cachedPart('page', { sources: PAGE_SOURCES, output: 'index.html' })
export const SERVER = cachedPart('server', { sources: SERVER_SOURCES, output: 'main.js' })

export const pageHash = (root: string): string => hashOf(root, PAGE_SOURCES)
export const serverHash = (root: string): string => hashOf(root, SERVER_SOURCES)

function cachedPart(name: string, { sources, output }: Part) {
  const folder = join(ROOT, 'dist', name)
  const hashFile = `${folder}.stamp`
  return {
    folder,
    /**
     * Whether it was built from the sources as they are now. Contents are compared, not times: a checkout touches every
     * file.
     */
    isFresh(): boolean {
      if (!existsSync(join(folder, output))) return false
      if (!existsSync(join(ROOT, sources[0]))) return true // a container image holds only what was built
      return existsSync(hashFile) && readFileSync(hashFile, 'utf8') === hashOf(ROOT, sources)
    },
    /** Called before a build, so that an interrupted one is not taken for complete. */
    invalidate(): void {
      rmSync(hashFile, { force: true })
    },
    markFresh(): void {
      mkdirSync(dirname(hashFile), { recursive: true })
      writeFileSync(hashFile, hashOf(ROOT, sources))
    },
  }
}

function hashOf(root: string, sources: readonly string[]): string {
  const hash = createHash('sha256')
  const paths = globSync([...sources], { cwd: root, withFileTypes: true })
    .filter(entry => entry.isFile() && !/\.(test|testing)\.tsx?$/.test(entry.name))
    .map(entry => join(entry.parentPath, entry.name))
  for (const path of [...new Set(paths)].toSorted())
    hash.update(path.slice(root.length)).update('\0').update(readFileSync(path)).update('\0')
  return hash.digest('hex')
}
