import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as z from 'zod/mini'

/**
 * The folder of package.json: this file lies in another one below it when the server was bundled
 * (scripts/buildServer.ts).
 */
export const ROOT = above(import.meta.dirname)

function above(folder: string): string {
  return existsSync(join(folder, 'package.json')) || dirname(folder) === folder ? folder : above(dirname(folder))
}

/** The version of package.json, which the header shows with a v before it (the specification, section 9). */
export const VERSION = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))).version
