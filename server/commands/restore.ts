import { constants, existsSync } from 'node:fs'
import { access, chmod, copyFile, link, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { sql } from 'kysely'
import { sessionStore } from '#server/users/sessionStore.ts'
import { makeFolder, removeLeftovers, temporaryPath } from '#server/foundation/fileSystem.ts'
import { openDatabase } from '#server/foundation/database/open.ts'
import { NEWEST_SCHEMA, schemaOf } from '#server/foundation/database/migrate.ts'
import { isUnreadable, leaveWriteAheadLog, openSqliteFile } from '#server/foundation/database/sqlite/connection.ts'
import { claimDataFolder, DATABASE_FILE } from '#server/foundation/database/sqlite/database.ts'
import { DatabaseUnusable, reasonOf } from '#server/foundation/databaseErrors.ts'
import { type Command, CommandFailure, EXIT } from './command.ts'
import { restoreLine } from './backup.ts'
import { readStorage } from './storage.ts'

export const restore: Command = {
  name: 'restore',
  usage: '<file> [--force]',
  summary:
    'Puts a backup in the place of the database, while the portal is stopped. With --force an old one is moved aside.',
  flags: { force: { type: 'boolean' } },
  async run({ words: [given = ''], flags }, terminal) {
    const from = resolve(given)
    const storage = readStorage(terminal)
    if (storage.file === null) {
      throw new CommandFailure(
        `A PostgreSQL database is restored with its own tools, while the portal is stopped: ${restoreLine(from)}`,
      )
    }
    await access(from, constants.R_OK).catch(() => {
      throw new CommandFailure(`There is no file ${from} that can be read.`)
    })
    if ((await stat(from)).isDirectory()) throw new CommandFailure(`${from} is a folder. A backup is one file.`)
    if (storage.exists && flags['force'] !== true) {
      throw new CommandFailure(`There is a database at ${storage.file} already. With --force it is moved aside first.`)
    }
    if (storage.exists) requireStopped(storage.file)

    const staged = await emptyFolder(storage.data_dir)
    try {
      await copyTo(staged, from)
      const schema = await check(staged, from)
      leaveWriteAheadLog(join(staged, DATABASE_FILE))
      const aside = await moveAside(storage.file)
      await rename(join(staged, DATABASE_FILE), storage.file)
      await syncFolder(storage.data_dir)
      if (aside !== null) terminal.say(`The old database is in ${aside}.`)
      terminal.say(`The database is restored (schema ${schema}). Everybody has to sign in again.`)
    } finally {
      await rm(staged, { recursive: true, force: true })
    }
    return EXIT.good
  },
}

const STAGED = 'restoring'

/** A temporary folder for the copy, so that the database is replaced only after the copy has been checked. */
async function emptyFolder(data_dir: string): Promise<string> {
  makeFolder(data_dir)
  await removeLeftovers(join(data_dir, STAGED))
  const staged = temporaryPath(join(data_dir, STAGED))
  await mkdir(staged, { mode: 0o700 })
  return staged
}

async function copyTo(staged: string, from: string): Promise<void> {
  await copyFile(from, join(staged, DATABASE_FILE), constants.COPYFILE_EXCL).catch(cause => {
    throw new CommandFailure(`${from} cannot be copied: ${reasonOf(cause)}`)
  })
  await chmod(join(staged, DATABASE_FILE), 0o600)
}

/** Returns the schema version of a database that is intact and ours. */
async function check(data_dir: string, from: string): Promise<number> {
  const open = await openDatabase({ data_dir }, { migrate: false }).catch(cause => {
    // The copy that could not be opened is of no concern: it is gone by now.
    const reason = cause instanceof DatabaseUnusable ? (cause.cause ?? cause) : cause
    throw new CommandFailure(`${from} is no backup of Chat Commons: ${reasonOf(reason)}`)
  })
  try {
    const schema = await schemaOf(open)
    if (schema === 0) throw new CommandFailure(`${from} is no backup of Chat Commons.`)
    if (schema > NEWEST_SCHEMA) {
      throw new CommandFailure(
        `${from} has schema ${schema} of a newer version of this program, which knows ${NEWEST_SCHEMA}. Use the newer version.`,
      )
    }
    const { rows: unsound } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(open.database)
    const { rows: dangling } = await sql`pragma foreign_key_check`.execute(open.database)
    const [verdict] = unsound
    if (verdict?.integrity_check !== 'ok' || dangling.length > 0) {
      throw new CommandFailure(
        `${from} is damaged: ${verdict?.integrity_check === 'ok' ? 'rows refer to others that are not there' : verdict?.integrity_check}`,
      )
    }
    // Sessions ended since the backup must not come back with it.
    await sessionStore(open.database).removeAll()
    return schema
  } finally {
    await open.close()
  }
}

/**
 * Suffixes of the database and of the files that a killed portal leaves beside it, which SQLite would otherwise apply
 * to the next database there.
 */
const PARTS = ['', '-wal', '-shm', '-journal']

const partsOf = (file: string): string[] => PARTS.filter(part => existsSync(file + part))

/** Moves the files of a database aside; null when there are none. Refuses while a portal is running. */
async function moveAside(file: string): Promise<string | null> {
  if (partsOf(file).length === 0) return null
  requireStopped(file)
  const aside = `${file}.before-restore-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`
  // The file stays in its place as well, until the restored one replaces it: a start in between would find no database
  // and make an empty one.
  for (const part of partsOf(file)) {
    const move = () => rename(file + part, aside + part)
    await (part === '' ? link(file, aside).catch(move) : move())
  }
  await syncFolder(dirname(file))
  return aside
}

/**
 * Refuses while a portal is running, on this machine or another: leaving the write-ahead log needs exclusive access to
 * the file.
 */
function requireStopped(file: string): void {
  if (existsSync(file) && leavesLog(file)) return
  // The database is unreadable and cannot be locked; the lock of the data folder is used instead.
  claimDataFolder(dirname(file))()
}

/**
 * Copies the write-ahead log into the file, which is then complete. false when the file is too damaged to be opened.
 */
function leavesLog(file: string): boolean {
  try {
    const connection = openSqliteFile(file)
    try {
      connection.execute('pragma busy_timeout = 0')
      connection.execute('pragma journal_mode = delete')
    } finally {
      connection.close()
    }
    return true
  } catch (cause) {
    if (isUnreadable(cause)) return false
    throw new CommandFailure(
      `The portal seems to be running: its database is in use (${reasonOf(cause)}). Stop it first.`,
    )
  }
}

async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path, 'r')
  await folder.sync()
}
