import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { type Random, randomFrom } from '#testing/random.ts'
import { checkpoints } from './checkpoints.ts'
import { openSqliteFile, openSqliteReader } from './connection.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commons-test-'))
  return () => rm(folder, { recursive: true, force: true })
})

const turn = () =>
  new Promise<void>(resolve => {
    setImmediate(resolve)
  })

/** What a disk writes as one. */
const BLOCK = 4096

/** Of each block either what was flushed last or what was written since, as the disk likes. */
function torn(random: Random, flushed: Buffer, written: Buffer): Buffer {
  const length = random.of([flushed.length, written.length])
  const blocks = Array.from({ length: Math.ceil(length / BLOCK) }, (_, n) => {
    const [old, young] = [flushed, written].map(file => file.subarray(n * BLOCK, (n + 1) * BLOCK))
    return (old?.length && random.percent(50) ? old : young) ?? Buffer.alloc(0)
  })
  return Buffer.concat(blocks)
}

/** Many more than are written to between two moves, so that of some the log has only the newest. */
const CELLS = 600

/** A database on a disk whose power can be cut: then it has what was flushed, and of the rest what it likes. */
function onUnsafeDisk(seed = 1) {
  const random = randomFrom(seed)
  const path = join(folder, 'in-use.sqlite')
  const file = openSqliteFile(path)
  onTestFinished(() => {
    file.close()
  })
  file.execute(`create table counts (n integer); insert into counts values (0);
    create table lines (n integer, text);
    create table cells (id integer primary key, n integer, text);
    with recursive ids(id) as (select 1 union all select id + 1 from ids where id < ${CELLS})
    insert into cells select id, 0, hex(randomblob(500)) from ids`)
  const read = (name: string) => (existsSync(name) ? readFileSync(name) : Buffer.alloc(0))
  const flushed = { database: read(path), log: read(`${path}-wal`) }
  let [committed, acknowledged, cuts] = [0, 0, 0]

  function flushDatabase(): void {
    flushed.database = read(path)
  }
  function flushLog(): void {
    flushed.log = read(`${path}-wal`)
    acknowledged = committed
  }

  return {
    connect: () => openSqliteReader(path),
    /** Where the log begins anew its salt is another one. */
    salt: () => read(`${path}-wal`).subarray(16, 24).toString('hex'),
    commit(): void {
      committed++
      file.execute(`begin; update counts set n = ${committed};
        update cells set n = ${committed} where id = ${1 + random.below(CELLS)};
        insert into lines values (${committed}, hex(randomblob(1000))); delete from lines where n <= ${committed - 30}; commit`)
    },
    flushDatabase,
    flushLog,
    syncs: { syncLog: async () => flushLog(), syncDatabase: async () => flushDatabase() },
    /** What somebody finds who starts again after the power was cut at this moment. */
    afterPowerCut() {
      const left = join(folder, `left-${cuts++}.sqlite`)
      writeFileSync(left, torn(random, flushed.database, read(path)))
      writeFileSync(`${left}-wal`, torn(random, flushed.log, read(`${path}-wal`)))
      const found = openSqliteFile(left)
      try {
        expect(found.rows('pragma integrity_check')).toEqual([{ integrity_check: 'ok' }])
        const n = Number(found.rows('select n from counts')[0]?.['n'])
        expect(found.rows('select max(n) as n from cells')).toEqual([{ n }])
        expect(n).toBeGreaterThanOrEqual(acknowledged)
        expect(found.rows('select n from lines order by n').map(row => row['n'])).toEqual(range(Math.max(1, n - 29), n))
      } finally {
        found.close()
      }
    },
  }
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

test.each([1, 2, 3])('what was acknowledged outlives a power cut at any moment (%i)', async seed => {
  const disk = onUnsafeDisk(seed)
  const random = randomFrom(seed)
  const salts = new Set<string>()
  const lost: unknown[] = []
  let isBusy = false
  const powerCut = () => {
    try {
      disk.afterPowerCut()
    } catch (error) {
      lost.push(error)
    }
  }
  /** Time passes, in which others may write, and the power may be cut. */
  const meanwhile = async () => {
    powerCut()
    await turn()
    if (isBusy && random.percent(50)) disk.commit()
    powerCut()
  }
  const moving = checkpoints({
    connect: disk.connect,
    async syncLog() {
      isBusy = random.percent(50)
      await meanwhile()
      disk.flushLog()
      await meanwhile()
    },
    async syncDatabase() {
      await meanwhile()
      disk.flushDatabase()
      await meanwhile()
    },
    onRefused: cause => {
      throw cause
    },
  })
  for (let n = 0; n < 250; n++) {
    disk.commit()
    disk.flushLog()
    salts.add(disk.salt())
    if (random.percent(30)) disk.commit() // is not on the disk when the move begins
    moving.written()
    for (let turns = random.of([0, 2, 10]); turns > 0; turns--) await turn()
    if (random.percent(10)) powerCut()
  }
  await moving.close()
  powerCut()
  expect(lost).toEqual([])
  // What was moved made room in the log; else all of this proves nothing.
  expect(salts.size).toBeGreaterThan(1)
})

/** Commits until what was moved has made room in the log. */
async function untilMoved(
  disk: ReturnType<typeof onUnsafeDisk>,
  moving: ReturnType<typeof checkpoints>,
): Promise<void> {
  const before = disk.salt()
  while (disk.salt() === before) {
    disk.commit()
    moving.written()
    await turn()
  }
  await moving.close()
}

test('a move that fails is made again later', async () => {
  const disk = onUnsafeDisk()
  let tries = 0
  const connect = () => {
    const file = disk.connect()
    return {
      ...file,
      execute(statement: string) {
        if (statement.includes('checkpoint') && tries++ === 0) throw new Error('locked')
        file.execute(statement)
      },
    }
  }
  const moving = checkpoints({ connect, ...disk.syncs, onRefused: expect.unreachable })
  await untilMoved(disk, moving)
  expect(tries).toBeGreaterThan(1)
  disk.afterPowerCut()
})

test.each(['syncLog', 'syncDatabase'] as const)(
  'what the disk refuses is told of, and stays in the log: %s',
  async sync => {
    const disk = onUnsafeDisk()
    const refused = Promise.withResolvers<unknown>()
    const refuse = async () => {
      throw new Error('no room')
    }
    const moving = checkpoints({ connect: disk.connect, ...disk.syncs, [sync]: refuse, onRefused: refused.resolve })
    const before = disk.salt()
    for (let n = 0; n < 200; n++) {
      disk.commit()
      disk.flushLog()
      moving.written()
      await turn()
    }
    expect(await refused.promise).toMatchObject({ message: 'no room' })
    expect(disk.salt()).toBe(before)
    disk.afterPowerCut()
    await moving.close()
  },
)

test('a connection that cannot be made is made later, and none twice', async () => {
  const disk = onUnsafeDisk()
  let [tries, made] = [0, 0]
  const connect = () => {
    if (tries++ === 1) throw new Error('too many open files')
    made++
    return disk.connect()
  }
  const moving = checkpoints({ connect, ...disk.syncs, onRefused: expect.unreachable })
  await untilMoved(disk, moving)
  expect([tries, made]).toEqual([3, 2])
})
