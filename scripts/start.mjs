// npm start [-- --no-build] [-- server arguments]: builds the page and the server when their sources have changed, then serves.
import { fileURLToPath } from 'node:url'
import { runNode } from './runNode.mjs'
import { SERVER_ENVIRONMENT, SERVER_FLAGS } from './serverProcess.mjs'

const here = path => fileURLToPath(new URL(path, import.meta.url))
const args = process.argv.slice(2)

const built = args.includes('--no-build') ? 0 : await runNode([here('build.ts'), '--when-stale'])
process.exitCode = built === 0
  ? await runNode([...SERVER_FLAGS, here('../dist/server/main.js'), ...args.filter(arg => arg !== '--no-build')], SERVER_ENVIRONMENT)
  : built
