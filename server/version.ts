import { readFileSync } from 'node:fs'
import * as z from 'zod/mini'

const file = new URL('../package.json', import.meta.url)

/** The version of package.json, which the header shows with a v before it (the specification, section 9). */
export const VERSION = z.object({ version: z.string() }).parse(JSON.parse(readFileSync(file, 'utf8'))).version
