import { expect, test } from 'vitest'
import { checkpoints } from './database.ts'
import type { LogPages } from './connection.ts'

const MEGABYTE = 256 // pages

/** A log of a given length, and checkpoints that end when they are told to. */
function aLog() {
  let pages: LogPages = { log: 0, checkpointed: 0 }
  const asked: PromiseWithResolvers<void>[] = []
  const failures: unknown[] = []
  const warnings: unknown[] = []
  const { afterBatch } = checkpoints({
    pages: () => pages,
    checkpoint() {
      const answer = Promise.withResolvers<void>()
      asked.push(answer)
      return answer.promise
    },
    onSyncFailure: cause => failures.push(cause),
    onFailure: cause => warnings.push(cause),
  })
  const commit = (megabytes: number, checkpointed = 0) => {
    pages = { log: megabytes * MEGABYTE, checkpointed: checkpointed * MEGABYTE }
    return afterBatch()
  }
  return { asked, failures, warnings, commit }
}

const nextMacrotask = () =>
  new Promise<'waits'>(resolve => {
    setImmediate(resolve, 'waits')
  })

test('a short log is left alone', async () => {
  const { asked, commit } = aLog()
  await commit(3)
  await commit(60, 57)
  expect(asked).toEqual([])
})

test('a log that has grown is checkpointed, one at a time, and nobody waits', async () => {
  const { asked, commit } = aLog()
  await commit(4)
  await commit(5)
  expect(asked).toHaveLength(1)
  asked[0]?.resolve()
  await nextMacrotask()
  await commit(3)
  expect(asked).toHaveLength(1)
  await commit(4)
  expect(asked).toHaveLength(2)
})

test('above 64 MB the next write waits until one checkpoint has ended, also one that began before', async () => {
  const { asked, commit } = aLog()
  await commit(64)
  const tooLong = commit(65)
  expect(await Promise.race([tooLong, nextMacrotask()])).toBe('waits')
  expect(asked).toHaveLength(1)
  asked[0]?.resolve()
  await tooLong
})

test('above 64 MB it waits also when nearly all is in the database: what is written meanwhile keeps the log from starting anew', async () => {
  const { asked, commit } = aLog()
  const tooLong = commit(65, 64)
  expect(await Promise.race([tooLong, nextMacrotask()])).toBe('waits')
  asked[0]?.resolve()
  await tooLong
})

test('a checkpoint that fails holds nobody up, and the next batch tries again', async () => {
  const { asked, failures, commit } = aLog()
  const tooLong = commit(65)
  asked[0]?.reject(Object.assign(new Error('database or disk is full'), { errcode: 13 }))
  await tooLong
  const again = commit(65)
  expect(asked).toHaveLength(2)
  asked[1]?.resolve()
  await again
  expect(failures).toEqual([])
})

test('a flush that the disk refuses is reported', async () => {
  const { asked, failures, commit } = aLog()
  await commit(4)
  const refused = Object.assign(new Error('disk I/O error'), { errcode: 1034 })
  asked[0]?.reject(refused)
  await nextMacrotask()
  expect(failures).toEqual([refused])
})

test('any other failure is told of once, until a checkpoint has succeeded', async () => {
  const { asked, warnings, commit } = aLog()
  const died = new Error('the thread has ended')
  const counts: number[] = []
  for (const end of [died, died, null, died]) {
    await commit(4)
    if (end === null) asked.at(-1)?.resolve()
    else asked.at(-1)?.reject(end)
    await nextMacrotask()
    counts.push(warnings.length)
  }
  expect(counts).toEqual([1, 1, 1, 2])
})
