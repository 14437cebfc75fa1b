import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { findNode, nodeIsMissing } from './findNode.mjs'
import { codeOf, watchInterruption } from './interruption.mjs'

/**
 * Where Node caches the compiled TypeScript, so that the next start is faster and needs less memory. Node does without where it cannot
 * write.
 */
export const NODE_ENVIRONMENT = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)),
}

/**
 * Runs a file with a Node that is new enough, passes signals on, and resolves with its exit code. Variables that the environment has
 * already are kept.
 */
export function runNode(args, environment = {}, interruption = watchInterruption()) {
  const node = findNode()
  if (node === undefined) {
    console.error(nodeIsMissing())
    return Promise.resolve(1)
  }
  const interrupted = interruption.code()
  if (interrupted !== null) return Promise.resolve(interrupted)
  return new Promise(resolve => {
    const child = spawn(node, args, { stdio: 'inherit', env: { ...NODE_ENVIRONMENT, ...environment, ...process.env } })
    interruption.reaches(child)
    child.on('error', error => {
      console.error(`${node} does not start: ${error.message}`)
      resolve(1)
    })
    child.on('exit', (code, signal) => resolve(code ?? codeOf(signal)))
  })
}
