import type { Insertable } from 'kysely'
import type { Database, Tables } from '#server/foundation/database/open.ts'
import type { RowOf } from '#server/foundation/database/schema/definition.ts'
import type { tables } from '#server/foundation/database/schema/schema.ts'

export type InvitationRow = RowOf<typeof tables.invitations>

/** Rows of the list. */
const MAX_LISTED = 1_000

/** Queries and nothing else. Takes a transaction as well as the database. */
export function invitationStore(database: Database) {
  /** Those by which somebody may still come. */
  const open = (now: number) =>
    database
      .selectFrom('invitations')
      .where('revoke_time', 'is', null)
      .whereRef('used', '<', 'uses')
      .where(({ eb }) => eb.or([eb('end_time', 'is', null), eb('end_time', '>', now)]))

  return {
    list: () => database.selectFrom('invitations').selectAll().orderBy('id', 'desc').limit(MAX_LISTED).execute(),
    find: (id: number) => database.selectFrom('invitations').selectAll().where('id', '=', id).executeTakeFirst(),
    /** One that was revoked is not found. */
    findByToken: (token_hash: string) =>
      database
        .selectFrom('invitations')
        .selectAll()
        .where('token_hash', '=', token_hash)
        .where('revoke_time', 'is', null)
        .executeTakeFirst(),
    countOpen: async (now: number): Promise<number> =>
      (
        await open(now)
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow()
      ).count,
    /** The open ones that lead into a plan. */
    countOpenInto: async (plan_id: number, now: number): Promise<number> =>
      (
        await open(now)
          .where('plan_id', '=', plan_id)
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow()
      ).count,
    /** Those that led into a plan lead into another one. */
    leadInto: (from: number, to: number) =>
      database.updateTable('invitations').set({ plan_id: to }).where('plan_id', '=', from).execute(),
    insert: async (row: Insertable<Tables['invitations']>): Promise<number> =>
      (await database.insertInto('invitations').values(row).returning('id').executeTakeFirstOrThrow()).id,
    revoke: (id: number, now: number) =>
      database
        .updateTable('invitations')
        .set({ revoke_time: now })
        .where('id', '=', id)
        .where('revoke_time', 'is', null)
        .returning('id')
        .executeTakeFirst(),
    /** Counts one more use, where there still is one: of many at the last one, one gets the row. */
    use: (token_hash: string, now: number) =>
      database
        .updateTable('invitations')
        .set(({ eb }) => ({ used: eb('used', '+', 1) }))
        .where('token_hash', '=', token_hash)
        .where('revoke_time', 'is', null)
        .whereRef('used', '<', 'uses')
        .where(({ eb }) => eb.or([eb('end_time', 'is', null), eb('end_time', '>', now)]))
        .returning(['id', 'plan_id'])
        .executeTakeFirst(),
  }
}
