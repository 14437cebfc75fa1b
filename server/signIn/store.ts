import type { Insertable, Updateable } from 'kysely'
import type { Database, Tables } from '#server/foundation/database/open.ts'
import type { RowOf } from '#server/foundation/database/schema/definition.ts'
import type { tables } from '#server/foundation/database/schema/schema.ts'

export type ProviderRow = RowOf<typeof tables.identity_providers>
export type IdentityRow = RowOf<typeof tables.user_identities>

/** Queries and nothing else. Takes a transaction as well as the database. */
export function signInStore(database: Database) {
  return {
    list: () => database.selectFrom('identity_providers').selectAll().orderBy('position').orderBy('id').execute(),
    find: (id: number) => database.selectFrom('identity_providers').selectAll().where('id', '=', id).executeTakeFirst(),
    insert: (row: Insertable<Tables['identity_providers']>) =>
      database.insertInto('identity_providers').values(row).returningAll().executeTakeFirstOrThrow(),
    change: (id: number, values: Updateable<Tables['identity_providers']>) =>
      database.updateTable('identity_providers').set(values).where('id', '=', id).returningAll().executeTakeFirst(),
    remove: (id: number) => database.deleteFrom('identity_providers').where('id', '=', id).execute(),

    /** How many accounts are connected with each. */
    counts: () =>
      database
        .selectFrom('user_identities')
        .select(({ fn }) => ['provider_id', fn.countAll<number>().as('people')])
        .groupBy('provider_id')
        .execute(),

    findIdentity: (issuer: string, subject: string) =>
      database
        .selectFrom('user_identities')
        .selectAll()
        .where('issuer', '=', issuer)
        .where('subject', '=', subject)
        .executeTakeFirst(),
    insertIdentity: (row: Insertable<Tables['user_identities']>) =>
      database.insertInto('user_identities').values(row).returningAll().executeTakeFirstOrThrow(),
    changeIdentity: (id: number, values: Updateable<Tables['user_identities']>) =>
      database.updateTable('user_identities').set(values).where('id', '=', id).execute(),

    /** False where this token was used before. */
    async useLogoutToken(provider_id: number, jti: string, times: { now: number; expire_time: number }) {
      await database.deleteFrom('logout_tokens').where('expire_time', '<=', times.now).execute()
      const used = await database
        .insertInto('logout_tokens')
        .values({ provider_id, jti, expire_time: times.expire_time })
        .onConflict(conflict => conflict.columns(['provider_id', 'jti']).doNothing())
        .returning('jti')
        .executeTakeFirst()
      return used !== undefined
    },
  }
}
