// npm start [-- --no-build] [-- server arguments]: builds the page and the server when their sources have changed, then serves.
import { fileURLToPath } from 'node:url'
import { watchInterruption } from './interruption.mjs'
import { startProblem } from './preflight.mjs'
import { runNode } from './runNode.mjs'
import { SERVER_ENVIRONMENT, SERVER_FLAGS } from './serverProcess.mjs'

const here = path => fileURLToPath(new URL(path, import.meta.url))

/** The process of npm, as its shell names it (package.json). A shell that knows no $PPID, such as that of Windows, gives no number. */
const STARTED_BY = '--started-by='

/** Gives the exit code. */
async function start(args) {
  const npm = Number(args.find(arg => arg.startsWith(STARTED_BY))?.slice(STARTED_BY.length))
  const interruption = watchInterruption(npm > 0 ? npm : null)
  const problem = startProblem(here('..'))
  if (problem !== null) {
    console.error(problem)
    return 1
  }
  const built = args.includes('--no-build') ? 0 : await runNode([here('build.ts'), '--when-stale'], {}, interruption)
  if (built !== 0) return built
  const further = args.filter(arg => arg !== '--no-build' && !arg.startsWith(STARTED_BY))
  return runNode([...SERVER_FLAGS, here('../dist/server/main.js'), ...further], SERVER_ENVIRONMENT, interruption)
}

process.exitCode = await start(process.argv.slice(2))
