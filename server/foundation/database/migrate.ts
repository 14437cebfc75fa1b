import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { DatabaseUnusable, reasonOf } from '../databaseErrors.ts'
import type { Migration } from './migrations/migration.ts'
import { MIGRATIONS } from './migrations/migrations.ts'
import { remedyOf } from './postgresql/pooler.ts'
import type { Engine } from './schema/definition.ts'
import type { OpenDatabase, Transaction } from './schema/schema.ts'

/** The number of the advisory lock: a random one, so that no other program on the server has it. */
const POSTGRESQL_LOCK = 7_226_110_918

const MADE_BY =
  'create table if not exists schema_migrations (version bigint primary key, name text not null, checksum text not null)'

type Migrated = Pick<OpenDatabase, 'transaction' | 'engine' | 'url'>

/** Brings the schema up to date, each migration in a transaction of its own; safe when many processes start at once. */
export async function migrate(open: Migrated, migrations: readonly Migration[] = MIGRATIONS): Promise<void> {
  for (const migration of await missingMigrations(open, migrations)) await apply(open, migration)
}

async function missingMigrations(open: Migrated, migrations: readonly Migration[]): Promise<Migration[]> {
  try {
    return await alone(open, async trx => {
      const applied = await appliedMigrations(trx)
      requireKnown(applied, migrations, open.engine)
      return migrations.filter(migration => !applied.has(migration.version))
    })
  } catch (cause) {
    if (cause instanceof DatabaseUnusable) throw cause
    const remedy = open.url === undefined ? null : remedyOf(cause, open.url)
    throw new DatabaseUnusable(`the schema of the database cannot be looked up: ${reasonOf(cause)}`, { cause, remedy })
  }
}

async function apply(open: Migrated, migration: Migration): Promise<void> {
  try {
    await alone(open, async trx => {
      if ((await appliedMigrations(trx)).has(migration.version)) return // another process was faster
      for (const statement of migration.statements(open.engine)) await sql.raw(statement).execute(trx)
      await migration.finish?.(trx, open.engine)
      await sql`insert into schema_migrations (version, name, checksum)
        values (${migration.version}, ${migration.name}, ${checksum(migration, open.engine)})`.execute(trx)
    })
  } catch (cause) {
    throw new DatabaseUnusable(`migration ${migration.name} failed and was undone: ${reasonOf(cause)}`, { cause })
  }
}

/** A transaction that excludes other migrating processes. SQLite has one writer at a time anyway. */
function alone<T>({ transaction, engine }: Migrated, work: (trx: Transaction) => Promise<T>): Promise<T> {
  return transaction(async trx => {
    if (engine === 'postgresql') {
      await sql`select set_config('statement_timeout', '0', true), set_config('lock_timeout', '60s', true)`.execute(trx)
      await sql`select pg_advisory_xact_lock(${POSTGRESQL_LOCK})`.execute(trx)
    }
    await sql.raw(MADE_BY).execute(trx)
    return work(trx)
  })
}

/** The version that brings any database of before to the base. */
const MADE_BASE = '0.4.9'

/** Of the migrations 1 to 8, which are one base now, by their order: databases of before have rows of them. */
export const MERGED_CHECKSUMS: Record<Engine, readonly string[]> = {
  sqlite: [
    '0a8d3f5a37a75f7d17e6e46bf3265fd42000a56a36ec63c41edaeaf1d9b12d6b',
    'fae596cf8a89694b33ed50c588cb6463ebd7bf8534fe5bc6fbbff1980618ffbb',
    'c8b7a8e8315978b7ff51713d70a12efe1c744f3608dba4e3a2447cb3e3997275',
    '93262f6622b6d3e787e5dde22b071b11496ceda999e0495d47e7e05a139e3b92',
    '0cebecca453d9e68da241af9eada79eac42ff2761ef68a65914b6eec3e6bace1',
    'df8cd9aedaa8bbee045ad38134291928247a39455f9e3f5e625e29902f1dfec4',
    '42b22c0e70672fd0923daa8de05b22d37635d5950f979119b1691d7de47b70f8',
    '77907b623b15f8c96673abff16f29bf902bbf249184131648057e84842046121',
  ],
  postgresql: [
    'a5e1796c32872dbf1f68a6d8f603cc47ffd5e6775433200f3e4232f66c39e02a',
    '8062f621550bfd97999360469f39651f95608b00ce9cfd1dec40c0067544f2c4',
    'ca6ca719ee5331e0ddda47c554d4eb72f4019970e2adcb67497869e8eb5863c4',
    '93262f6622b6d3e787e5dde22b071b11496ceda999e0495d47e7e05a139e3b92',
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    'df8cd9aedaa8bbee045ad38134291928247a39455f9e3f5e625e29902f1dfec4',
    '3609b055a64d54f41fd1e6ea177bdce67e661236c47e3764d61ff0cb91ac005f',
    'ba87f686d663731ac3822f194e1a053ea72e75eaf26177e53f2cb4a1b1d9b760',
  ],
}

type Applied = Map<number, { name: string; checksum: string }>

async function appliedMigrations(trx: Transaction): Promise<Applied> {
  const found = await sql<{ version: number; name: string; checksum: string }>`
    select version, name, checksum from schema_migrations order by version`.execute(trx)
  return new Map(found.rows.map(({ version, ...applied }) => [version, applied]))
}

function requireKnown(applied: Applied, migrations: readonly Migration[], engine: Engine): void {
  const known = new Map(migrations.map(migration => [migration.version, migration]))
  const base = Math.min(...known.keys())
  const newestApplied = Math.max(0, ...applied.keys())
  if (applied.size > 0 && newestApplied < base)
    throw new DatabaseUnusable(
      `the database has schema ${newestApplied}, and this program upgrades from schema ${base} on: start version ` +
        `${MADE_BASE} with it once, which brings it there, and then this one`,
    )
  for (const [version, { name, checksum: found }] of applied) {
    if (found === MERGED_CHECKSUMS[engine][version - 1]) continue
    const migration = known.get(version)
    if (migration === undefined && version > base) {
      const newest = Math.max(0, ...known.keys())
      throw new DatabaseUnusable(
        `the database has schema ${Math.max(...applied.keys())} of a newer version of this program, which knows ` +
          `schema ${newest}: start the newer version, or restore a backup from before the upgrade`,
      )
    }
    if (migration === undefined || checksum(migration, engine) !== found) {
      throw new DatabaseUnusable(
        `migration ${name} is not the one that made this database: it was changed after it was applied`,
      )
    }
  }
}

export function checksum(migration: Migration, engine: Engine): string {
  return createHash('sha256').update(migration.statements(engine).join(';\n')).digest('hex')
}

/** The schema that this program works with. */
export const NEWEST_SCHEMA = Math.max(...MIGRATIONS.map(({ version }) => version))

/** The number of the schema that a database has; 0 for an empty one. */
export async function schemaOf({ database }: OpenDatabase): Promise<number> {
  const found = await database.introspection.getTables()
  if (!found.some(table => table.name === 'schema_migrations')) return 0
  const { rows } = await newestVersion.execute(database)
  return rows[0]?.version ?? 0
}

const newestVersion = sql<{ version: number | null }>`select max(version) as version from schema_migrations`

/** For commands that open a database without migrating it. */
export async function requireNewestSchema(open: OpenDatabase): Promise<void> {
  const found = await schemaOf(open)
  if (found === NEWEST_SCHEMA) return
  if (found === 0) throw new DatabaseUnusable('The database is empty. Make its tables: npm run commons -- migrate')
  throw new DatabaseUnusable(
    found < NEWEST_SCHEMA
      ? `The database has schema ${found}, this program needs ${NEWEST_SCHEMA}. Bring it up to date: npm run commons -- migrate`
      : `The database has schema ${found} of a newer version of this program, which knows ${NEWEST_SCHEMA}. Use the newer version.`,
  )
}
