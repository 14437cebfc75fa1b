import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as {
  version: string
} // npm's own format

/** Defines the version as a constant, so that the page does not contain the whole package.json. */
export const PAGE_VERSION = { 'import.meta.env.PAGE_VERSION': JSON.stringify(version) }
