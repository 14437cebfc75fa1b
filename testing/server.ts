import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { SERVER } from '../scripts/buildCache.ts'

const ROOT = join(import.meta.dirname, '..')

export const SOURCES = join(ROOT, 'server/main.ts')
/**
 * The built server, as `npm start` runs it, which starts in half the time; its sources where it is not built or out of
 * date.
 */
const MAIN = SERVER.isFresh() ? join(SERVER.folder, 'main.js') : SOURCES

const { PATH, NODE_COMPILE_CACHE } = process.env
/** What a server inherits of our environment: the compile cache saves a third of its start. */
const FROM_HERE = { PATH, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }) }

export type Server = {
  /** http://127.0.0.1:PORT */
  url: string
  /** The lines that it has printed for people so far, without its log. */
  said: string[]
  kill(signal: NodeJS.Signals): void
  ended: Promise<Ended>
}
export type Ended = { code: number | null; signal: NodeJS.Signals | null; said: string[]; errors: string }

/** Starts the program, without a test runner's transform. It is killed after the test in any case. */
function spawnServer(env: Record<string, string>, main = MAIN) {
  const child = spawn(process.execPath, [main], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...FROM_HERE, HOST: '127.0.0.1', PORT: '0', ...env },
  })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const said: string[] = []
  const lines = createInterface(child.stdout)
  lines.on('line', line => {
    if (!line.startsWith('{')) said.push(line)
  })
  let errors = ''
  child.stderr.on('data', chunk => {
    errors += String(chunk)
  })
  const ended: Promise<Ended> = once(child, 'close').then(() => ({
    code: child.exitCode,
    signal: child.signalCode,
    said,
    errors,
  }))
  return { child, lines, said, ended }
}

/** Starts a server and waits until it listens. */
export async function startServer(env: Record<string, string>, main?: string): Promise<Server> {
  const { child, lines, said, ended } = spawnServer(env, main)
  const url = await new Promise<string>((resolve, reject) => {
    lines.on('line', line => {
      const found = /^Chat Commons listens at (\S+)$/.exec(line)?.[1]
      if (found !== undefined) resolve(found)
    })
    void ended.then(({ code, errors }) =>
      reject(new Error(`the server ended with ${code} before it listened: ${errors}`)),
    )
  })
  return { url, said, ended, kill: signal => void child.kill(signal) }
}

/** Starts a server that is expected to exit by itself. */
export const failedStart = (env: Record<string, string>): Promise<Ended> => spawnServer(env).ended
