import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextMacrotask } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { Refusal } from '#server/foundation/refusal.ts'
import { checkpoints } from './database.ts'
import { openSqliteFile } from './connection.ts'
import { openGroupCommit } from './groupCommit.ts'
import { openWorker } from './worker.ts'

let path: string
beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'commons-test-'))
  path = join(folder, 'in-use.sqlite')
  return () => rm(folder, { recursive: true, force: true })
})

function inUse() {
  const file = openSqliteFile(path)
  file.execute('create table lines (n integer unique); insert into lines values (1), (2)')
  const worker = openWorker(path)
  onTestFinished(async () => {
    await worker.close()
    file.close()
  })
  const read = (sql: string, { parameters = [], longest }: { parameters?: unknown[]; longest?: number } = {}) =>
    worker.run({ kind: 'read', sql, parameters }, longest)
  return { file, worker, read }
}

const manyRows = (count: number, row = 'n') =>
  `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${count}) select ${row} as n from numbers`

test('the log stays bounded, however fast others write', async () => {
  const { file, worker } = inUse()
  const { afterBatch } = checkpoints({
    pages: file.logPages,
    checkpoint: () => worker.run({ kind: 'checkpoint' }),
    onSyncFailure: cause => {
      throw cause
    },
    onFailure: cause => {
      throw cause
    },
    start_at: 20,
    wait_above: 100,
  })
  let longest = 0
  const { write } = openGroupCommit({
    ...file,
    run: statement => file.execute(statement),
    sync: () => nextMacrotask(),
    async afterBatch() {
      longest = Math.max(longest, file.logPages().log)
      await afterBatch()
    },
    longest_batch: 0,
  })
  const writing: Promise<unknown>[] = []
  for (let n = 10; n < 1_000; n++) {
    writing.push(write(async () => file.prepare('insert into lines values (?)').run([n])))
  }
  await Promise.all(writing)
  expect(longest).toBeLessThan(200)
})

describe('the worker of a database', () => {
  test('reads what is committed at the moment, in the order in which it was asked', async () => {
    const { file, read } = inUse()
    const before = read('select n from lines where n > ? order by n', { parameters: [0] })
    expect(await before).toEqual([{ n: 1 }, { n: 2 }])
    file.execute('insert into lines values (3); begin; insert into lines values (4)')
    expect(await read('select count(*) as n from lines')).toEqual([{ n: 3 }])
    file.execute('rollback')
  })
  test('checkpoints while others use the database', async () => {
    const { file, worker } = inUse()
    await worker.run({ kind: 'checkpoint' })
    const { log, checkpointed } = file.logPages()
    expect(log).toBeGreaterThan(0)
    expect(checkpointed).toBe(log)
  })
  test('writes nothing, and hands an error over with its code', async () => {
    const { read } = inUse()
    await expect(read('insert into lines values (5) returning n')).rejects.toMatchObject({ errcode: 8 })
    await expect(read('select missing from lines')).rejects.toThrow('no such column: missing')
    expect(await read('select count(*) as n from lines')).toEqual([{ n: 2 }])
  })
  test('gives no more rows than somebody would wait for', async () => {
    const { read } = inUse()
    expect(await read(manyRows(50_000))).toHaveLength(50_000)
    await expect(read(manyRows(50_001))).rejects.toThrow('a heavy read has more than 50000 rows')
  })
  test('that dies fails the task at hand, and the next one has another', async () => {
    const { worker, read } = inUse()
    const needsTooMuch = read(manyRows(1_000, 'hex(zeroblob(1000000))'))
    const next = read('select n from lines where n = 1')
    await expect(needsTooMuch).rejects.toMatchObject({ code: 'ERR_WORKER_OUT_OF_MEMORY' })
    expect(await next).toEqual([{ n: 1 }])
    await worker.run({ kind: 'checkpoint' })
  })
  test('that dies between two tasks is missed by nobody', async () => {
    const { promise, resolve } = Promise.withResolvers<Worker>()
    process.once('worker', resolve)
    const { worker, read } = inUse()
    await read('select n from lines')
    await (await promise).terminate()
    expect(await read('select n from lines where n = 2', { longest: 10_000 })).toEqual([{ n: 2 }])
    await worker.run({ kind: 'checkpoint' })
  })
  test('that takes too long is refused and left to itself, and whoever waited too long is refused, too', async () => {
    const { read } = inUse()
    const slow = read(`select count(*) as n from (${manyRows(3_000_000)})`, { longest: 1 })
    const waited = read('select n from lines', { longest: 0 })
    const next = read('select n from lines where n = 2')
    await expect(slow).rejects.toEqual(new Refusal('timeout'))
    await expect(waited).rejects.toEqual(new Refusal('timeout'))
    expect(await next).toEqual([{ n: 2 }])
  })
  test('is closed when its tasks are done, and may be closed before it has had any', async () => {
    const { worker, read } = inUse()
    await worker.close()
    const reading = read('select n from lines where n = 1')
    await worker.close()
    expect(await reading).toEqual([{ n: 1 }])
  })
})
