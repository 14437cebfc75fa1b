import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readStartConfiguration, type StartConfiguration } from '#server/configuration/start.ts'
import { openDatabase, type OpenDatabase } from '#server/foundation/database/open.ts'
import { NEWEST_SCHEMA, requireNewestSchema, schemaOf } from '#server/foundation/database/migrate.ts'
import { DATABASE_FILE } from '#server/foundation/database/sqlite/database.ts'
import { type Command, CommandFailure, EXIT, type Terminal } from './command.ts'

/** Location of the portal's data, from the configuration. */
export type PortalStorage = {
  start: StartConfiguration
  data_dir: string
  /** The embedded database's file; null on PostgreSQL. */
  file: string | null
  /** Whether the database exists; assumed on PostgreSQL. */
  exists: boolean
}

export function readStorage({ env }: Terminal): PortalStorage {
  const start = readStartConfiguration(env)
  const { data_dir, database_url } = start.configuration.data
  const file = database_url === null ? join(data_dir, DATABASE_FILE) : null
  return { start, data_dir, file, exists: file === null || existsSync(file) }
}

export function openStorage({ start, data_dir }: PortalStorage, options: { migrate: boolean }): Promise<OpenDatabase> {
  const { database_url } = start.configuration.data
  return openDatabase(database_url === null ? { data_dir } : { database_url }, options)
}

/** Opens an existing database of any schema version, without migrating it. */
export async function openAsItIs(storage: PortalStorage): Promise<OpenDatabase> {
  if (!storage.exists)
    throw new CommandFailure(`There is no database at ${storage.file ?? ''}. The first start makes it.`)
  return openStorage(storage, { migrate: false })
}

/** Opens an existing database of this program's schema version. */
export async function openExisting(storage: PortalStorage): Promise<OpenDatabase> {
  const open = await openAsItIs(storage)
  try {
    await requireNewestSchema(open)
    return open
  } catch (cause) {
    await open.close()
    throw cause
  }
}

export const migrate: Command = {
  name: 'migrate',
  usage: '',
  summary:
    'Brings the database up to date; make a backup first. A start does the same, unless data.run_migration is off.',
  async run(_asked, terminal) {
    const storage = readStorage(terminal)
    const before = await openStorage(storage, { migrate: false })
    const found = await schemaOf(before).finally(() => before.close())
    const after = await openStorage(storage, { migrate: true })
    await after.close()
    terminal.say(
      found === NEWEST_SCHEMA
        ? `The database is up to date: schema ${found}.`
        : `The database went from schema ${found} to schema ${NEWEST_SCHEMA}.`,
    )
    return EXIT.good
  },
}
