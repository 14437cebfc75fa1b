/** npm run build: makes dist/page and dist/server. With --when-stale it skips a part whose sources have not changed. */
import { join } from 'node:path'
import { buildPage } from './buildPage.ts'
import { buildServer } from './buildServer.ts'
import { buildProblem } from './preflight.mjs'
import { PAGE, SERVER } from './buildCache.ts'
import { codeOf } from './interruption.mjs'

const ROOT = join(import.meta.dirname, '..')

async function build(staleOnly: boolean): Promise<void> {
  const stale = (
    [
      ['page', PAGE, buildPage],
      ['server', SERVER, buildServer],
    ] as const
  ).filter(([, part]) => !staleOnly || !part.isFresh())
  const problem = stale.length > 0 ? buildProblem(ROOT) : null
  if (problem !== null) {
    console.error(problem)
    process.exitCode = 1
    return
  }
  for (const [name, part, make] of stale) {
    try {
      console.log(`Building the ${name} ...`)
      part.invalidate()
      await make(part.folder)
      part.markFresh()
    } catch (error) {
      console.error(`The ${name} could not be built: ${error instanceof Error ? error.message.trim() : error}`)
      process.exitCode = 1
    }
  }
}

// A process that exits by itself, and not by the signal, ends the processes that it has started as well.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(codeOf(signal)))
await build(process.argv.includes('--when-stale'))
