import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { startProcess } from '#testing/childProcess.ts'
import { eachStorage } from '#testing/database.ts'
import { storedUser } from '#testing/rows.ts'
import { tableDefinition } from './schema/definition.ts'
import { checksum, MERGED_CHECKSUMS, migrate } from './migrate.ts'
import type { Migration } from './migrations/migration.ts'
import { MIGRATIONS } from './migrations/migrations.ts'
import { openDatabase, type DatabaseStorage, type OpenDatabase } from './open.ts'
import { tables } from './schema/schema.ts'
import { DatabaseUnusable } from '../databaseErrors.ts'

/** The checksums that databases were made with, on SQLite and on PostgreSQL; one that is here is never changed. */
const RELEASED: readonly (readonly [version: number, sqlite: string, postgresql: string])[] = [
  [
    9,
    '3bb4f52be0355dda0f1e11b31f9e0949fcf6c0cd79482c0cb603ed20919855ce',
    '00463a3af50df781e15a774e004acb94f8e48e7010b18b3e67f850fb88a53305',
  ],
  [
    10,
    'd5e5464668d29e3a078bc268e5c37014b77a8ae5876120977e17d44c0cfa7fda',
    '16313b8a959e242740f5f30c9929c7c8cd6c19b0742831718dbf2862a0c139e5',
  ],
  [
    11,
    '059b35a58497f812f146704c7c3170f277568e8c3eeedb5103c4135c9330f535',
    '9a2aba9ea0fc4d4d26b1123f1f9112efbc8a9b1aa5ac8a14058109517416cdec',
  ],
  [
    12,
    'df09c80aa39fb334fbd68c4737dd42e48a57cb4b8e1e9d647ee68b71569e83c7',
    '9605294de361eb8617b78fe41dc8803a29471ce8044ca171f605ce29a808cf7e',
  ],
  [
    13,
    'db99643ae1fc804b20c79eb3a2460fed1215f89adda9d829b602e6a9a7227d56',
    '7f0551eb6f58d26554323af8adfc71ab5a29dc2d270503f88cb8503997295f3b',
  ],
  [
    14,
    'e59f58855dd55b163d6e5542365ee16ef5fa700c06e23a9dd5ead52ce5c7156c',
    '17205f270f0667b1075d4ad6a40d43f2d42142a26c46afbba3bf5abfc5627fca',
  ],
  [
    15,
    '01ea2ec6229ea4e3e396d0ec17c37436ff49b66c9a69da45dac8353b55c6f3bd',
    'a1e7c69ed7a2ade4d36f426abf88dacecff921b8a18197c80980e153a31f40d6',
  ],
  [
    16,
    '8279fd91031ee6728f9cd9fd8aa0b0c54f57cd8298cdcc55ad7b8182bcd487cf',
    'afb82bcb447ef6f0428b539bfc596c5a26ca82034c058c4c15acb9dac38b26a3',
  ],
  [
    17,
    'e8cd86e2b7a7de33e735b007d109ec900f1393671b4279fda882ae6816e92105',
    '3fef682627ccd5ca04ffe17931b0f7547d2dbc18441a71b0eeeeb38a1517fe7e',
  ],
  [
    18,
    '77de32d8f7096a426f38b6eb6ccdba918c95e54d1eeb97e27a2cec51ae8be69a',
    '77de32d8f7096a426f38b6eb6ccdba918c95e54d1eeb97e27a2cec51ae8be69a',
  ],
  [
    19,
    'd0a173d7438e1bf3373b88851f325999acc443b1e7c3b25b0de1e9e55a952c44',
    'c12538f2befddcc4dc06ea5eb498eb36ed12a7528d20a92796026ecaf624e983',
  ],
  [
    20,
    'f4492a4da56578a22fb531cd00f11e4147bed635d6425a52f28ad78de72889b6',
    'bf4480f2463433dccf2f7bb59af1adffe0378e2551a6660f965b527c9cdc095d',
  ],
  [
    21,
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  ],
  [
    22,
    'e1f506dc20a438d09a5ac9ec63a03bf7145ecbb7526c1a1fabc9f06501963056',
    'c741d42d1e14837135cf109524208c0ebf8aad4252575613f3a65649f3fa57f5',
  ],
  [
    23,
    '335eb6e0c4cd62a6fa0636e750a0c11010c2b8888bac2b001734e871fd9ae597',
    '007d6cafc9b3a9c7137270c74e6e65d94cf456a2033a915c0a755db291f313a4',
  ],
  [
    24,
    '65ce046c1ae6c954dda0bd74e6ab3e8a3632f7f486424a87fabd030b954b08f9',
    'cb7860350bc6f8830b3c914b26d2ea8c35ef102d2a20bfc05e57b7cb922c2c4e',
  ],
  [
    25,
    'dc4d92055170aaf92413b1ff0fc82dba549b0f43053c563cb3306c67572c21b0',
    '99b6adbcd38711a7caba99dcdfd59b185d159792aab8fe37a0105d0754ab03a0',
  ],
  [
    26,
    'b6a7f0b598b81c410b8dff1969618e180e3500ec01ec61aaa887ecf05a938788',
    'a6dfb6434641dae1649189cdff8dc2f2ccba1350f025ed098d7707049abb8315',
  ],
  [
    27,
    '886209312cffc766576f482355946621fc822f665be0bdbfb1436b2de0353f39',
    '7c4eebf665a095d9b81c85eb15b9b4ff42a66337c610231b4bf95a5be6f3586c',
  ],
]

const OPEN = `
  const { openDatabase } = await import('#server/foundation/database/open.ts')
  const { migrate } = await import('#server/foundation/database/migrate.ts')
  const storage = JSON.parse(process.env.STORAGE)
`

const NOW = MIGRATIONS.map(({ version }) => version)
const NEWEST = Math.max(...NOW)
const NEXT = NEWEST + 1
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
      await migrate(open, [...MIGRATIONS, { version: ${NEXT}, name: '900-next', statements }])
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
      `the database has schema ${NEXT} of a newer version of this program, which knows schema ${NEWEST}: start the newer version`,
    )
    expect(await versions(where)).toEqual([...NOW, NEXT])
  })
  test('a database that was made before the base is upgraded, with the rows of the migrations that it had', async () => {
    const where = await storage()
    await using(where, async open => {
      await recordMerged(open, 8)
      await migrate(open)
    })
    expect(await versions(where)).toEqual([1, 2, 3, 4, 5, 6, 7, ...NOW])
    await using(where, async open => {
      await sql`update schema_migrations set checksum = 'another' where version = 3`.execute(open.database)
      await expect(migrate(open)).rejects.toThrow('migration 003 is not the one that made this database')
    })
  })
  test('one of an older schema is refused in words, and left as it is', async () => {
    const where = await storage('empty')
    await using(where, async open => {
      await sql
        .raw(`create table schema_migrations (version bigint primary key, name text not null, checksum text not null)`)
        .execute(open.database)
      await recordMerged(open, 7)
    })
    await expect(openDatabase(where)).rejects.toThrow(
      'the database has schema 7, and this program upgrades from schema 8 on: start version 0.4.9 with it once, which brings it there, and then this one',
    )
    expect(await versions(where)).toEqual([1, 2, 3, 4, 5, 6, 7])
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
  test('are numbered from the base on, and named for their numbers', () => {
    const versions = MIGRATIONS.map(({ version }) => version)
    expect(versions[0]).toBe(8)
    expect(new Set(versions).size).toBe(versions.length)
    for (const { version, name } of MIGRATIONS) {
      expect(name).toMatch(new RegExp(`^${String(version).padStart(3, '0')}-[a-z-]+$`))
    }
  })
  test('that were released are as they were', () => {
    const released = MIGRATIONS.filter(({ version }) => RELEASED.some(([known]) => known === version))
    expect(
      released.map(migration => [migration.version, checksum(migration, 'sqlite'), checksum(migration, 'postgresql')]),
    ).toEqual(RELEASED)
  })
  test('have a checksum for each database, where they differ', () => {
    for (const migration of MIGRATIONS) {
      const same = migration.statements('sqlite').join() === migration.statements('postgresql').join()
      expect(checksum(migration, 'sqlite') === checksum(migration, 'postgresql')).toBe(same)
    }
  })
})

/** Writes down that the first migrations were applied, as the program of then did. */
async function recordMerged({ database, engine }: OpenDatabase, newest: number): Promise<void> {
  await sql`delete from schema_migrations where version <= ${newest}`.execute(database)
  for (const [index, sum] of MERGED_CHECKSUMS[engine].slice(0, newest).entries())
    await sql`insert into schema_migrations (version, name, checksum) values (${index + 1}, ${`00${index + 1}`}, ${sum})`.execute(
      database,
    )
}

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
