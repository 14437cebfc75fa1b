// npm start [-- --no-build] [-- server arguments]: builds the page and the server when their sources have changed, then serves.
import { fileURLToPath } from 'node:url'
import { startedBy, watchInterruption } from './interruption.mjs'
import { startProblem } from './preflight.mjs'
import { runNode } from './runNode.mjs'
import { SERVER_ENVIRONMENT, SERVER_FLAGS } from './serverProcess.mjs'

const here = path => fileURLToPath(new URL(path, import.meta.url))

/** Returns the exit code. */
async function start(args) {
  const { npm, others } = startedBy(args)
  const interruption = watchInterruption(npm)
  const problem = startProblem(here('..'))
  if (problem !== null) {
    console.error(problem)
    return 1
  }
  const built = others.includes('--no-build') ? 0 : await runNode([here('build.ts'), '--when-stale'], {}, interruption)
  if (built !== 0) return built
  const further = others.filter(arg => arg !== '--no-build')
  return runNode([...SERVER_FLAGS, here('../dist/server/main.js'), ...further], SERVER_ENVIRONMENT, interruption)
}

process.exitCode = await start(process.argv.slice(2))
