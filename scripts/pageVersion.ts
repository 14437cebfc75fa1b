import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as {
  version: string
} // npm's own format

/** What the page is built with, so that it need not carry the whole package.json for its version. */
export const PAGE_VERSION = { 'import.meta.env.PAGE_VERSION': JSON.stringify(version) }
