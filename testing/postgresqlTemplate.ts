import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { openDatabase } from '#server/foundation/database/open.ts'

/** A migrated, empty database of which each test gets a copy: copying takes a third of the time of migrating. */
export type PostgresqlTemplate = {
  /** URL of the database in which CREATE and DROP DATABASE are run. */
  url: string
  /** Name of the template; the names of its copies start with it. */
  name: string
}

export async function makeTemplate(url: string): Promise<PostgresqlTemplate> {
  const template = { url, name: `commons_test_${randomName()}` }
  await command(url, `create database ${template.name} encoding 'UTF8' template template0`)
  const open = await openDatabase({ database_url: databaseUrl(template, template.name) })
  await open.close()
  return template
}

/** Creates a copy and returns its URL. */
export async function copyTemplate(template: PostgresqlTemplate): Promise<string> {
  const name = `${template.name}_${randomName()}`
  await administer(template, `create database ${name} template ${template.name} strategy file_copy`)
  return databaseUrl(template, name)
}

/** Creates a database without tables and returns its URL. */
export async function emptyDatabase(template: PostgresqlTemplate): Promise<string> {
  const name = `${template.name}_${randomName()}`
  await administer(template, `create database ${name} encoding 'UTF8' template template0`)
  return databaseUrl(template, name)
}

export async function dropDatabase(template: PostgresqlTemplate, url: string): Promise<void> {
  await administer(template, `drop database if exists ${new URL(url).pathname.slice(1)} with (force)`)
}

/** Drops the template and all copies. */
export async function dropDatabases(template: PostgresqlTemplate): Promise<void> {
  const found = await command<{ datname: string }>(
    template.url,
    `select datname from pg_database where datname like '${template.name}%'`,
  )
  for (const { datname } of found) await command(template.url, `drop database if exists ${datname} with (force)`)
}

function databaseUrl(template: PostgresqlTemplate, name: string): string {
  const url = new URL(template.url)
  url.pathname = `/${name}`
  return url.href
}

const randomName = () => randomBytes(5).toString('hex')

/**
 * One connection, kept for all test files of a worker: one for each statement takes as much as making or dropping a
 * database.
 */
let connection: pg.Pool | undefined

async function administer({ url }: PostgresqlTemplate, statement: string): Promise<void> {
  connection ??= new pg.Pool({ connectionString: url, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true })
    // The next statement opens another one.
    .on('error', () => undefined)
  await connection.query(statement)
}

/** Runs one statement on a connection of its own. */
export async function command<Row extends Record<string, unknown>>(url: string, statement: string): Promise<Row[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query<Row>(statement)).rows
  } finally {
    await client.end()
  }
}
