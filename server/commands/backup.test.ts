import { copyFile, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openDatabase } from '#server/foundation/database/open.ts'
import { claimDataFolder } from '#server/foundation/database/sqlite/database.ts'
import { storedUser } from '#testing/rows.ts'
import { aFolder, aTerminal } from '#testing/terminal.ts'
import { backup } from './backup.ts'
import { restore } from './restore.ts'

/** A portal's data folder with one account in it, and a backup of it. */
async function backedUp() {
  const { terminal, said, data_dir } = await aTerminal()
  const open = await openDatabase({ data_dir })
  const user_id = await storedUser(open.database, { username: 'anna' })
  await open.database
    .insertInto('sessions')
    .values({ token_hash: 'x', user_id, create_time: 1, last_seen_time: 1, expire_time: 9_000_000_000_000 })
    .execute()
  const file = join(await aFolder(), 'backup.sqlite')
  await backup.run({ words: [file], flags: {} }, terminal)
  return { terminal, said, data_dir, open, file }
}

const usersIn = async (data_dir: string) => {
  const open = await openDatabase({ data_dir }, { migrate: false })
  try {
    return (await open.database.selectFrom('users').select('username').orderBy('id').execute()).map(
      user => user.username,
    )
  } finally {
    await open.close()
  }
}

const run = (words: string[], terminal: Parameters<typeof restore.run>[1], force = false) =>
  restore.run({ words, flags: { force } }, terminal)

describe('a backup', () => {
  test('is made while the database is in use, is nobody else’s to read and names the key that belongs to it', async () => {
    const { said, data_dir, open, file } = await backedUp()
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(said).toEqual([expect.stringContaining(file), expect.stringContaining(join(data_dir, 'secret.key'))])
    await open.close()
  })
  test('is made before an upgrade, too, when the schema is still the old one', async () => {
    const { terminal, open, file } = await backedUp()
    await sql`delete from schema_migrations where version > 8`.execute(open.database)
    await open.close()
    expect(await backup.run({ words: [`${file}.old`], flags: {} }, terminal)).toBe(0)
    const other = await aTerminal()
    await run([`${file}.old`], other.terminal)
    expect(other.said).toEqual([expect.stringMatching(/schema 8.*sign in again/)])
    const restored = await openDatabase({ data_dir: other.data_dir }, { migrate: false })
    expect(await restored.database.selectFrom('sessions').select('token_hash').execute()).toEqual([])
    await restored.close()
  })
  test('is never written over something, or over nothing', async () => {
    const { terminal, open, file } = await backedUp()
    await expect(backup.run({ words: [file], flags: {} }, terminal)).rejects.toThrow('never written over something')
    const noFolder = join(file, 'no', 'folder')
    await expect(backup.run({ words: [noFolder], flags: {} }, terminal)).rejects.toThrow(
      `There is no folder ${join(file, 'no')}.`,
    )
    const missing = join(await aFolder(), 'missing')
    await expect(backup.run({ words: [join(missing, 'a.sqlite')], flags: {} }, terminal)).rejects.toThrow(
      `There is no folder ${missing}.`,
    )
    await open.close()
    const nothing = await aTerminal()
    await expect(backup.run({ words: [`${file}2`], flags: {} }, nothing.terminal)).rejects.toThrow(
      'There is no database',
    )
  })
})

describe('restoring', () => {
  test('into an empty folder gives back what was there, and makes everybody sign in again', async () => {
    const { open, file } = await backedUp()
    await open.close()
    const { terminal, data_dir, said } = await aTerminal()
    expect(await run([file], terminal)).toBe(0)
    expect(said).toEqual([expect.stringMatching(/^The database is restored \(schema \d+\)/)])
    expect(await readdir(data_dir)).toEqual(['commons.sqlite'])
    expect((await stat(join(data_dir, 'commons.sqlite'))).mode & 0o777).toBe(0o600)
    const restored = await openDatabase({ data_dir })
    expect(await restored.database.selectFrom('users').select('username').execute()).toEqual([{ username: 'anna' }])
    expect(await restored.database.selectFrom('sessions').select('token_hash').execute()).toEqual([])
    await restored.close()
  })
  test('over a database wants to be forced, and keeps the old one', async () => {
    const { terminal, data_dir, open, file } = await backedUp()
    await storedUser(open.database, { username: 'later' })
    await open.close()
    await expect(run([file], terminal)).rejects.toThrow('With --force')
    expect(await usersIn(data_dir)).toEqual(['anna', 'later'])
    expect(await run([file], terminal, true)).toBe(0)
    expect(await usersIn(data_dir)).toEqual(['anna'])
    const aside = (await readdir(data_dir)).filter(name => name.includes('before-restore'))
    expect(aside).toHaveLength(1)
    const again = await aTerminal()
    await run([join(data_dir, aside[0] ?? '')], again.terminal)
    expect(await usersIn(again.data_dir)).toEqual(['anna', 'later'])
  })
  test('waits until the portal is stopped', async () => {
    const { terminal, open, file } = await backedUp()
    await expect(run([file], terminal, true)).rejects.toThrow('Stop it first')
    expect(await open.database.selectFrom('users').select('username').execute()).toEqual([{ username: 'anna' }])
    await open.close()
    expect(await run([file], terminal, true)).toBe(0)
  })
  test('over a database that is damaged beyond being opened puts the backup in its place, and keeps what there was', async () => {
    const { terminal, data_dir, open, file } = await backedUp()
    await open.close()
    for (const damage of ['no database at all', (await readFile(file)).subarray(0, 9_000)]) {
      await writeFile(join(data_dir, 'commons.sqlite'), damage)
      expect(await run([file], terminal, true)).toBe(0)
      expect(await usersIn(data_dir)).toEqual(['anna'])
    }
    expect((await readdir(data_dir)).filter(name => name.includes('before-restore'))).toHaveLength(2)
  })
  test('over a damaged database waits until the portal is stopped', async () => {
    const { terminal, data_dir, open, file } = await backedUp()
    await open.close()
    await writeFile(join(data_dir, 'commons.sqlite'), 'no database at all')
    const letGo = claimDataFolder(data_dir)
    await expect(run([file], terminal, true)).rejects.toThrow('another server is using the data folder')
    letGo()
    expect(await run([file], terminal, true)).toBe(0)
  })
  test('is not mixed with what a killed portal left beside a database that was taken away', async () => {
    const { terminal, said, data_dir, open, file } = await backedUp()
    await storedUser(open.database, { username: 'later' })
    const [log, left] = [join(data_dir, 'commons.sqlite-wal'), join(await aFolder(), 'wal')]
    await copyFile(log, left)
    await open.close()
    await rm(join(data_dir, 'commons.sqlite'))
    await copyFile(left, log)
    expect(await run([file], terminal)).toBe(0)
    expect(await usersIn(data_dir)).toEqual(['anna'])
    expect(said.at(-2)).toMatch(/^The old database is in .*before-restore/)
  })
  test('refuses what is no backup, and leaves everything as it was', async () => {
    const { terminal, data_dir, open, file } = await backedUp()
    await open.close()
    const before = await readdir(data_dir)
    const text = `${file}.txt`
    await writeFile(text, 'no database at all, but long enough to be taken for the head of one'.repeat(20))
    const empty = `${file}.empty`
    await writeFile(empty, '')
    for (const [from, why] of [
      [data_dir, 'is a folder'],
      [text, 'is no backup'],
      [empty, 'is no backup'],
      [`${file}.nowhere`, 'There is no file'],
    ] as const) {
      await expect(run([from], terminal, true)).rejects.toThrow(why)
    }
    expect(await readdir(data_dir)).toEqual(before)
    expect(await usersIn(data_dir)).toEqual(['anna'])
  })
  test('refuses a backup of a newer version, and one whose rows are torn', async () => {
    const { terminal, open, file } = await backedUp()
    await sql`update schema_migrations set version = 999 where version = (select max(version) from schema_migrations)`.execute(
      open.database,
    )
    const newer = `${file}.newer`
    await open.backup(newer)
    await open.close()
    await expect(run([newer], terminal, true)).rejects.toThrow('newer version')
    const torn = `${file}.torn`
    await writeFile(torn, (await readFile(file)).fill('x', 40_960))
    await expect(run([torn], terminal, true)).rejects.toThrow(/damaged|no backup/)
  })
})

describe('a PostgreSQL database', () => {
  const DATABASE_URL =
    'postgres://anna:hidden%20word@db.example.org:5433/commons?sslmode=verify-full&sslrootcert=/etc/ca.pem'

  /** Stands in for PostgreSQL's own tool, which is not on every machine. */
  async function aTool(script: string): Promise<string> {
    const folder = await aFolder()
    await writeFile(join(folder, 'pg_dump'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    return folder
  }

  test('is backed up by pg_dump, which is told the password where nobody else sees it', async () => {
    const PATH = await aTool(
      'echo "$PGUSER $PGPASSWORD $PGHOST $PGPORT $PGDATABASE $PGSSLMODE $PGSSLROOTCERT" > "${4#--file=}"; echo "$*" >> "${4#--file=}"',
    )
    const { terminal } = await aTerminal(null, { env: { DATABASE_URL, PATH } })
    const file = join(await aFolder(), 'backup.dump')
    expect(await backup.run({ words: [file], flags: {} }, terminal)).toBe(0)
    expect(await readFile(file, 'utf8')).toEqual(
      expect.stringContaining(
        'anna hidden word db.example.org 5433 commons verify-full /etc/ca.pem\n--format=custom --no-owner --no-privileges --file=',
      ),
    )
    expect((await stat(file)).mode & 0o777).toBe(0o600)
  })
  test('of which no backup could be made leaves none behind', async () => {
    const PATH = await aTool('echo "connection refused" >&2; exit 1')
    const { terminal } = await aTerminal(null, { env: { DATABASE_URL, PATH } })
    const file = join(await aFolder(), 'backup.dump')
    await expect(backup.run({ words: [file], flags: {} }, terminal)).rejects.toThrow(
      'pg_dump failed: connection refused',
    )
    await expect(stat(file)).rejects.toThrow('ENOENT')
  })
  test('is backed up by hand where pg_dump is not installed, and always restored by hand', async () => {
    const { terminal } = await aTerminal(null, { env: { DATABASE_URL, PATH: await aFolder() } })
    const file = join(await aFolder(), 'backup.dump')
    await expect(backup.run({ words: [file], flags: {} }, terminal)).rejects.toThrow(
      `pg_dump is not installed here. Where it is: pg_dump --format=custom --no-owner --no-privileges --file=${file} --dbname="$DATABASE_URL"`,
    )
    await expect(run([file], terminal)).rejects.toThrow(
      `pg_restore --file=/dev/null ${file} && psql "$DATABASE_URL" --command='drop schema public cascade; create schema public' && pg_restore --no-owner --single-transaction --dbname="$DATABASE_URL" ${file}`,
    )
  })
})
