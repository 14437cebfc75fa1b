import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { painting } from '#simulator/answers/pictures.ts'
import type { Client, Started } from './client.ts'
import type { Installed } from './install.ts'

/** A file that only whoever lists the folder knows of. */
export const LISTED = 'only-a-tool-sees-this.txt'
const PICTURE = 'picture.png'
/** Output that is kept: a client that repeats itself must not fill the memory. */
const MAX_OUTPUT = 1_000_000

export type ClientProcess = {
  printed(): string
  /** Resolves when it has ended, by itself or at its deadline. */
  ended: Promise<{ code: number | null; isLate: boolean }>
  /** As Ctrl-C does. */
  interrupt(): void
}

type Run = { started: Started; installed: Installed; question: string; deadline: number }

/** Starts a client in a home and a folder of its own, which are gone after it. */
export function startClient(client: Client, { started, installed, question, deadline }: Run): ClientProcess {
  const folder = mkdtempSync(join(tmpdir(), 'commons-client-'))
  const [home, work] = [join(folder, 'home'), join(folder, 'work')]
  const pathOf = (name: string) => (name.startsWith('~/') ? join(home, name.slice(2)) : join(work, name))
  const put = (name: string, content: string | Uint8Array) => {
    mkdirSync(dirname(pathOf(name)), { recursive: true })
    writeFileSync(pathOf(name), content)
  }
  mkdirSync(home)
  put(LISTED, 'Nothing else.\n')
  put(PICTURE, painting(1, 'dawn'))
  for (const [name, content] of Object.entries(started.files)) put(name, content)
  // What a script imports is looked for beside it.
  if (client.registry === 'npm') symlinkSync(join(installed.folder, 'node_modules'), pathOf('node_modules'))
  const child = spawn('bash', ['-c', started.shell], {
    cwd: work,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...{ PATH: installed.path, HOME: home, TZ: 'UTC', LANG: 'C.UTF-8', TERM: 'dumb' },
      ...{ QUESTION: question.replaceAll('$WORK', work), PICTURE: join(work, PICTURE) },
      ...client.environment,
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', chunk => {
      output = (output + String(chunk)).slice(-MAX_OUTPUT)
    })
  /** It and what it has started, which share a group of their own. */
  const signal = (name: NodeJS.Signals) => {
    if (child.pid === undefined) return
    try {
      process.kill(-child.pid, name)
    } catch {
      // They have ended.
    }
  }
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    signal('SIGKILL')
  }, deadline)
  const ended = once(child, 'exit').then(([code]) => {
    clearTimeout(timer)
    signal('SIGKILL')
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    return { code: code as number | null, isLate } // as Node says of exit
  })
  return { printed: () => stripVTControlCharacters(output), ended, interrupt: () => signal('SIGINT') }
}
