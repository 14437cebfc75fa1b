/** npm run build: makes dist/page and dist/server. With --when-stale only what has other sources than the last time. */
import { join } from 'node:path'
import { buildPage } from './buildPage.ts'
import { buildServer } from './buildServer.ts'
import { hindranceToBuild } from './hindrance.mjs'
import { PAGE, SERVER } from './stamps.ts'

const ROOT = join(import.meta.dirname, '..')

async function build(staleOnly: boolean): Promise<void> {
  const stale = (
    [
      ['page', PAGE, buildPage],
      ['server', SERVER, buildServer],
    ] as const
  ).filter(([, part]) => !staleOnly || !part.isFresh())
  const hindrance = stale.length > 0 ? hindranceToBuild(ROOT) : null
  if (hindrance !== null) {
    console.error(hindrance)
    process.exitCode = 1
    return
  }
  for (const [name, part, make] of stale) {
    try {
      console.log(`Building the ${name} ...`)
      part.forget()
      await make(part.folder)
      part.keep()
    } catch (error) {
      console.error(`The ${name} could not be built: ${error instanceof Error ? error.message.trim() : error}`)
      process.exitCode = 1
    }
  }
}

await build(process.argv.includes('--when-stale'))
