import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { migrate } from '#server/foundation/database/migrate.ts'
import { MIGRATIONS } from '#server/foundation/database/migrations/migrations.ts'
import { type DatabaseStorage, openDatabase, type OpenDatabase } from '#server/foundation/database/open.ts'
import { emptyFolder } from '../dataFolder.ts'

const FOLDER = join(import.meta.dirname, 'schema27')
const linesOf = <T>(file: string): T[] =>
  readFileSync(join(FOLDER, file), 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as T) // written once, and by us

type Row = { table: string; row: Record<string, string | number | null> }

/** Puts the portal of schema 27 of README.md at an empty place. */
export async function portalOfSchema27(storage: DatabaseStorage) {
  const data_dir = 'data_dir' in storage ? storage.data_dir : await emptyFolder()
  cpSync(join(FOLDER, 'secret.key'), join(data_dir, 'secret.key'))
  const open = await openDatabase(storage, { migrate: false })
  try {
    await migrate(
      open,
      MIGRATIONS.filter(({ version }) => version <= 27),
    )
    await store(open, linesOf<Row>('rows.jsonl'))
  } finally {
    await open.close()
  }
  return { data_dir, answers: linesOf<{ path: string; answer: unknown }>('answers.jsonl') }
}

async function store({ database, engine }: OpenDatabase, rows: readonly Row[]): Promise<void> {
  // The migrations have made them, with the time of now.
  await sql`delete from upstreams`.execute(database)
  const { rows: bools } = await (
    engine === 'sqlite'
      ? sql<{ path: string }>`select '' as path where false`
      : sql<{ path: string }>`select table_name || '.' || column_name as path from information_schema.columns
          where table_schema = 'public' and data_type = 'boolean'`
  ).execute(database)
  const isBool = (path: string) => bools.some(each => each.path === path)
  for (const { table, row } of rows) {
    const values = Object.entries(row).map(([name, value]) => (isBool(`${table}.${name}`) ? value === 1 : value))
    await sql`insert into ${sql.table(table)} (${sql.join(Object.keys(row).map(name => sql.ref(name)))})
      values (${sql.join(values)})`.execute(database)
  }
  if (engine === 'postgresql')
    for (const table of ['users', 'upstreams'])
      await sql`select setval(pg_get_serial_sequence(${table}, 'id'), 1000)`.execute(database)
}
