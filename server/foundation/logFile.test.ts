import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { emptyFolder } from '#testing/dataFolder.ts'
import { logFileName, logFolder, openLogFile, readLogFileName } from './logFile.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

async function aLogFile({ data_dir, ...limits }: { data_dir?: string; file_bytes?: number } = {}) {
  const folder = data_dir ?? (await emptyFolder())
  const onFailure = vi.fn<(error: unknown) => void>()
  const file = openLogFile({ data_dir: folder, version: '1.2.3', onFailure, ...limits })
  onTestFinished(() => file.close())
  const pathOf = (part: number) => join(logFolder(folder), logFileName(file.name, part))
  return { file, folder, onFailure, pathOf, textOf: (part: number) => readFileSync(pathOf(part), 'utf8') }
}

describe('the log file of a process', () => {
  test('is named by start, process and machine, begins with the version, and is for the server’s user alone', async () => {
    const { file, pathOf, textOf } = await aLogFile()
    file.open()
    file.write('{"msg":"one"}\n')
    const [first = '', second] = textOf(1).split('\n')
    expect(JSON.parse(first)).toMatchObject({ version: '1.2.3', process: process.pid, level: 'info' })
    expect(second).toBe('{"msg":"one"}')
    expect((statSync(pathOf(1)).mode & 0o777).toString(8)).toBe('600')
    expect(readLogFileName(logFileName(file.name, 7))).toEqual({ name: file.name, part: 7 })
    expect(['..1.log', `${file.name}.x.log`, `../${file.name}.1.log`].map(readLogFileName)).toEqual([null, null, null])
  })

  test('is followed by the next when it is full, and the last five are kept', async () => {
    const { file, folder, textOf } = await aLogFile({ file_bytes: 1_000 })
    for (let line = 0; line < 60; line++) file.write(`${String(line).padStart(99, '.')}\n`)
    const parts = readdirSync(logFolder(folder)).map(name => readLogFileName(name)?.part ?? 0)
    const last = Math.max(...parts)
    expect(parts.toSorted((a, b) => a - b)).toEqual([last - 4, last - 3, last - 2, last - 1, last])
    expect(textOf(last).trimEnd()).toMatch(/\.59$/)
    for (const part of parts) expect(Buffer.byteLength(textOf(part))).toBeLessThanOrEqual(1_000)
  })

  test('waits for the data folder, which the start makes', async () => {
    const data_dir = join(await emptyFolder(), 'data')
    const { file, textOf, onFailure } = await aLogFile({ data_dir })
    file.write('early\n')
    expect(existsSync(data_dir)).toBe(false)
    mkdirSync(data_dir)
    file.write('later\n')
    expect(textOf(1)).toMatch(/later\n$/)
    expect(onFailure).not.toHaveBeenCalled()
  })

  test.skipIf(!existsSync('/dev/full'))(
    'on a full disk is reported once, throws nothing, and goes on when there is room',
    async () => {
      const { file, folder, pathOf, textOf, onFailure } = await aLogFile()
      mkdirSync(logFolder(folder))
      symlinkSync('/dev/full', pathOf(1))
      for (let line = 0; line < 3; line++) {
        file.write('lost\n')
        vi.advanceTimersByTime(60_000)
      }
      expect(onFailure.mock.calls).toEqual([[expect.objectContaining({ code: 'ENOSPC' })]])
      rmSync(pathOf(1))
      file.write('kept\n')
      expect(textOf(1)).toMatch(/kept\n$/)
    },
  )

  test('is not needed: where its folder cannot be made nothing is thrown', async () => {
    const { file, folder, onFailure } = await aLogFile()
    writeFileSync(logFolder(folder), 'in the way')
    file.open()
    file.write('lost\n')
    expect(onFailure).toHaveBeenCalledTimes(1)
  })

  test('that somebody deleted is begun anew', async () => {
    const { file, pathOf, textOf } = await aLogFile()
    file.write('before\n')
    rmSync(pathOf(1))
    vi.advanceTimersByTime(10_000)
    file.write('after\n')
    expect(textOf(1)).toMatch(/after\n$/)
  })
})
