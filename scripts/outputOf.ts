import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const ROOT = join(import.meta.dirname, '..')

/** The output of a program of ours. The program does not outlive this process, unless that is killed. */
export async function outputOf(...args: string[]): Promise<string> {
  const running = promisify(execFile)(process.execPath, args, { cwd: ROOT, maxBuffer: 2 ** 24 })
  const stop = () => void running.child.kill()
  process.once('exit', stop)
  try {
    return (await running).stdout
  } finally {
    process.off('exit', stop)
  }
}
