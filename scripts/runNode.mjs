import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'
import { findNode, nodeIsMissing } from './findNode.mjs'

/** Where Node keeps what it made of our TypeScript: the next start is faster and needs less memory. Not there where nothing may be written. */
export const NODE_ENVIRONMENT = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)),
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** Runs a file with a Node that is new enough, passes signals on, and gives its exit code. What the environment says already stands. */
export function runNode(args, environment = {}) {
  const node = findNode()
  if (node === undefined) {
    console.error(nodeIsMissing())
    return Promise.resolve(1)
  }
  return new Promise(resolve => {
    const child = spawn(node, args, { stdio: 'inherit', env: { ...NODE_ENVIRONMENT, ...environment, ...process.env } })
    const stopPassing = passSignals(child)
    child.on('error', error => {
      console.error(`${node} does not start: ${error.message}`)
      stopPassing()
      resolve(1)
    })
    child.on('exit', (code, signal) => {
      stopPassing()
      resolve(code ?? 128 + constants.signals[signal])
    })
  })
}

function passSignals(child) {
  const pass = signal => {
    // A terminal sends Ctrl-C to the whole group, so the child has it already; a second one would mean "at once".
    if (signal === 'SIGINT' && process.stdin.isTTY) return
    child.kill(signal)
  }
  for (const signal of SIGNALS) process.on(signal, pass)
  return () => SIGNALS.forEach(signal => process.off(signal, pass))
}
