import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startSimulator } from './simulator.ts'

const MAIN = join(import.meta.dirname, 'main.ts')

describe('npm run simulator', () => {
  test('prints its address as one JSON line, answers there, and ends in order on SIGTERM', async () => {
    const child = spawn(process.execPath, [MAIN, '--ready-json', '--port', '0', '--key', 'k'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = once(child, 'exit')
    const [line] = await once(createInterface(child.stdout), 'line')
    const { url } = JSON.parse(line)
    expect((await fetch(`${url}models`)).status).toBe(401)
    expect((await fetch(`${url}models`, { headers: { authorization: 'Bearer k' } })).status).toBe(200)
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  })
  test('says in one line that its port is taken', async () => {
    const taken = await startSimulator()
    onTestFinished(() => taken.close())
    const child = spawn(process.execPath, [MAIN, '--port', String(taken.port)], { stdio: ['ignore', 'ignore', 'pipe'] })
    let errors = ''
    child.stderr.on('data', chunk => {
      errors += String(chunk)
    })
    expect(await once(child, 'close')).toEqual([1, null])
    expect(errors).toMatch(/^The simulator could not start: .*EADDRINUSE.*--port.*\n$/)
  })
  test('refuses a port that is no number', async () => {
    const child = spawn(process.execPath, [MAIN, '--port', 'x'], { stdio: 'ignore' })
    expect(await once(child, 'exit')).toEqual([2, null])
  })
})
