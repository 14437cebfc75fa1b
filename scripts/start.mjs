// npm start [-- --no-build] [-- server arguments]: builds the page when its sources have changed, then serves.
import { fileURLToPath } from 'node:url'
import { runNode } from './runNode.mjs'

const here = path => fileURLToPath(new URL(path, import.meta.url))
const args = process.argv.slice(2)

// A smaller young generation: a quarter less memory while many answers stream, for a few per cent of CPU.
const SERVER_FLAGS = ['--max-semi-space-size=8']

const built = args.includes('--no-build') ? 0 : await runNode([here('build.ts'), '--when-stale'])
process.exitCode = built === 0
  ? await runNode([...SERVER_FLAGS, here('../server/main.ts'), ...args.filter(arg => arg !== '--no-build')])
  : built
