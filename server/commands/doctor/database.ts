import { resolve } from 'node:path'
import { sql } from 'kysely'
import { userStore } from '#server/users/store.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { NEWEST_SCHEMA, schemaOf } from '#server/foundation/database/migrate.ts'
import { isUnreadable } from '#server/foundation/database/sqlite/connection.ts'
import { timeOfDatabase } from '#server/foundation/database/lease.ts'
import { DatabaseUnusable, reasonOf } from '#server/foundation/databaseErrors.ts'
import { openStorage, type PortalStorage } from '../storage.ts'
import { remedyOf } from './dataFolder.ts'
import { type Finding, good, wrong } from '#server/foundation/finding.ts'

type DatabaseChecked = {
  findings: Finding[]
  /** The open database for further checks; null when there is none or it cannot be used. The caller closes it. */
  open: OpenDatabase | null
}

export async function checkDatabase(storage: PortalStorage): Promise<DatabaseChecked> {
  if (!storage.exists) return { findings: [good('database', 'not there yet; the first start makes it')], open: null }
  let open: OpenDatabase
  try {
    open = await openStorage(storage, { migrate: false })
    await open.check()
  } catch (cause) {
    return { findings: [unusable(cause, storage)], open: null }
  }
  const schema = await checkSchema(open)
  const findings = [good('database', await versionOf(open)), schema, await checkSoundness(open)]
  if (schema.good && (await schemaOf(open)) > 0) return { findings, open }
  await open.close()
  return { findings, open: null }
}

function unusable(cause: unknown, { file, data_dir }: PortalStorage): Finding {
  const { what, remedy } =
    cause instanceof DatabaseUnusable ? cause : { what: `it does not answer: ${reasonOf(cause)}`, remedy: null }
  return wrong('database', what, remedy ?? (file === null ? ASK_POSTGRESQL : ofFile(cause, file, data_dir)))
}

const ASK_POSTGRESQL = 'See that PostgreSQL runs and that DATABASE_URL has its address, name and password.'

/**
 * A backup is in place of a file that is damaged, and of no other: a full disk or a wrong user is no reason to go back
 * to it.
 */
function ofFile(cause: unknown, file: string, data_dir: string): string {
  const isDamaged = isUnreadable(cause instanceof DatabaseUnusable ? cause.cause : cause)
  return isDamaged
    ? `${file} is damaged. Restore a backup: npm run commons -- restore <file> --force`
    : remedyOf(cause, resolve(data_dir))
}

async function versionOf({ engine, database }: OpenDatabase): Promise<string> {
  if (engine === 'sqlite') {
    const { rows } = await sql<{ version: string }>`select sqlite_version() as version`.execute(database)
    return `SQLite ${rows[0]?.version}`
  }
  const { rows } = await sql<{ version: string }>`select current_setting('server_version') as version`.execute(database)
  return `PostgreSQL ${rows[0]?.version}`
}

async function checkSchema(open: OpenDatabase): Promise<Finding> {
  const found = await schemaOf(open)
  if (found === 0) return good('schema', 'none yet; the first start makes it')
  if (found === NEWEST_SCHEMA) return good('schema', `${found}, as this program needs it`)
  return found < NEWEST_SCHEMA
    ? wrong('schema', `${found}, and this program needs ${NEWEST_SCHEMA}`, 'npm run commons -- migrate')
    : wrong(
        'schema',
        `${found} of a newer version of this program`,
        'Run the newer version, or restore a backup from before the upgrade.',
      )
}

/** SQLite only: PostgreSQL has its own tools for this. */
async function checkSoundness({ engine, database }: OpenDatabase): Promise<Finding> {
  if (engine === 'postgresql') return good('soundness', 'left to PostgreSQL')
  const { rows } = await sql<{ quick_check: string }>`pragma quick_check(1)`.execute(database)
  const verdict = rows[0]?.quick_check
  return verdict === 'ok'
    ? good('soundness', 'the file is sound')
    : wrong(
        'soundness',
        `the file is damaged: ${verdict}`,
        'Stop the portal and restore a backup: npm run commons -- restore <file> --force',
      )
}

export async function checkAdministrators({ database }: OpenDatabase): Promise<Finding> {
  const found = await userStore(database).activeSuperuserNames()
  return found.length > 0
    ? good('administrators', found.map(user => user.username).join(', '))
    : wrong('administrators', 'nobody can administer the portal', 'npm run commons -- create-admin <user name>')
}

/** A clock before this time is certainly wrong. */
const EARLIEST = Date.parse('2026-01-01T00:00:00Z')
/** Milliseconds. A larger difference would make limits and sessions wrong. */
const MAX_APART = 30_000

const SET_CLOCK = 'Let the machine keep its clock by NTP, for example: timedatectl set-ntp true'

/**
 * Limits and sessions use the clock of the process, which must be the same for all processes on one database. Leases
 * use the database's.
 */
export async function checkClock(open: OpenDatabase | null, clock: Clock): Promise<Finding> {
  const now = clock.now()
  const shown = new Date(now).toISOString()
  if (now < EARLIEST) return wrong('clock', `it says ${shown}`, SET_CLOCK)
  if (open === null) return good('clock', shown)
  const latest = await userStore(open.database).latestActivity()
  if (latest !== null && latest - now > MAX_APART) {
    return wrong('clock', `it says ${shown}, but somebody was here at ${new Date(latest).toISOString()}`, SET_CLOCK)
  }
  const there = await timeOfDatabase(open)
  if (there === null) return good('clock', shown)
  const apart = Math.abs(there - clock.now())
  return apart <= MAX_APART
    ? good('clock', `${shown}, as on the database server`)
    : wrong('clock', `${Math.round(apart / 1_000)} seconds from the database server's`, SET_CLOCK)
}
