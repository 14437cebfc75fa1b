import type { Insertable, Updateable } from 'kysely'
import type { Database, Tables } from '#server/foundation/database/open.ts'
import type { RowOf } from '#server/foundation/database/schema/definition.ts'
import { prepared } from '#server/foundation/database/schema/prepared.ts'
import type { tables } from '#server/foundation/database/schema/schema.ts'
import { policyValues } from '#server/policy/planStore.ts'
import { allUsers } from '#server/users/store.ts'

export type KeyRow = RowOf<typeof tables.user_keys>

/** Keys with what decides whether they hold: whether the owner is active, and their plan. */
const keysOfOwners = (database: Database) =>
  database
    .selectFrom('user_keys')
    .innerJoin(
      allUsers(database).select(['id as owner_id', 'username', 'nickname', 'is_active']).as('owner'),
      'owner.owner_id',
      'user_keys.user_id',
    )
    .leftJoin(
      policyValues(database).select(['user_id as of_user', 'plan_id', 'own_values']).as('policy'),
      'policy.of_user',
      'user_keys.user_id',
    )
    .selectAll('user_keys')
    .select(['username', 'nickname', 'is_active', 'plan_id', 'own_values'])

const findBySecret = prepared((database, { secret_hash }: { secret_hash: string }) =>
  keysOfOwners(database).where('secret_hash', '=', secret_hash),
)

export type OwnedKeyRow = NonNullable<Awaited<ReturnType<ReturnType<typeof keyStore>['findBySecret']>>>

/** Queries and nothing else. Takes a transaction as well as the database. */
export function keyStore(database: Database) {
  const notRevoked = database.selectFrom('user_keys').where('revoke_time', 'is', null)
  return {
    findBySecret: (secret_hash: string) => findBySecret.first(database, { secret_hash }),

    /** Those of these that are still there, revoked ones among them. */
    listById: (ids: readonly number[]) => keysOfOwners(database).where('id', 'in', ids).execute(),

    listOf: (user_id: number) => notRevoked.selectAll().where('user_id', '=', user_id).orderBy('id', 'desc').execute(),

    /** All that is stored of a person's keys but their secrets, revoked ones among them. */
    describedOf: async (user_id: number) => {
      const rows = await database.selectFrom('user_keys').selectAll().where('user_id', '=', user_id).execute()
      return rows.map(({ secret_hash: _secret, ...row }) => row)
    },

    /** The latest, revoked ones among them. */
    secretsOf: (user_id: number, limit: number) =>
      database
        .selectFrom('user_keys')
        .select(['id', 'secret_hash', 'ending', 'revoke_time'])
        .where('user_id', '=', user_id)
        .orderBy('id', 'desc')
        .limit(limit)
        .execute(),

    page: ({ limit, offset }: { limit: number; offset: number }) =>
      keysOfOwners(database)
        .where('revoke_time', 'is', null)
        .orderBy('id', 'desc')
        .limit(limit)
        .offset(offset)
        .execute(),
    count: () =>
      notRevoked
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
        .then(row => row.count),
    countOf: (user_id: number) =>
      notRevoked
        .where('user_id', '=', user_id)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
        .then(row => row.count),

    find: (id: number) => notRevoked.selectAll().where('id', '=', id).executeTakeFirst(),

    insert: async (row: Insertable<Tables['user_keys']>): Promise<number> =>
      (await database.insertInto('user_keys').values(row).returning('id').executeTakeFirstOrThrow()).id,

    /** False where it was revoked meanwhile. */
    change: async (id: number, values: Updateable<Tables['user_keys']>): Promise<boolean> =>
      (await database
        .updateTable('user_keys')
        .set(values)
        .where('id', '=', id)
        .where('revoke_time', 'is', null)
        .returning('id')
        .executeTakeFirst()) !== undefined,

    removeRevokedBefore: (time: number) => database.deleteFrom('user_keys').where('revoke_time', '<', time).execute(),
  }
}
