import type { Expression, Insertable } from 'kysely'
import type { Database, Tables } from '#server/foundation/database/open.ts'
import { prepared } from '#server/foundation/database/schema/prepared.ts'

/**
 * What shows who somebody is when a session begins. A password is good while it is the account's; anything else unless
 * all sessions of the person were ended after it was shown.
 */
export type Proof =
  | { kind: 'password'; password_hash: string }
  | { kind: 'invitation'; time: number }
  | { kind: 'provider'; time: number; provider_id: number; provider_session: string | null }

export type ProviderSessions = { provider_id: number; user_id?: number; provider_session?: string }

/** Subquery: the sessions that have not expired, of active people, joined with those people. */
const liveSessions = (database: Database, now: number) =>
  database
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .where('sessions.expire_time', '>', now)
    .where('users.is_active', '=', true)

const live = prepared((database, { token_hash, now }: { token_hash: string; now: number }) =>
  liveSessions(database, now)
    .where('sessions.token_hash', '=', token_hash)
    .select([
      'users.id',
      'users.username',
      'users.nickname',
      'users.is_superuser',
      'sessions.token_hash',
      'sessions.last_seen_time',
      'sessions.create_time as session_create_time',
    ]),
)

/** Subquery: the sessions of a person that have not expired. */
export const sessionsOf = (database: Database, user_id: Expression<number>, now: number) =>
  database.selectFrom('sessions').where('sessions.user_id', '=', user_id).where('sessions.expire_time', '>', now)

/** How many of these people's sessions have not expired. */
export const countSessions = (database: Database, user_ids: readonly number[], now: number) =>
  database
    .selectFrom('sessions')
    .select(({ fn }) => ['user_id', fn.countAll<number>().as('count')])
    .where('user_id', 'in', user_ids)
    .where('expire_time', '>', now)
    .groupBy('user_id')
    .execute()

/** Queries and nothing else. Takes a transaction as well as the database. */
export function sessionStore(database: Database) {
  return {
    /** The session with its person, in one indexed read; nothing when it has expired or the person is not active. */
    findLive: (token_hash: string, now: number) => live.first(database, { token_hash, now }),

    liveAmong: (token_hashes: readonly string[], now: number) =>
      liveSessions(database, now)
        .select('sessions.token_hash')
        .where('sessions.token_hash', 'in', token_hashes)
        .execute(),

    /** Of a person, those that have not expired, the latest used first. */
    listOf: (user_id: number, now: number) =>
      database
        .selectFrom('sessions')
        .select(['token_hash', 'create_time', 'last_seen_time', 'expire_time', 'user_agent', 'address', 'proof'])
        .where('user_id', '=', user_id)
        .where('expire_time', '>', now)
        .orderBy('last_seen_time', 'desc')
        .orderBy('token_hash')
        .execute(),

    expireTime: (token_hash: string) =>
      database.selectFrom('sessions').select('expire_time').where('token_hash', '=', token_hash).executeTakeFirst(),

    insert: (session: Insertable<Tables['sessions']>) => database.insertInto('sessions').values(session).execute(),

    rename: (token_hash: string, new_hash: string) =>
      database.updateTable('sessions').set({ token_hash: new_hash }).where('token_hash', '=', token_hash).execute(),

    remove: (token_hash: string) => database.deleteFrom('sessions').where('token_hash', '=', token_hash).execute(),

    removeAllOf: (user_id: number, except: string | null) =>
      database
        .deleteFrom('sessions')
        .where('user_id', '=', user_id)
        .$if(except !== null, query => query.where('token_hash', '!=', except ?? ''))
        .returning('token_hash')
        .execute(),

    removeOfProvider: ({ provider_id, user_id, provider_session }: ProviderSessions) =>
      database
        .deleteFrom('sessions')
        .where('provider_id', '=', provider_id)
        .$if(user_id !== undefined, query => query.where('user_id', '=', user_id ?? 0))
        .$if(provider_session !== undefined, query => query.where('provider_session', '=', provider_session ?? ''))
        .returning(['token_hash', 'user_id'])
        .execute(),

    /** What was asked before then is not begun any more, as far as it still waits. */
    noteSignedOut: (user_id: number, now: number) =>
      database.updateTable('users').set({ signed_out_time: now }).where('id', '=', user_id).execute(),

    /** Also of a database of any earlier schema. */
    removeAll: () => database.deleteFrom('sessions').execute(),

    removeExpired: (now: number) =>
      database.deleteFrom('sessions').where('expire_time', '<=', now).executeTakeFirstOrThrow(),

    touch: (token_hash: string, now: number) =>
      database.updateTable('sessions').set({ last_seen_time: now }).where('token_hash', '=', token_hash).execute(),

    /** Notes the sign-in; false when the person is not active or the proof does not hold any more. */
    touchSignedIn: async (user_id: number, proof: Proof, now: number) => {
      const { numUpdatedRows } = await database
        .updateTable('users')
        .set({ last_active_time: now })
        .where('id', '=', user_id)
        .where('is_active', '=', true)
        .where(({ or, eb }) =>
          proof.kind === 'password'
            ? eb('password_hash', '=', proof.password_hash)
            : or([eb('signed_out_time', 'is', null), eb('signed_out_time', '<', proof.time)]),
        )
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },

    touchUser: (user_id: number, now: number) =>
      database.updateTable('users').set({ last_active_time: now }).where('id', '=', user_id).execute(),
  }
}
