import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')

/** `sources` are what it is made from, the first of them one that it cannot be made without; `made` is a file that it has. */
type Made = { sources: readonly [string, ...string[]]; made: string }

/** package.json has the version that the page shows. */
const SETTINGS = '{vite.config.ts,package.json,package-lock.json,tsconfig.json}'

const PAGE_SOURCES = [
  'web/index.html',
  'web/**/*',
  'contract/**/*',
  SETTINGS,
  'scripts/{buildPage,buildWorker,compiledAtOnce,compressPage,drawFirstPaint,firstPaint,kitIds,layerOrder,pageVersion,pairTexts,pureSchemas}.ts',
] as const

const SERVER_SOURCES = [
  'server/main.ts',
  '{server,simulator,contract}/**/*',
  SETTINGS,
  'scripts/buildServer.ts',
] as const

/** The page, which the server serves, and the server in few files (decision 026). */
export const PAGE = stamped('page', { sources: PAGE_SOURCES, made: 'index.html' })
export const SERVER = stamped('server', { sources: SERVER_SOURCES, made: 'main.js' })

export const pageStamp = (root: string): string => stampOf(root, PAGE_SOURCES)
export const serverStamp = (root: string): string => stampOf(root, SERVER_SOURCES)

/** A folder of dist/, and from which sources it was made. */
function stamped(name: string, { sources, made }: Made) {
  const folder = join(ROOT, 'dist', name)
  const stamp = `${folder}.stamp`
  return {
    folder,
    /** Whether it was made from the sources as they are. Contents count, not times: a checkout touches every file. */
    isFresh(): boolean {
      if (!existsSync(join(folder, made))) return false
      if (!existsSync(join(ROOT, sources[0]))) return true // an image that carries what was built only
      return existsSync(stamp) && readFileSync(stamp, 'utf8') === stampOf(ROOT, sources)
    },
    /** Before a build, so that one broken off is not taken for a whole one. */
    forget(): void {
      rmSync(stamp, { force: true })
    },
    keep(): void {
      mkdirSync(dirname(stamp), { recursive: true })
      writeFileSync(stamp, stampOf(ROOT, sources))
    },
  }
}

function stampOf(root: string, sources: readonly string[]): string {
  const hash = createHash('sha256')
  const paths = globSync([...sources], { cwd: root, withFileTypes: true })
    .filter(entry => entry.isFile() && !/\.(test|testing)\.tsx?$/.test(entry.name))
    .map(entry => join(entry.parentPath, entry.name))
  for (const path of [...new Set(paths)].toSorted())
    hash.update(path.slice(root.length)).update('\0').update(readFileSync(path)).update('\0')
  return hash.digest('hex')
}
