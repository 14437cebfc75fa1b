import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The folder of package.json: this file lies in another one below it when the server was bundled (scripts/buildServer.ts). */
export const ROOT = above(import.meta.dirname)

function above(folder: string): string {
  return existsSync(join(folder, 'package.json')) || dirname(folder) === folder ? folder : above(dirname(folder))
}
