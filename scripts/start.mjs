// npm start [-- --no-build] [-- server arguments]: builds the page and the server when their sources have changed, then serves.
import { fileURLToPath } from 'node:url'
import { startProblem } from './preflight.mjs'
import { runNode } from './runNode.mjs'
import { SERVER_ENVIRONMENT, SERVER_FLAGS } from './serverProcess.mjs'

const here = path => fileURLToPath(new URL(path, import.meta.url))

/** Gives the exit code. */
async function start(args) {
  const problem = startProblem(here('..'))
  if (problem !== null) {
    console.error(problem)
    return 1
  }
  const built = args.includes('--no-build') ? 0 : await runNode([here('build.ts'), '--when-stale'])
  if (built !== 0) return built
  return runNode(
    [...SERVER_FLAGS, here('../dist/server/main.js'), ...args.filter(arg => arg !== '--no-build')],
    SERVER_ENVIRONMENT,
  )
}

process.exitCode = await start(process.argv.slice(2))
