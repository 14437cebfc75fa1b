import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const NODE = join(import.meta.dirname, 'node.mjs')
const LIVES =
  'process.on("SIGTERM", () => { console.log("asked to stop"); process.exit(7) }); setInterval(() => {}, 1000); console.log("lives")'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'commons-node-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function program(code: string) {
  const path = join(folder, `program-${crypto.randomUUID()}.ts`)
  writeFileSync(path, code)
  return path
}

function started(code: string, ...args: string[]) {
  const child = spawn(process.execPath, [NODE, program(code), ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stdout.on('data', piece => {
    output += String(piece)
  })
  const ended = once(child, 'close').then(([code]: unknown[]) => ({ code, output }))
  return { child, ended }
}

describe('node.mjs', () => {
  test('runs TypeScript with the arguments it was given', async () => {
    const { ended } = started('const all: string[] = process.argv.slice(2); console.log(all.join("+"))', '--port', '3')
    expect(await ended).toEqual({ code: 0, output: '--port+3\n' })
  })
  test('exits as the program does', async () => {
    expect((await started('process.exit(5)').ended).code).toBe(5)
  })
  test('tells of a program that a signal ended', async () => {
    expect((await started('process.kill(process.pid, "SIGKILL"); setInterval(() => {}, 1000)').ended).code).toBe(
      128 + 9,
    )
  })
  test.skipIf(process.platform === 'win32')(
    'passes a signal on and waits for the program to stop in peace',
    async () => {
      const { child, ended } = started(LIVES)
      await once(child.stdout, 'data')
      child.kill('SIGTERM')
      expect(await ended).toEqual({ code: 7, output: 'lives\nasked to stop\n' })
    },
  )
  test.skipIf(process.platform === 'win32')('stops the program when the npm that started it is gone', async () => {
    const npm = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
    const { child, ended } = started(LIVES, `--started-by=${npm.pid}`)
    await once(child.stdout, 'data')
    npm.kill('SIGKILL')
    expect(await ended).toEqual({ code: 7, output: 'lives\nasked to stop\n' })
  })
})
