import { sql } from 'kysely'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type StartConfiguration, readStartConfiguration } from '#server/configuration/start.ts'
import { MIGRATIONS } from '#server/foundation/database/migrations/migrations.ts'
import { openDatabase, type OpenDatabase } from '#server/foundation/database/open.ts'
import { DATABASE_FILE } from '#server/foundation/database/sqliteDatabase.ts'
import { CommandFailure, type Terminal } from './command.ts'

/** The schema that this program works with. */
export const NEWEST_SCHEMA = Math.max(...MIGRATIONS.map(({ version }) => version))

/** Where the portal keeps its data, as the configuration says. */
export type Place = {
  start: StartConfiguration
  data_dir: string
  /** The embedded database's file; null on PostgreSQL. */
  file: string | null
  /** Whether there is a database yet; on PostgreSQL that is taken for granted. */
  exists: boolean
}

export function readPlace({ env }: Terminal): Place {
  const start = readStartConfiguration(env)
  const { data_dir, database_url } = start.configuration.data
  const file = database_url === null ? join(data_dir, DATABASE_FILE) : null
  return { start, data_dir, file, exists: file === null || existsSync(file) }
}

export function openPlace({ start, data_dir }: Place, options: { migrate: boolean }): Promise<OpenDatabase> {
  const { database_url } = start.configuration.data
  return openDatabase(database_url === null ? { data_dir } : { database_url }, options)
}

/** Opens what is there, of whatever schema, and makes nothing new. */
export async function openAsItIs(place: Place): Promise<OpenDatabase> {
  if (!place.exists) throw new CommandFailure(`There is no database at ${place.file ?? ''}. The first start makes it.`)
  return openPlace(place, { migrate: false })
}

/** The same, when it is as this program needs it. */
export async function openExisting(place: Place): Promise<OpenDatabase> {
  const open = await openAsItIs(place)
  try {
    requireSchema(await schemaOf(open))
    return open
  } catch (cause) {
    await open.close()
    throw cause
  }
}

/** The number of the schema that a database has; 0 for an empty one. */
export async function schemaOf({ database }: OpenDatabase): Promise<number> {
  const found = await database.introspection.getTables()
  if (!found.some(table => table.name === 'schema_migrations')) return 0
  const { rows } = await newestApplied.execute(database)
  return rows[0]?.version ?? 0
}

const newestApplied = sql<{ version: number | null }>`select max(version) as version from schema_migrations`

function requireSchema(found: number): void {
  if (found === NEWEST_SCHEMA) return
  throw new CommandFailure(found < NEWEST_SCHEMA
    ? `The database has schema ${found}, this program needs ${NEWEST_SCHEMA}. Bring it up to date: npm run commons -- migrate`
    : `The database has schema ${found} of a newer version of this program, which knows ${NEWEST_SCHEMA}. Use the newer version.`)
}
