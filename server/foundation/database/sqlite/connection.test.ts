import { randomUUID } from 'node:crypto'
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { PATIENCE } from '#testing/patience.ts'
import { startProcess } from '#testing/childProcess.ts'
import { storedConversation, storedUser } from '#testing/rows.ts'
import { until } from '#testing/until.ts'
import { openDatabase, type OpenDatabase } from '../open.ts'
import { openSqliteFile, openSqliteReader } from './connection.ts'
import { DATABASE_FILE } from './database.ts'
import { DatabaseUnusable } from '../../databaseErrors.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commons-test-'))
  return () => rm(folder, { recursive: true, force: true })
})

async function opened(data_dir: string): Promise<OpenDatabase> {
  const open = await openDatabase({ data_dir })
  onTestFinished(() => open.close())
  return open
}

const rightsOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)

describe('a SQLite database', () => {
  const SECRET = 'not to be read again '
  const holds = (name: string) =>
    readFile(join(folder, name), 'latin1').then(
      bytes => bytes.includes(SECRET),
      () => false,
    )
  const isHeld = async () => (await holds(DATABASE_FILE)) || (await holds(`${DATABASE_FILE}-wal`))

  test('has nothing of what was deleted in its file or its log, while it is in use', async () => {
    const open = await opened(folder)
    const id = await storedUser(open.database, { remark: SECRET.repeat(1_000) })
    expect(await isHeld()).toBe(true)
    await open.database.deleteFrom('users').where('id', '=', id).execute()
    expect(await open.overwriteDeleted()).toBe(true)
    expect(await isHeld()).toBe(false)
    await storedUser(open.database)
  })

  test('of before is written anew once, with what its earlier program had deleted', async () => {
    const open = await opened(folder)
    for (const pragma of ['secure_delete = off', 'user_version = 0'])
      await sql.raw(`pragma ${pragma}`).execute(open.database)
    const id = await storedUser(open.database, { remark: SECRET.repeat(1_000) })
    await open.database.deleteFrom('users').where('id', '=', id).execute()
    await sql`pragma wal_checkpoint(truncate)`.execute(open.database)
    expect(await isHeld()).toBe(true)
    expect(await open.overwriteDeleted()).toBe(true)
    expect(await isHeld()).toBe(false)
  })

  test('says that something may be left while somebody reads its log', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const open = await opened(folder)
    const reader = openSqliteReader(join(folder, DATABASE_FILE))
    onTestFinished(() => reader.close())
    onTestFinished(() => void vi.useRealTimers())
    await storedUser(open.database)
    reader.execute('begin')
    reader.rows('select count(*) from users')
    await storedUser(open.database)
    const overwritten = open.overwriteDeleted()
    let isOver = false
    void overwritten.finally(() => (isOver = true))
    await until(async () => {
      await vi.advanceTimersByTimeAsync(250)
      expect(isOver).toBe(true)
    })
    expect(await overwritten).toBe(false)
    reader.execute('commit')
    expect(await open.overwriteDeleted()).toBe(true)
  })

  test('that was closed within a transaction is in none: what is cut short fails by itself, and takes nothing back', () => {
    const connection = openSqliteFile(join(folder, DATABASE_FILE))
    connection.execute('begin')
    expect(connection.isInTransaction()).toBe(true)
    connection.close()
    expect(connection.isInTransaction()).toBe(false)
  })

  test('is opened safe: with a log, references kept, its own schema not trusted', async () => {
    const { database } = await opened(folder)
    const pragma = async (name: string) =>
      Object.values((await sql.raw<object>(`pragma ${name}`).execute(database)).rows[0] ?? {})[0]
    const found = Object.fromEntries(
      await Promise.all(
        ['journal_mode', 'synchronous', 'foreign_keys', 'busy_timeout', 'trusted_schema', 'wal_autocheckpoint'].map(
          async name => [name, await pragma(name)] as const,
        ),
      ),
    )
    expect(found).toEqual({
      journal_mode: 'wal',
      synchronous: 1,
      foreign_keys: 1,
      busy_timeout: 5_000,
      trusted_schema: 0,
      wal_autocheckpoint: 0,
    })
  })
  test('is private to the user who runs the program, whatever the umask', async () => {
    const data_dir = join(folder, 'deep', 'data')
    const before = process.umask(0)
    onTestFinished(() => {
      process.umask(before)
    })
    const { database } = await opened(data_dir)
    await storedUser(database)
    expect(await rightsOf(data_dir)).toBe('700')
    for (const ending of ['', '-wal', '-shm'])
      expect(await rightsOf(join(data_dir, DATABASE_FILE + ending))).toBe('600')
  })
  test('becomes private when it was not', async () => {
    await writeFile(join(folder, DATABASE_FILE), '')
    await chmod(join(folder, DATABASE_FILE), 0o644)
    await chmod(folder, 0o755)
    await opened(folder)
    expect([await rightsOf(folder), await rightsOf(join(folder, DATABASE_FILE))]).toEqual(['700', '600'])
  })
  test("leaves the rights of a folder with other people's things as they are", async () => {
    await mkdir(join(folder, 'theirs'))
    await chmod(folder, 0o755)
    await opened(folder)
    expect([await rightsOf(folder), await rightsOf(join(folder, DATABASE_FILE))]).toEqual(['755', '600'])
  })
  test('that is something else is refused in a plain line', async () => {
    await writeFile(join(folder, DATABASE_FILE), 'not a database, but long enough to be looked at\n'.repeat(100))
    const refused = await openDatabase({ data_dir: folder }).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(DatabaseUnusable)
    expect(String(refused)).toBe(`DatabaseUnusable: the database in ${folder} cannot be opened: file is not a database`)
  })
  test('in a folder that cannot be made is refused in a plain line', async () => {
    await writeFile(join(folder, 'file'), '')
    await expect(openDatabase({ data_dir: join(folder, 'file', 'data') })).rejects.toThrow('cannot be opened: ENOTDIR')
  })
})

describe('prepared statements', () => {
  test('are kept, the ones used last, and no more than a bound', () => {
    const file = openSqliteFile(join(folder, 'kept.sqlite'))
    onTestFinished(() => {
      file.close()
    })
    const first = file.prepare('select 0 as n')
    const often = file.prepare('select -1 as n')
    for (let n = 1; n <= 1_000; n++) {
      file.prepare(`select ${n} as n`)
      expect(file.prepare('select -1 as n')).toBe(often)
    }
    expect(file.prepare('select 0 as n')).not.toBe(first)
    expect(first.all([])).toEqual([{ n: 0 }])
  })
})

describe('a connection that only reads', () => {
  const aFileWithReader = () => {
    const path = join(folder, 'read.sqlite')
    const file = openSqliteFile(path)
    onTestFinished(() => {
      file.close()
    })
    file.execute('create table lines (n integer)')
    const reader = openSqliteReader(path)
    onTestFinished(() => {
      reader.close()
    })
    return { file, reader }
  }

  test('sees what was committed, and changes nothing', () => {
    const { file, reader } = aFileWithReader()
    file.execute('begin; insert into lines values (1)')
    expect(reader.rows('select n from lines')).toEqual([])
    file.execute('commit')
    expect(reader.rows('select n from lines')).toEqual([{ n: 1 }])
    expect(() => reader.execute('insert into lines values (2)')).toThrow('readonly')
  })
  test('checkpoints all the same, and waits for the disk when it does', () => {
    const { file, reader } = aFileWithReader()
    expect(reader.rows('pragma synchronous')).toEqual([{ synchronous: 1 }])
    const [counted] = reader.rows('pragma wal_checkpoint(passive)')
    expect(counted).toMatchObject({ busy: 0, log: counted?.['checkpointed'] })
    expect(file.rows('pragma wal_checkpoint(noop)')).toEqual([counted])
  })
})

describe('the log of what was committed', () => {
  test('is moved into the database while it is in use', async () => {
    const { database } = await opened(folder)
    const size = async () => (await stat(join(folder, DATABASE_FILE))).size
    const before = await size()
    await vi.waitUntil(
      async () => {
        await database
          .insertInto('ask_chunks')
          .values({ ask_id: 'a', chunk_number: 0, chunk_text: randomUUID().repeat(100) })
          .execute()
        return (await size()) > before
      },
      { timeout: PATIENCE, interval: 1 },
    )
  })
})

describe('a killed process', () => {
  const WRITER = `
    const { openDatabase } = await import('#server/foundation/database/open.ts')
    const { database, transaction } = await openDatabase({ data_dir: process.env.DATA_DIR })
    for (let ticket = Number(process.env.FROM); ; ticket++) {
      await transaction(async trx => {
        await trx.insertInto('queues').values({ upstream_id: ticket, next_ticket: ticket }).execute()
        await trx.insertInto('ask_chunks').values({ ask_id: 'ask', chunk_number: ticket, chunk_text: 'x'.repeat(3000) }).execute()
      })
      console.log(ticket)
    }
  `
  test('loses nothing that was acknowledged, halves nothing, and opens again by itself', async () => {
    let from = 0
    for (let run = 0; run < 5; run++) {
      const { child, lines, ended } = startProcess(WRITER, { DATA_DIR: folder, FROM: String(from) })
      let acknowledged = -1
      const enough = from + 20 + Math.floor(Math.random() * 60)
      for await (const line of lines) {
        acknowledged = Number(line)
        if (acknowledged >= enough) child.kill('SIGKILL')
      }
      expect(await ended).toMatchObject({ signal: 'SIGKILL' })
      const open = await openDatabase({ data_dir: folder })
      const stored = await open.database.selectFrom('queues').select('next_ticket').orderBy('next_ticket').execute()
      const tickets = stored.map(row => row.next_ticket)
      const chunks = await open.database
        .selectFrom('ask_chunks')
        .select('chunk_number')
        .orderBy('chunk_number')
        .execute()
      const { rows } = await sql`pragma integrity_check`.execute(open.database)
      await open.close()
      expect(tickets).toEqual(Array.from({ length: tickets.length }, (_, ticket) => ticket))
      expect(tickets.length).toBeGreaterThan(acknowledged)
      expect(chunks.map(row => row.chunk_number)).toEqual(tickets)
      expect(rows).toEqual([{ integrity_check: 'ok' }])
      from = tickets.length
    }
  })
})

describe('a process whose disk refuses', () => {
  const WRITER = `
    const fs = await import('node:fs')
    const { syncBuiltinESMExports } = await import('node:module')
    const flush = fs.default.fdatasync
    let syncs = Infinity
    fs.default.fdatasync = (descriptor, done) => --syncs < 0 ? done(new Error('EIO: no such luck')) : flush(descriptor, done)
    syncBuiltinESMExports()
    const { openDatabase } = await import('#server/foundation/database/open.ts')
    const { database } = await openDatabase({ data_dir: process.env.DATA_DIR })
    syncs = 20
    for (let ticket = 0; ; ticket++) {
      await database.insertInto('queues').values({ upstream_id: ticket, next_ticket: ticket }).execute()
      console.log(ticket)
    }
  `
  test('says so and ends, and the next one finds all that was acknowledged and has nothing left in the log', async () => {
    const { lines, ended } = startProcess(WRITER, { DATA_DIR: folder })
    let acknowledged = -1
    for await (const line of lines) acknowledged = Number(line)
    expect(await ended).toMatchObject({
      code: 1,
      errors: expect.stringContaining('the disk refuses what is written to the database (EIO: no such luck)'),
    })
    const { database } = await opened(folder)
    const tickets = await database.selectFrom('queues').select('next_ticket').execute()
    expect(acknowledged).toBeGreaterThan(0)
    expect(tickets.length).toBeGreaterThan(acknowledged)
    await copyFile(join(folder, DATABASE_FILE), join(folder, 'alone.sqlite'))
    const alone = openSqliteFile(join(folder, 'alone.sqlite'))
    expect(alone.rows('select next_ticket from queues')).toEqual(tickets)
    alone.close()
  })
})

describe('a backup', () => {
  test('holds all that was acknowledged before it, while writing goes on', async () => {
    const { database, backup } = await opened(folder)
    const conversation_id = await storedConversation(database, { user_id: await storedUser(database), title: '备份' })
    const to = join(folder, 'backup', DATABASE_FILE)
    await mkdir(join(folder, 'backup'))
    const done = new AbortController()
    const copied = backup(to).finally(() => done.abort())
    let written = 0
    while (!done.signal.aborted) {
      await database.insertInto('queues').values({ upstream_id: written++, next_ticket: 0 }).execute()
      await new Promise(resolve => setImmediate(resolve))
    }
    await copied
    const restored = await opened(join(folder, 'backup'))
    const found = await restored.database.selectFrom('conversations').select(['conversation_id', 'title']).execute()
    expect(found).toEqual([{ conversation_id, title: '备份' }])
    expect(written).toBeGreaterThan(0)
    expect(await rightsOf(to)).toBe('600')
  })
  test('is never written over something', async () => {
    const { backup } = await opened(folder)
    const to = join(folder, 'precious')
    await writeFile(to, 'precious')
    await expect(backup(to)).rejects.toThrow('EEXIST')
    await symlink(to, join(folder, 'link'))
    await expect(backup(join(folder, 'link'))).rejects.toThrow('EEXIST')
    await expect(stat(to)).resolves.toMatchObject({ size: 8 })
  })
  test('that fails leaves nothing behind and says why', async () => {
    const { backup } = await opened(folder)
    await expect(backup(join(folder, 'nowhere', 'copy'))).rejects.toThrow('ENOENT')
    await expect(stat(join(folder, 'nowhere'))).rejects.toThrow('ENOENT')
  })
})
