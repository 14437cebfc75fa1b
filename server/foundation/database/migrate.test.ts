import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { startProcess } from '#testing/childProcess.ts'
import { eachStorage } from '#testing/database.ts'
import { storedUser } from '#testing/rows.ts'
import { tableDefinition } from './definition.ts'
import { checksum, migrate } from './migrate.ts'
import type { Migration } from './migrations/migration.ts'
import { MIGRATIONS } from './migrations/migrations.ts'
import { openDatabase, type DatabaseStorage, type OpenDatabase } from './open.ts'
import { tables } from './schema.ts'
import { DatabaseUnusable } from './unusable.ts'

/** The checksums that databases were made with; one that is here is never changed. */
const RELEASED = [
  [
    '0a8d3f5a37a75f7d17e6e46bf3265fd42000a56a36ec63c41edaeaf1d9b12d6b',
    'a5e1796c32872dbf1f68a6d8f603cc47ffd5e6775433200f3e4232f66c39e02a',
  ],
  [
    'fae596cf8a89694b33ed50c588cb6463ebd7bf8534fe5bc6fbbff1980618ffbb',
    '8062f621550bfd97999360469f39651f95608b00ce9cfd1dec40c0067544f2c4',
  ],
  [
    'c8b7a8e8315978b7ff51713d70a12efe1c744f3608dba4e3a2447cb3e3997275',
    'ca6ca719ee5331e0ddda47c554d4eb72f4019970e2adcb67497869e8eb5863c4',
  ],
  [
    '93262f6622b6d3e787e5dde22b071b11496ceda999e0495d47e7e05a139e3b92',
    '93262f6622b6d3e787e5dde22b071b11496ceda999e0495d47e7e05a139e3b92',
  ],
  [
    '0cebecca453d9e68da241af9eada79eac42ff2761ef68a65914b6eec3e6bace1',
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  ],
]

const OPEN = `
  const { openDatabase } = await import('#server/foundation/database/open.ts')
  const { migrate } = await import('#server/foundation/database/migrate.ts')
  const storage = JSON.parse(process.env.STORAGE)
`

const NOW = MIGRATIONS.map(({ version }) => version)
const NEXT = NOW.length + 1
const next = (...statements: string[]): Migration => ({ version: NEXT, name: '900-next', statements: () => statements })

async function using<T>(storage: DatabaseStorage, work: (open: OpenDatabase) => Promise<T>): Promise<T> {
  const open = await openDatabase(storage, { migrate: false })
  try {
    return await work(open)
  } finally {
    await open.close()
  }
}

const versions = (storage: DatabaseStorage) =>
  using(storage, async ({ database }) =>
    (await sql<{ version: number }>`select version from schema_migrations order by version`.execute(database)).rows.map(
      ({ version }) => version,
    ),
  )

eachStorage((name, storage) => {
  test('an empty database gets the tables as they are described', async () => {
    const where = await storage('empty')
    await (await openDatabase(where)).close()
    expect(await versions(where)).toEqual(NOW)
    const found = await using(where, columnsOf)
    for (const [table, { columns }] of Object.entries(tables))
      expect(found.get(table)?.toSorted()).toEqual(
        [
          ...Object.keys(columns),
          ...(name === 'PostgreSQL' && table === 'searched_messages' ? ['terms', 'term_count', 'create_time'] : []),
        ].toSorted(),
      )
  })
  test('and its indexes', async () => {
    const where = await storage('empty')
    await (await openDatabase(where)).close()
    const statements = Object.entries(tables).flatMap(([table, described]) =>
      tableDefinition('sqlite', table, described),
    )
    const names = statements.flatMap(statement => /^create index "(\w+)"/.exec(statement)?.[1] ?? [])
    expect((await using(where, indexesOf)).toSorted()).toEqual(
      [...names, ...(name === 'PostgreSQL' ? ['searched_messages_terms'] : [])].toSorted(),
    )
  })
  test('a migrated database keeps what it holds when it is opened again', async () => {
    const where = await storage()
    const id = await using(where, ({ database }) => storedUser(database))
    await (await openDatabase(where)).close()
    expect(await using(where, ({ database }) => database.selectFrom('users').select('id').execute())).toEqual([{ id }])
  })
  test('a further migration is applied once', async () => {
    const where = await storage()
    const further = [...MIGRATIONS, next('alter table queues add column note text', `update queues set note = 'x'`)]
    await using(where, async open => {
      await migrate(open, further)
      await migrate(open, further)
    })
    expect(await versions(where)).toEqual([...NOW, NEXT])
    expect((await using(where, columnsOf)).get('queues')).toContain('note')
  })
  test('one that fails is undone whole, says why in a line, and may be tried again', async () => {
    const where = await storage()
    const failing = [...MIGRATIONS, next('create table half (id integer)', 'insert into nowhere values (1)')]
    const failed = await using(where, open => migrate(open, failing).catch((error: unknown) => error))
    expect(failed).toBeInstanceOf(DatabaseUnusable)
    expect(String(failed)).toMatch(/^DatabaseUnusable: migration 900-next failed and was undone: .*nowhere.*$/)
    expect(await versions(where)).toEqual(NOW)
    expect((await using(where, columnsOf)).has('half')).toBe(false)
    await using(where, open => migrate(open, [...MIGRATIONS, next('create table half (id integer)')]))
    expect(await versions(where)).toEqual([...NOW, NEXT])
  })
  test('one during which the process is killed leaves nothing, and the next start applies it', async () => {
    const where = await storage()
    const { ended } = startProcess(
      `${OPEN}
      const { MIGRATIONS } = await import('#server/foundation/database/migrations/migrations.ts')
      const open = await openDatabase(storage)
      const statements = function* () {
        yield 'create table half (id integer)'
        process.kill(process.pid, 'SIGKILL')
      }
      await migrate(open, [...MIGRATIONS, { version: MIGRATIONS.length + 1, name: '900-next', statements }])
    `,
      { STORAGE: JSON.stringify(where) },
    )
    expect(await ended).toMatchObject({ signal: 'SIGKILL' })
    await using(where, open => migrate(open, [...MIGRATIONS, next('create table half (id integer)')]))
    expect(await versions(where)).toEqual([...NOW, NEXT])
  })
  test('processes that start at the same moment migrate once', async () => {
    const where = await storage('empty')
    const started = Array.from({ length: 3 }, () =>
      startProcess(
        `${OPEN}
      await (await openDatabase(storage)).close()
    `,
        { STORAGE: JSON.stringify(where) },
      ),
    )
    for (const { ended } of started) expect(await ended).toMatchObject({ code: 0 })
    expect(await versions(where)).toEqual(NOW)
  })
  test('the schema of a newer program is refused, and left as it is', async () => {
    const where = await storage()
    await using(where, open => migrate(open, [...MIGRATIONS, next('create table later (id integer)')]))
    await expect(openDatabase(where)).rejects.toThrow(
      `the database has schema ${NEXT} of a newer version of this program, which knows schema ${NOW.length}: start the newer version`,
    )
    expect(await versions(where)).toEqual([...NOW, NEXT])
  })
  test('a migration that was changed after it was applied is refused', async () => {
    const where = await storage()
    await using(where, async open => {
      await migrate(open, [...MIGRATIONS, next('create table later (id integer)')])
      await expect(migrate(open, [...MIGRATIONS, next('create table later (id text)')])).rejects.toThrow(
        'migration 900-next is not the one that made this database',
      )
    })
  })
})

describe('the migrations', () => {
  test('are numbered from 1 without a gap, and named for their numbers', () => {
    for (const [index, { version, name }] of MIGRATIONS.entries()) {
      expect(version).toBe(index + 1)
      expect(name).toMatch(new RegExp(`^${String(version).padStart(3, '0')}-[a-z-]+$`))
    }
  })
  test('that were released are as they were', () => {
    const checksums = MIGRATIONS.slice(0, RELEASED.length).map(migration => [
      checksum(migration, 'sqlite'),
      checksum(migration, 'postgresql'),
    ])
    expect(checksums).toEqual(RELEASED)
  })
  test('have a checksum for each database, where they differ', () => {
    for (const migration of MIGRATIONS) {
      const same = migration.statements('sqlite').join() === migration.statements('postgresql').join()
      expect(checksum(migration, 'sqlite') === checksum(migration, 'postgresql')).toBe(same)
    }
  })
})

/** The names of those that no key made. */
async function indexesOf({ database, engine }: OpenDatabase): Promise<string[]> {
  const { rows } = await (
    engine === 'sqlite'
      ? sql<{ name: string }>`select name from sqlite_schema where type = 'index' and sql is not null`
      : sql<{ name: string }>`
      select indexname as name from pg_indexes where schemaname = 'public' and indexname not in (select conname from pg_constraint)`
  ).execute(database)
  return rows.map(({ name }) => name)
}

/** The names of the columns of each table, from the database itself. */
async function columnsOf({ database, engine }: OpenDatabase): Promise<Map<string, string[]>> {
  const { rows } = await (
    engine === 'sqlite'
      ? sql<{ table: string; column: string }>`
      select m.name as "table", c.name as "column" from sqlite_schema m, pragma_table_info(m.name) c`
      : sql<{ table: string; column: string }>`
      select table_name as "table", column_name as "column" from information_schema.columns where table_schema = 'public'`
  ).execute(database)
  const columns = new Map<string, string[]>()
  for (const row of rows) columns.set(row.table, [...(columns.get(row.table) ?? []), row.column])
  return columns
}
