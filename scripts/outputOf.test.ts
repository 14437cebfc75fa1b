import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { emptyFolder } from '#testing/dataFolder.ts'
import { isAlive } from '#testing/processes.ts'
import { outputOf } from './outputOf.ts'

describe('a program that is run for its output', () => {
  test('returns it', async () => {
    expect(await outputOf('--eval', 'process.stdout.write("drawn")')).toBe('drawn')
  })
  test('ends with the process that runs it', async () => {
    const file = join(await emptyFolder(), 'pid')
    const stays = `fs.writeFileSync(${JSON.stringify(file)}, String(process.pid)); setInterval(() => {}, 1000)`
    const code = `
      import { outputOf } from ${JSON.stringify(join(import.meta.dirname, 'outputOf.ts'))}
      process.once('SIGTERM', () => process.exit(143))
      await outputOf('--eval', ${JSON.stringify(stays)})`
    const wanting = spawn(process.execPath, ['--input-type=module-typescript', '--eval', code], { stdio: 'ignore' })
    const ended = once(wanting, 'exit')
    await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8')).toBeTruthy()
    wanting.kill('SIGTERM')
    expect(await ended).toEqual([143, null])
    await expect.poll(() => isAlive(Number(readFileSync(file, 'utf8')))).toBe(false)
  })
})
