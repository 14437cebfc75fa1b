import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { Usage, UsageAnswer, UsageQuestion } from './probe.ts'

const ROOT = join(import.meta.dirname, '..')

/** A measured process, with the probe loaded into it. */
export type Child = {
  pid: number
  usage: (settled?: boolean) => Promise<Usage>
  /** The first line it prints on standard output. */
  firstLine: () => Promise<string>
  /** Address of the product, known when it is ready and the first administrator exists. */
  address: () => Promise<string>
  stop: () => Promise<void>
}

export function startChild(
  file: string,
  args: string[] = [],
  env: Record<string, string> = {},
  flags: string[] = [],
): Child {
  const node = [...flags, '--expose-gc', '--import', join(import.meta.dirname, 'probe.ts'), resolve(ROOT, file)]
  const child = spawn(process.execPath, [...node, ...args], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const { stdout } = child
  if (!stdout) throw new Error('a piped output was asked for')
  const lines = createInterface(stdout)
  const first = once(lines, 'line')
  const ready = once(child, 'message')
  lines.on('line', () => {}) // Keeps reading: a full pipe would block the child on its own log.
  const gone = once(child, 'exit')
  const orGone = <T>(wanted: Promise<T>) =>
    Promise.race([
      wanted,
      gone.then(([code]) => {
        throw new Error(`${file} ended with ${code}`)
      }),
    ])
  return {
    pid: child.pid ?? 0,
    usage: settled => ask(child, settled === true),
    firstLine: async () => {
      const [line] = await orGone(first)
      return String(line)
    },
    address: async () => {
      const [{ address }] = await orGone(ready)
      return String(address)
    },
    stop: async () => {
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), 15_000)
      await gone
      clearTimeout(timer)
    },
  }
}

/** The simulator in a process of its own, as fast as it is read. Tests leave it at its usual pace. */
export async function startSimulator(args = ['--pace', '0']): Promise<Child & { url: string; webUrl: string }> {
  const child = startChild('simulator/main.ts', ['--ready-json', '--port', '0', ...args])
  return { ...child, ...JSON.parse(await child.firstLine()) }
}

let questions = 0

/**
 * Each answer repeats the number of its question, since two may be on their way and the product sends other messages
 * too.
 */
function ask(child: ChildProcess, settled: boolean): Promise<Usage> {
  const question: UsageQuestion = { usage: (questions += 1), settled }
  return new Promise(resolve => {
    const onMessage = (answer: Partial<UsageAnswer>) => {
      if (answer.usage !== question.usage) return
      child.off('message', onMessage)
      resolve(answer as UsageAnswer) // only the probe numbers its messages
    }
    child.on('message', onMessage)
    child.send(question)
  })
}
