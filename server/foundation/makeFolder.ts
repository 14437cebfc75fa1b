import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder, and those above it, for nobody else on the machine to read; false when it was there.
 * Node’s own way never ends where there is no such folder although the one above it is there, as the kernel says in /proc.
 */
export function makeFolder(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 })
    return true
  } catch (error) {
    const above = dirname(path)
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT' && !existsSync(above)) {
      makeFolder(above)
      return makeFolder(path)
    }
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return false
    throw error
  }
}
