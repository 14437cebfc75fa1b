import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { onTestFinished } from 'vitest'

type TestProcess = {
  child: ChildProcessByStdio<null, Readable, Readable>
  lines: AsyncIterable<string>
  /** Resolves at the end of the process, with what it wrote to stderr. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null; errors: string }>
}

/** Runs TypeScript in a separate Node process that can be killed; it is killed after the test in any case. */
export function startProcess(code: string, env: Record<string, string> = {}): TestProcess {
  const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', code], {
    cwd: join(import.meta.dirname, '..'),
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  let errors = ''
  child.stderr.on('data', chunk => {
    errors += String(chunk)
  })
  const ended = once(child, 'close').then(() => ({ code: child.exitCode, signal: child.signalCode, errors }))
  return { child, lines: createInterface(child.stdout), ended }
}
