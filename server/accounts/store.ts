import type { Insertable, Updateable } from 'kysely'
import type { Database, Tables } from '#server/foundation/database/open.ts'
import type { Engine } from '#server/foundation/database/definition.ts'
import { forUpdate } from '#server/foundation/database/rowLock.ts'
import type { tables } from '#server/foundation/database/schema.ts'
import type { RowOf } from '#server/foundation/database/tables.ts'

export type UserRow = RowOf<typeof tables.users>

/** Queries and nothing else. Takes a transaction as well as the database. */
export function userStore(database: Database) {
  const activeSuperusers = database.selectFrom('users').where('is_superuser', '=', true).where('is_active', '=', true)
  return {
    find: (id: number) => database.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst(),
    findExactly: (username: string) =>
      database.selectFrom('users').selectAll().where('username', '=', username).executeTakeFirst(),
    list: () => database.selectFrom('users').selectAll().orderBy('id').execute(),
    emails: () => database.selectFrom('users').select(['id', 'email']).execute(),
    names: () => database.selectFrom('users').select(['id', 'username']).execute(),
    any: () => database.selectFrom('users').select('id').limit(1).executeTakeFirst(),
    anyActiveSuperuser: (besides = 0) =>
      activeSuperusers.select('id').where('id', '!=', besides).limit(1).executeTakeFirst(),

    /**
     * Taken first by everything that makes, renames or ends accounts: there always is such a row, and two changes that come
     * through here are never between reading and writing at the same time.
     */
    lockActiveSuperusers: (engine: Engine) =>
      activeSuperusers.select('id').orderBy('id').$call(forUpdate(engine)).execute(),

    insert: async (user: Insertable<Tables['users']>) =>
      (await database.insertInto('users').values(user).returning('id').executeTakeFirstOrThrow()).id,
    /** Fields that are undefined are left as they are. */
    async change(id: number, fields: Updateable<Tables['users']>): Promise<void> {
      if (Object.values(fields).every(value => value === undefined)) return
      await database.updateTable('users').set(fields).where('id', '=', id).execute()
    },
    /** Unless the password was changed meanwhile. */
    replaceHash: (id: number, hashed: string, password_hash: string) =>
      database
        .updateTable('users')
        .set({ password_hash })
        .where('id', '=', id)
        .where('password_hash', '=', hashed)
        .execute(),
    remove: (id: number) => database.deleteFrom('users').where('id', '=', id).execute(),
  }
}
