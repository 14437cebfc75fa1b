import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { PATIENCE } from '#testing/patience.ts'
import { cuttableProxy } from '#testing/cuttableProxy.ts'
import { aPostgresql, aPostgresqlAddress } from '#testing/database.ts'
import { command } from '#testing/postgresqlTemplate.ts'
import { until } from '#testing/until.ts'
import { openDatabase, type OpenDatabase } from '../open.ts'
import { DatabaseUnusable } from '../../databaseErrors.ts'

const refusal = (database_url: string) => openDatabase({ database_url }).catch((error: unknown) => error)

async function cutAll({ database }: OpenDatabase): Promise<void> {
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`.execute(
    database,
  )
}

describe('a PostgreSQL server', () => {
  test('that does not answer is named without its password', async () => {
    const refused = await refusal('postgres://me:secret@127.0.0.1:1/commons')
    expect(refused).toBeInstanceOf(DatabaseUnusable)
    expect(String(refused)).toBe(
      'DatabaseUnusable: PostgreSQL at 127.0.0.1:1/commons cannot be used: connect ECONNREFUSED 127.0.0.1:1. See that PostgreSQL runs and listens there. DATABASE_URL has its host and port.',
    )
  })
  test('that knows no such database says so, and how it is made', async () => {
    const url = new URL(await aPostgresqlAddress())
    url.pathname = '/nowhere'
    expect(String(await refusal(url.href))).toMatch(
      /database "nowhere" does not exist\. An administrator of PostgreSQL makes it: createdb --owner=\S+ --encoding=UTF8 --template=template0 nowhere$/,
    )
  })
  test('whose database has another encoding says how one is made that can be used', async () => {
    const url = await aPostgresqlAddress()
    const latin = `latin_${randomUUID().replaceAll('-', '')}`
    await command(
      url,
      `create database ${latin} encoding 'LATIN1' locale 'C' locale_provider 'libc' template template0`,
    )
    const other = new URL(url)
    other.pathname = `/${latin}`
    expect(String(await refusal(other.href))).toMatch(
      /the database is encoded in LATIN1, not in UTF8\. Make another one: createdb .*--encoding=UTF8 .*_utf8$/,
    )
    await command(url, `drop database ${latin}`)
  })
  test('whose address makes no sense is not repeated, and told of by its setting', async () => {
    const refused = await refusal('postgres://me:se cret@[/commons')
    expect(refused).toBeInstanceOf(DatabaseUnusable)
    expect(String(refused)).toContain('DATABASE_URL')
    expect(String(refused)).toContain('@ is written %40')
    expect(String(refused)).not.toContain('se cret')
  })
  test('on which the role may make no tables says so', async () => {
    const url = await aPostgresqlAddress()
    await command(url, 'drop table schema_migrations')
    const refused = await refusal(`${url}?options=-csearch_path%3Dpg_catalog`)
    expect(refused).toBeInstanceOf(DatabaseUnusable)
    expect(String(refused)).toBe(
      'DatabaseUnusable: the schema of the database cannot be looked up: permission denied for schema pg_catalog. ' +
        `The role has to own the database: alter database "${new URL(url).pathname.slice(1)}" owner to "${new URL(url).username}", by an administrator of PostgreSQL.`,
    )
  })
  test('gives nobody more than 10 s for a statement, 3 s for a lock, 30 s between the statements of a transaction', async () => {
    const { database } = await aPostgresql()
    const { rows } =
      await sql`select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
      current_setting('idle_in_transaction_session_timeout') as idle`.execute(database)
    expect(rows).toEqual([{ statement: '10s', lock: '3s', idle: '30s' }])
  })
  test('is backed up with its own tools', async () => {
    await expect((await aPostgresql()).backup('/nowhere')).rejects.toThrow('pg_dump')
  })
})

describe('a lost connection', () => {
  test("while it is idle is nobody's error", async () => {
    const open = await aPostgresql()
    await Promise.all(Array.from({ length: 5 }, () => sql`select pg_sleep(0.05)`.execute(open.database)))
    await cutAll(open)
    await until(() => open.check())
    for (let count = 0; count < 10; count++) await open.check()
  })
  test('in a transaction is its error, and nothing of it is kept', async () => {
    const open = await aPostgresql()
    await expect(
      open.transaction(async trx => {
        await trx.insertInto('queues').values({ upstream_id: 1, next_ticket: 1 }).execute()
        await cutAll(open)
        await trx.insertInto('queues').values({ upstream_id: 2, next_ticket: 1 }).execute()
      }),
    ).rejects.toThrow()
    expect(await open.database.selectFrom('queues').selectAll().execute()).toEqual([])
  })
  test('while the server starts again ends nothing, loses nothing acknowledged and doubles nothing', async () => {
    const server = await cuttableProxy(await aPostgresqlAddress())
    onTestFinished(server.close)
    const open = await openDatabase({ database_url: server.url })
    onTestFinished(() => open.close())
    const acknowledged: number[] = []
    let next = 0
    const over = new AbortController()
    const writers = Array.from({ length: 4 }, async () => {
      while (!over.signal.aborted) {
        const ticket = next++
        await open
          .transaction(trx => trx.insertInto('queues').values({ upstream_id: ticket, next_ticket: ticket }).execute())
          .then(
            () => acknowledged.push(ticket),
            () => new Promise(resolve => setImmediate(resolve)),
          )
      }
    })
    for (let restart = 0; restart < 10; restart++) {
      const before = acknowledged.length
      await vi.waitUntil(() => acknowledged.length > before + 5, { timeout: PATIENCE, interval: 5 })
      server.cut()
      await expect(open.check()).rejects.toThrow('the database cannot be reached')
      server.mend()
    }
    over.abort()
    await Promise.all(writers)
    const stored = new Set(
      (await open.database.selectFrom('queues').select('next_ticket').execute()).map(row => row.next_ticket),
    )
    expect(acknowledged.filter(ticket => !stored.has(ticket))).toEqual([])
    expect(new Set(acknowledged).size).toBe(acknowledged.length)
  })
})
