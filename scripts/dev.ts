/**
 * npm run dev: the page with hot reload, the server restarted on change, and the simulator unless an upstream is named.
 */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const { OPENAI_BASE_URL, OPENAI_API_KEY, SIMULATOR_PORT = '8001' } = process.env
const upstreamIsNamed = Boolean(OPENAI_BASE_URL ?? OPENAI_API_KEY)

const upstream = upstreamIsNamed
  ? {}
  : { OPENAI_BASE_URL: `http://127.0.0.1:${SIMULATOR_PORT}/v1/`, OPENAI_API_KEY: 'simulated' }

const running = [
  ...(upstreamIsNamed ? [] : [node('simulator/main.ts', '--port', SIMULATOR_PORT)]),
  node('--watch', '--watch-preserve-output', 'server/main.ts'),
  node('node_modules/vite/bin/vite.js'),
]

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
const ended = running.map(child => once(child, 'exit'))
const [code] = await Promise.race(ended)
stop() // two of the three processes alone are of no use
await Promise.all(ended)
process.exitCode = code ?? 0 // null when a signal ended it

function node(...args: string[]): ChildProcess {
  return spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...upstream } })
}

function stop(): void {
  for (const child of running) child.kill('SIGTERM')
}
