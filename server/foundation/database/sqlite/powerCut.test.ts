import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextMacrotask } from 'node:timers/promises'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { type Random, randomFrom } from '#testing/random.ts'
import { openSqliteFile, openSqliteReader } from './connection.ts'
import { openGroupCommit } from './groupCommit.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commons-test-'))
  return () => rm(folder, { recursive: true, force: true })
})

/** What a disk writes as one. */
const BLOCK = 4096
/** Bytes at the beginning of the log. */
const HEADER = 32
/** Many more than are written to between two checkpoints, so that of some only the log has the newest. */
const CELLS = 200

const read = (name: string) => (existsSync(name) ? readFileSync(name) : Buffer.alloc(0))

/** Of each block either what was flushed last or what was written since, as the disk likes. */
function torn(random: Random, flushed: Buffer, written: Buffer): Buffer {
  const length = random.of([flushed.length, written.length])
  const blocks = Array.from({ length: Math.ceil(length / BLOCK) }, (_, n) => {
    const [old, young] = [flushed, written].map(file => file.subarray(n * BLOCK, (n + 1) * BLOCK))
    return (old?.length && random.percent(50) ? old : young) ?? Buffer.alloc(0)
  })
  return Buffer.concat(blocks)
}

/** Group commit on a disk whose power can be cut: then it has what was flushed, and of the rest what it likes. */
function onUnsafeDisk(random: Random) {
  const path = join(folder, 'in-use.sqlite')
  const [file, worker] = [openSqliteFile(path), openSqliteReader(path)]
  onTestFinished(() => {
    worker.close()
    file.close()
  })
  file.execute(`create table lines (n integer, text);
    create table cells (id integer primary key, n integer, text);
    with recursive ids(id) as (select 1 union all select id + 1 from ids where id < ${CELLS})
    insert into cells select id, 0, hex(randomblob(500)) from ids`)
  const flushed = { database: read(path), log: read(`${path}-wal`), flushes: 0 }
  const lost: unknown[] = []
  let [written, acknowledged, cuts] = [0, 0, 0]

  /**
   * Of a log that begins anew SQLite flushes the header at once: what is left of the earlier one is then no log any
   * more.
   */
  function flushedLog(): Buffer {
    const header = read(`${path}-wal`).subarray(0, HEADER)
    return Buffer.concat([header, flushed.log.subarray(HEADER)])
  }

  /** What somebody finds who starts again after the power was cut at this moment. */
  function cutPower(database = torn(random, flushed.database, read(path))): void {
    const left = join(folder, `left-${cuts++}.sqlite`)
    writeFileSync(left, database)
    writeFileSync(`${left}-wal`, torn(random, flushedLog(), read(`${path}-wal`)))
    const found = openSqliteFile(left)
    try {
      expect(found.rows('pragma integrity_check')).toEqual([{ integrity_check: 'ok' }])
      const [last] = found.rows('select coalesce(max(n), 0) as n, count(*) as lines from lines')
      expect(last?.['n']).toBeGreaterThanOrEqual(acknowledged)
      expect(last?.['lines']).toBe(last?.['n'])
      expect(found.rows('select max(n) as n from cells')).toEqual([{ n: last?.['n'] }])
    } catch (error) {
      lost.push(error)
    } finally {
      found.close()
    }
  }

  /** SQLite flushes the log, copies from it into the database, and flushes that. */
  function checkpoint(): void {
    const before = read(path)
    Object.assign(flushed, { log: read(`${path}-wal`), flushes: flushed.flushes + 1 })
    worker.execute('pragma wal_checkpoint(passive)')
    cutPower(torn(random, before, read(path)))
    flushed.database = read(path)
  }

  const { write } = openGroupCommit({
    ...file,
    run: statement => file.execute(statement),
    async sync() {
      // What is written while the disk is busy may miss this flush.
      const before = { log: read(`${path}-wal`), flushes: flushed.flushes }
      await nextMacrotask()
      cutPower()
      if (before.flushes === flushed.flushes) flushed.log = before.log
      await nextMacrotask()
    },
    async afterBatch() {
      if (random.percent(20)) checkpoint()
    },
  })

  return {
    cutPower,
    lost,
    /** Where the log begins anew its salt is another one. */
    salt: () => read(`${path}-wal`).subarray(16, 24).toString('hex'),
    async write(): Promise<void> {
      const n = await write(async () => {
        written++
        file.prepare(`insert into lines values (${written}, hex(randomblob(1000)))`).run([])
        file.prepare(`update cells set n = ${written} where id = ${1 + random.below(CELLS)}`).run([])
        return written
      })
      acknowledged = Math.max(acknowledged, n)
      if (random.percent(20)) cutPower()
    },
  }
}

test.each([1, 2, 3])('what was acknowledged outlives a power cut at any moment (%i)', async seed => {
  const random = randomFrom(seed)
  const { write, cutPower, lost, salt } = onUnsafeDisk(random)
  const salts = new Set<string>()
  const writing: Promise<void>[] = []
  for (let n = 0; n < 80; n++) {
    for (let units = random.of([1, 1, 3]); units > 0; units--) writing.push(write())
    for (let turns = random.of([0, 1, 5]); turns > 0; turns--) await nextMacrotask()
    salts.add(salt())
  }
  await Promise.all(writing)
  cutPower()
  expect(lost).toEqual([])
  // Checkpoints made room in the log; else all of this proves nothing.
  expect(salts.size).toBeGreaterThan(1)
})
