import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Database, TransactionOptions } from '../schema/schema.ts'
import { openSqliteFile, type SqliteFile } from './connection.ts'
import { sqliteDialect } from './dialect.ts'
import { openGroupCommit } from './groupCommit.ts'
import { openWorker, type SqliteWorker } from './worker.ts'

let folder: string
let file: SqliteFile
let worker: SqliteWorker
let database: Database
let transaction: ReturnType<typeof sqliteDialect>['transaction']
let syncs: PromiseWithResolvers<void>[]
let commits: number
let failing: string | null
let roomInLog: Promise<void>

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commons-test-'))
  file = openSqliteFile(join(folder, 'rows.sqlite'))
  file.execute('create table sign_in_attempts (attempt_key text not null primary key, attempt_time integer not null)')
  worker = openWorker(join(folder, 'rows.sqlite'))
  syncs = []
  commits = 0
  failing = null
  roomInLog = Promise.resolve()
  const groupCommit = openGroupCommit({
    ...file,
    run(statement) {
      if (statement === failing) throw new Error('no room')
      file.prepare(statement).run([])
      if (statement === 'commit') commits++
    },
    sync() {
      const asked = Promise.withResolvers<void>()
      syncs.push(asked)
      return asked.promise
    },
    afterBatch: () => roomInLog,
    longest_batch: Infinity,
  })
  ;({ database, transaction } = sqliteDialect({ file, groupCommit, worker, onStatement: () => undefined }))
})
afterEach(async () => {
  await worker.close()
  file.close()
  await rm(folder, { recursive: true })
})

const write = (attempt_key: string) =>
  database.insertInto('sign_in_attempts').values({ attempt_key, attempt_time: 0 }).execute()
const read = () =>
  database
    .selectFrom('sign_in_attempts')
    .select('attempt_key')
    .orderBy('attempt_key')
    .execute()
    .then(rows => rows.map(row => row.attempt_key))
const letDiskAnswer = (time: number) => syncs[time]?.resolve()

/** Resolves when everything that needs no disk has been done; says whether this had. */
async function isDone(work: Promise<unknown>): Promise<boolean> {
  const ended = work.then(
    () => true,
    () => true,
  )
  for (let round = 0; round < 3; round++)
    await new Promise(resolve => {
      setImmediate(resolve)
    })
  return Promise.race([ended, Promise.resolve(false)])
}

/** While the disk is busy with something else. */
async function together<T>(work: () => T): Promise<T> {
  const before = write('before')
  await isDone(before)
  const given = work()
  letDiskAnswer(0)
  await before
  await isDone(Promise.resolve())
  return given
}

describe('a write to SQLite', () => {
  test('is acknowledged when it is on the disk, by itself and in a transaction', async () => {
    const alone = write('alone')
    expect(await isDone(alone)).toBe(false)
    letDiskAnswer(0)
    expect(await isDone(alone)).toBe(true)
    const inside = transaction(trx =>
      trx.insertInto('sign_in_attempts').values({ attempt_key: 'inside', attempt_time: 0 }).execute(),
    )
    expect(await isDone(inside)).toBe(false)
    letDiskAnswer(1)
    expect(await isDone(inside)).toBe(true)
  })
  test('holds up nobody who reads while the disk is busy', async () => {
    const writing = write('slow')
    expect(await isDone(writing)).toBe(false)
    expect(await read()).toEqual(['slow'])
    letDiskAnswer(0)
    await writing
    await transaction(trx => trx.selectFrom('sign_in_attempts').selectAll().execute())
    expect(syncs).toHaveLength(1)
  })
  test('shares its commit and the disk with all that came with it', async () => {
    const { all } = await together(() => ({
      all: Promise.all(Array.from({ length: 20 }, (_, number) => write(`row ${number}`))),
    }))
    expect(await isDone(all)).toBe(false)
    letDiskAnswer(1)
    await all
    expect([commits, syncs.length]).toEqual([2, 2])
  })
  test('is committed while the disk is still busy with others, and acknowledged when the disk has been asked once more', async () => {
    const early = write('early')
    expect(await isDone(early)).toBe(false)
    const late = [
      write('late'),
      transaction(trx =>
        trx.insertInto('sign_in_attempts').values({ attempt_key: 'later', attempt_time: 0 }).execute(),
      ),
    ]
    expect(await isDone(Promise.all(late))).toBe(false)
    expect(await read()).toEqual(['early', 'late', 'later'])
    expect([commits, syncs.length]).toEqual([2, 1])
    letDiskAnswer(0)
    expect([await isDone(early), await isDone(Promise.all(late))]).toEqual([true, false])
    letDiskAnswer(1)
    expect(await isDone(Promise.all(late))).toBe(true)
  })
  test('that does not reach the disk fails, and none that the disk is asked for later', async () => {
    const writing = write('lost').catch((error: unknown) => error)
    await isDone(writing)
    const next = write('kept')
    await isDone(next)
    syncs[0]?.reject(new Error('no room'))
    expect(await writing).toEqual(new Error('no room'))
    await letDiskAnswerTo(1)
    await next
  })
})

describe('a transaction among others', () => {
  test('that fails takes nothing of theirs with it', async () => {
    const settled = await together(() =>
      Promise.allSettled([
        write('first'),
        transaction(async trx => {
          await trx.insertInto('sign_in_attempts').values({ attempt_key: 'half', attempt_time: 0 }).execute()
          throw new Error('in the midst')
        }),
        write('last'),
        letDiskAnswerSoon(),
      ]),
    )
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
    expect(await read()).toEqual(['before', 'first', 'last'])
    expect(commits).toBe(2)
  })
  test('that fails as the first of them leaves nothing, and those behind it go on', async () => {
    const failed = transaction(async trx => {
      await trx.insertInto('sign_in_attempts').values({ attempt_key: 'half', attempt_time: 0 }).execute()
      throw new Error('at once')
    }).catch((error: unknown) => error)
    const others = Promise.all([write('second'), write('third')])
    await letDiskAnswerTo(0)
    await others
    expect(await failed).toEqual(new Error('at once'))
    expect(await read()).toEqual(['second', 'third'])
    expect(commits).toBe(1)
  })
  test('that cannot be committed leaves nothing, and every unit of it fails', async () => {
    const settled = await together(() => {
      failing = 'commit'
      return Promise.allSettled([write('first'), write('last')])
    })
    expect(settled.map(each => each.status === 'rejected' && String(each.reason))).toEqual([
      'Error: no room',
      'Error: no room',
    ])
    failing = null
    expect(await read()).toEqual(['before'])
    const next = write('next')
    await isDone(next)
    letDiskAnswer(1)
    await next
    expect(await read()).toEqual(['before', 'next'])
  })
  test('of low priority comes after those that came later', async () => {
    const order: string[] = []
    const named = (name: string, options?: TransactionOptions) =>
      transaction(async () => {
        order.push(name)
      }, options)
    const first = Promise.withResolvers<void>()
    const all = [
      transaction(() => first.promise),
      named('ending', { lowPriority: true }),
      named('asking'),
      named('chunks', { lowPriority: true }),
      named('asking too'),
    ]
    first.resolve()
    await Promise.all(all)
    expect(order).toEqual(['asking', 'asking too', 'ending', 'chunks'])
  })
  test('is over when its work has ended', async () => {
    const late = Promise.withResolvers<void>()
    const { query } = await transaction(async trx => ({
      query: late.promise.then(() => trx.selectFrom('sign_in_attempts').selectAll().execute()),
    }))
    late.resolve()
    await expect(query).rejects.toThrow('this transaction is over')
  })
})

describe('an open transaction', () => {
  test('shows nothing of itself to others before it is committed: who reads waits for it', async () => {
    const started = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    const writing = transaction(async trx => {
      await trx.insertInto('sign_in_attempts').values({ attempt_key: 'first', attempt_time: 0 }).execute()
      started.resolve()
      await goOn.promise
      await trx.insertInto('sign_in_attempts').values({ attempt_key: 'second', attempt_time: 0 }).execute()
    })
    await started.promise
    const reading = read()
    expect(await isDone(reading)).toBe(false)
    goOn.resolve()
    expect(await reading).toEqual(['first', 'second'])
    await letDiskAnswerTo(0)
    await writing
  })
  test('shows nothing of itself when it fails', async () => {
    const started = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    const writing = transaction(async trx => {
      await trx.insertInto('sign_in_attempts').values({ attempt_key: 'lost', attempt_time: 0 }).execute()
      started.resolve()
      await goOn.promise
      throw new Error('in the midst')
    }).catch((error: unknown) => error)
    await started.promise
    const reading = read()
    goOn.resolve()
    expect(await reading).toEqual([])
    expect(await writing).toEqual(new Error('in the midst'))
  })
  test('that fails in the midst leaves nothing of the queries that were asked with the one that failed', async () => {
    const failed = transaction(trx =>
      Promise.all([
        trx
          .insertInto('sign_in_attempts')
          .values({ attempt_key: 'first', attempt_time: 0 })
          .execute()
          .then(() => {
            throw new Error('in the midst')
          }),
        trx.insertInto('sign_in_attempts').values({ attempt_key: 'second', attempt_time: 0 }).execute(),
        trx.insertInto('sign_in_attempts').values({ attempt_key: 'third', attempt_time: 0 }).execute(),
      ]),
    ).catch((error: unknown) => error)
    expect(await failed).toEqual(new Error('in the midst'))
    const next = write('next')
    await letDiskAnswerTo(0)
    await next
    expect(await read()).toEqual(['next'])
  })
})

describe('a transaction that the full disk has ended', () => {
  test('keeps nothing of the queries that were asked with the one that failed', async () => {
    const pages = Number(file.rows('pragma page_count')[0]?.['page_count'])
    file.execute(`pragma max_page_count = ${pages}`)
    const failed = transaction(trx =>
      Promise.all([
        trx
          .insertInto('sign_in_attempts')
          .values({ attempt_key: 'x'.repeat(20_000), attempt_time: 0 })
          .execute(),
        trx.insertInto('sign_in_attempts').values({ attempt_key: 'small', attempt_time: 0 }).execute(),
      ]),
    )
    await expect(failed).rejects.toMatchObject({ errcode: 13 })
    expect(file.isInTransaction()).toBe(false)
    expect(await read()).toEqual([])
  })
})

describe('a log that has grown too large', () => {
  test('holds up the next batch until there is room, but nobody who is in this one, and nobody who reads', async () => {
    const room = Promise.withResolvers<void>()
    roomInLog = room.promise
    const first = write('first')
    await letDiskAnswerTo(0)
    await first
    const second = write('second')
    expect(await isDone(second)).toBe(false)
    expect(await read()).toEqual(['first'])
    room.resolve()
    await letDiskAnswerTo(1)
    await second
    expect(await read()).toEqual(['first', 'second'])
  })
})

/** The second time, as soon as it is asked. */
const letDiskAnswerSoon = () => letDiskAnswerTo(1)

async function letDiskAnswerTo(time: number): Promise<void> {
  while (syncs.length <= time)
    await new Promise(resolve => {
      setImmediate(resolve)
    })
  letDiskAnswer(time)
}
