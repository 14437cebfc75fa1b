import { type Insertable, sql } from 'kysely'
import type { NoticeKind, PushSubscription } from '#contract/notices.ts'
import type { Database, Tables } from '#server/foundation/database/open.ts'
import type { RowOf } from '#server/foundation/database/schema/definition.ts'
import type { tables } from '#server/foundation/database/schema/schema.ts'
import { sessionsOf } from '#server/users/sessionStore.ts'

export type SubscriptionRow = RowOf<typeof tables.push_subscriptions>
export type NoticeRow = RowOf<typeof tables.push_notices>

type Device = PushSubscription & { user_id: number; session: string }

/** Browsers that are told. Queries and nothing else. */
export function subscriptionStore(database: Database) {
  const ofUser = (user_id: number) =>
    database.selectFrom('push_subscriptions').where('user_id', '=', user_id).orderBy('id', 'desc')
  return {
    /** Only while the session holds; gives the id of the row, which may have been somebody else’s. */
    add: ({ user_id, session, endpoint, keys: { p256dh, auth } }: Device, now: number) =>
      database
        .insertInto('push_subscriptions')
        .columns(['user_id', 'session', 'endpoint', 'p256dh', 'auth', 'create_time'])
        .expression(
          sessionsOf(database, sql`cast(${user_id} as integer)`, now)
            .where('token_hash', '=', session)
            .select(({ ref }) => [
              ref('user_id').as('user_id'),
              ref('token_hash').as('session'),
              sql<string>`cast(${endpoint} as text)`.as('endpoint'),
              sql<string>`cast(${p256dh} as text)`.as('p256dh'),
              sql<string>`cast(${auth} as text)`.as('auth'),
              sql<number>`cast(${now} as bigint)`.as('create_time'),
            ]),
        )
        .onConflict(conflict =>
          conflict.column('endpoint').doUpdateSet(({ ref }) => ({
            user_id: ref('excluded.user_id'),
            session: ref('excluded.session'),
            p256dh: ref('excluded.p256dh'),
            auth: ref('excluded.auth'),
          })),
        )
        .returning('id')
        .executeTakeFirst(),

    /** The latest first. */
    listOf: (user_id: number) => ofUser(user_id).selectAll().execute(),

    async removeBeyond(user_id: number, most: number): Promise<void> {
      const surplus = await ofUser(user_id).select('id').limit(1_000).offset(most).execute()
      if (surplus.length === 0) return
      const ids = surplus.map(({ id }) => id)
      await database.deleteFrom('push_subscriptions').where('id', 'in', ids).execute()
    },

    remove: (id: number) => database.deleteFrom('push_subscriptions').where('id', '=', id).execute(),

    removeAll: () => database.deleteFrom('push_subscriptions').execute(),

    removeByEndpoint: (user_id: number, endpoint: string) =>
      database
        .deleteFrom('push_subscriptions')
        .where('user_id', '=', user_id)
        .where('endpoint', '=', endpoint)
        .execute(),

    /** Everybody who is told somewhere. */
    userIds: () => database.selectFrom('push_subscriptions').select('user_id').distinct().execute(),
  }
}

/** What is to be sent. Queries and nothing else. */
export function noticeStore(database: Database) {
  const ofReminder = (user_id: number) =>
    database.deleteFrom('push_notices').where('user_id', '=', user_id).where('kind', '=', 'window')
  return {
    insert: (row: Insertable<Tables['push_notices']> & { kind: NoticeKind }) =>
      database.insertInto('push_notices').values(row).execute(),

    /** Those that nobody has; the earliest first. */
    due: (now: number, limit: number) =>
      database
        .selectFrom('push_notices')
        .select('id')
        .where('due_time', '<=', now)
        .where(({ eb, or }) => or([eb('lease_until', 'is', null), eb('lease_until', '<=', now)]))
        .orderBy('due_time')
        .limit(limit)
        .execute(),

    /** Nothing when another process has it, or it was sent. */
    claim: (id: number, now: number, lease_until: number) =>
      database
        .updateTable('push_notices')
        .set(({ eb }) => ({ lease_until, attempts: eb('attempts', '+', 1) }))
        .where('id', '=', id)
        .where('due_time', '<=', now)
        .where(({ eb, or }) => or([eb('lease_until', 'is', null), eb('lease_until', '<=', now)]))
        .returningAll()
        .executeTakeFirst(),

    change: (id: number, changes: Partial<Omit<NoticeRow, 'id'>>) =>
      database.updateTable('push_notices').set(changes).where('id', '=', id).execute(),

    remove: (id: number) => database.deleteFrom('push_notices').where('id', '=', id).execute(),

    reminderOf: (user_id: number) =>
      database
        .selectFrom('push_notices')
        .selectAll()
        .where('user_id', '=', user_id)
        .where('kind', '=', 'window')
        .executeTakeFirst(),

    removeReminder: (user_id: number) => ofReminder(user_id).execute(),
  }
}

/** The one key pair. */
export function keyStore(database: Database) {
  return {
    find: () => database.selectFrom('push_keys').selectAll().where('key_id', '=', 1).executeTakeFirst(),

    /** Does nothing where there is one. */
    insert: (row: Omit<Insertable<Tables['push_keys']>, 'key_id'>) =>
      database
        .insertInto('push_keys')
        .values({ ...row, key_id: 1 })
        .onConflict(conflict => conflict.column('key_id').doNothing())
        .execute(),

    /** Only that one. */
    removeUnreadable: (private_key: string) =>
      database.deleteFrom('push_keys').where('private_key', '=', private_key).executeTakeFirstOrThrow(),
  }
}
