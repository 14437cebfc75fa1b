import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { emptyFolder } from '#testing/dataFolder.ts'
import { processesOf } from '#testing/processes.ts'
import { SERVER } from './buildCache.ts'
import { buildServer } from './buildServer.ts'

const ROOT = join(import.meta.dirname, '..')
/**
 * Milliseconds after the start at which it is interrupted: before there is any process, while npm starts, while the
 * build or the server does, and when it serves.
 */
const MOMENTS = [0, 50, 200, 500, 1_000, 3_000]

let folder = ''
/** A folder as in a container image: what was built, and no sources. */
const built = () => join(folder, 'built')
/** A folder as it is cloned: nothing is built yet. */
const cloned = () => join(folder, 'cloned')

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'commons-start-'))
  for (const [at, parts] of [
    [built(), ['scripts', 'package.json']],
    [
      cloned(),
      [
        'contract',
        'scripts',
        'server',
        'simulator',
        'web',
        'package.json',
        'package-lock.json',
        'tsconfig.json',
        'vite.config.ts',
      ],
    ],
  ] as const) {
    mkdirSync(at)
    for (const part of parts) cpSync(join(ROOT, part), join(at, part), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules'), join(at, 'node_modules'))
  }
  const server = join(built(), 'dist/server')
  if (SERVER.isFresh()) cpSync(SERVER.folder, server, { recursive: true })
  else await buildServer(server)
  mkdirSync(join(built(), 'dist/page'))
  writeFileSync(join(built(), 'dist/page/index.html'), '<!doctype html>')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const NPM = ['npm', 'start'] as const
const DIRECTLY = [process.execPath, 'scripts/start.mjs'] as const

// Windows has no signals, and only Linux lists the processes of a group.
describe.skipIf(process.platform !== 'linux')('SIGTERM to npm start', () => {
  test.each(MOMENTS)('after %i ms leaves no process behind', async moment => {
    await expectNothingLeft(NPM, built(), moment)
  })
  test.each(MOMENTS)('after %i ms leaves none of a build behind either', async moment => {
    await expectNothingLeft(NPM, cloned(), moment)
  })
  test('when it serves stops it in order, and the next start serves again', async () => {
    const data_dir = await emptyFolder()
    for (const command of [NPM, DIRECTLY, NPM]) {
      const { child, ended, serves, left } = started(command, built(), data_dir)
      await serves
      child.kill('SIGTERM')
      await ended
      await expect.poll(left).toEqual([])
    }
  })
})

describe.skipIf(process.platform !== 'linux')('SIGTERM to the start script', () => {
  test.each(MOMENTS)('after %i ms leaves no process behind', async moment => {
    await expectNothingLeft(DIRECTLY, built(), moment)
  })
})

describe.skipIf(process.platform !== 'linux')('SIGTERM to the whole group, as service managers send it', () => {
  test('stops the server in order, even when it is sent twice', async () => {
    const { child, ended, serves, left } = started(DIRECTLY, built(), await emptyFolder())
    await serves
    process.kill(-(child.pid ?? 0), 'SIGTERM')
    expect(await ended).toEqual([0, null])
    await expect.poll(left).toEqual([])
  })
})

async function expectNothingLeft(command: readonly [string, string], cwd: string, moment: number): Promise<void> {
  const { child, ended, left } = started(command, cwd, await emptyFolder())
  await setTimeout(moment)
  child.kill('SIGTERM')
  await ended
  await expect.poll(left).toEqual([])
}

/** Starts it in a process group of its own, which every process that it starts belongs to. */
function started([file, ...args]: readonly [string, string], cwd: string, data_dir: string) {
  const child = spawn(file, args, {
    cwd,
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      HOST: '127.0.0.1',
      PORT: '0',
      COMMONS_DATA_DATA_DIR: data_dir,
    },
  })
  onTestFinished(() => endGroup(child))
  const serves = new Promise<void>(resolve => {
    createInterface(child.stdout).on('line', line => {
      if (line.startsWith('Chat Commons listens at')) resolve()
    })
  })
  return { child, ended: once(child, 'exit'), serves, left: () => processesOf(child.pid ?? 0) }
}

function endGroup({ pid = 0 }: ChildProcess): void {
  if (processesOf(pid).length > 0) process.kill(-pid, 'SIGKILL')
}
