/** npm run build: makes dist/page and dist/server. With --when-stale only what has other sources than the last time. */
import { buildPage } from './buildPage.ts'
import { buildServer } from './buildServer.ts'
import { PAGE, SERVER } from './stamps.ts'

const staleOnly = process.argv.includes('--when-stale')

for (const [name, part, build] of [['page', PAGE, buildPage], ['server', SERVER, buildServer]] as const) {
  if (staleOnly && part.isFresh()) continue
  try {
    console.log(`Building the ${name} ...`)
    part.forget()
    await build(part.folder)
    part.keep()
  } catch (error) {
    console.error(`The ${name} could not be built: ${error instanceof Error ? error.message.trim() : error}`)
    process.exitCode = 1
  }
}
