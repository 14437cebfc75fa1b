import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres, type PostgresqlServer } from './embeddedPostgres.ts'
import { dropDatabases, makeTemplate, type PostgresqlTemplate } from './postgresqlTemplate.ts'
import { makeSqliteTemplate } from './sqliteTemplate.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    postgresql: PostgresqlTemplate
    /** Path of the SQLite database that tests get copies of. */
    sqlite: string
  }
}

/**
 * One PostgreSQL server for the whole run: the one of COMMONS_TEST_DATABASE_URL, or one of its own. And a migrated
 * database of each kind.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const named = process.env['COMMONS_TEST_DATABASE_URL']
  const server: PostgresqlServer = named ? { url: named, stop: async () => {} } : await startEmbeddedPostgres()
  const template = await makeTemplate(server.url).catch((cause: unknown) => {
    throw new Error(
      `the tests cannot use their PostgreSQL server: ${cause instanceof Error ? cause.message : String(cause)}`,
    )
  })
  const sqlite = await makeSqliteTemplate()
  project.provide('postgresql', template)
  project.provide('sqlite', sqlite.path)
  return async () => {
    sqlite.remove()
    if (named) await dropDatabases(template)
    await server.stop()
  }
}
