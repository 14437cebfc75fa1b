import { sql } from 'kysely'
import { MIGRATIONS } from './migrations/migrations.ts'
import type { OpenDatabase } from './open.ts'
import { DatabaseUnusable } from './unusable.ts'

/** The schema that this program works with. */
export const NEWEST_SCHEMA = Math.max(...MIGRATIONS.map(({ version }) => version))

/** The number of the schema that a database has; 0 for an empty one. */
export async function schemaOf({ database }: OpenDatabase): Promise<number> {
  const found = await database.introspection.getTables()
  if (!found.some(table => table.name === 'schema_migrations')) return 0
  const { rows } = await newestApplied.execute(database)
  return rows[0]?.version ?? 0
}

const newestApplied = sql<{ version: number | null }>`select max(version) as version from schema_migrations`

/** For commands that open a database without migrating it. */
export async function requireNewestSchema(open: OpenDatabase): Promise<void> {
  const found = await schemaOf(open)
  if (found === NEWEST_SCHEMA) return
  throw new DatabaseUnusable(
    found < NEWEST_SCHEMA
      ? `The database has schema ${found}, this program needs ${NEWEST_SCHEMA}. Bring it up to date: npm run commons -- migrate`
      : `The database has schema ${found} of a newer version of this program, which knows ${NEWEST_SCHEMA}. Use the newer version.`,
  )
}
