import { type Insertable, sql, type Updateable } from 'kysely'
import { DEFAULT_PLAN } from '#contract/plans.ts'
import { type Engine, forUpdate } from '#server/foundation/database/schema/definition.ts'
import { prepared } from '#server/foundation/database/schema/prepared.ts'
import type { Database, Tables } from '#server/foundation/database/open.ts'
import { membersChanged } from './members.ts'
import type { StoredPlans } from './planTree.ts'

/** Subquery: counts the changes of all plans, so that whoever has them in memory knows whether those are the latest. */
export const plansVersion = (database: Database) =>
  database.selectFrom('plans').where('plans.id', '=', DEFAULT_PLAN).select('plans.version')

/** Subquery: the plan of the person of a row of `user_source_settings`; none: the default one. */
export const planIdOf = (database: Database) =>
  database
    .selectFrom('user_policy_values')
    .where(sql<boolean>`user_policy_values.user_id = user_source_settings.user_id`)
    .select('user_policy_values.plan_id')

/** Subquery: everybody who has a plan other than the default one, or values of their own in the list. */
export const policyValues = (database: Database) => database.selectFrom('user_policy_values')

const ofPerson = prepared((database, { user_id }: { user_id: number }) =>
  policyValues(database).selectAll().where('user_id', '=', user_id),
)

/** Everything that is stored of plans. */
export async function readPlans(database: Database): Promise<StoredPlans> {
  const rows = await database.selectFrom('plans').selectAll().orderBy('id').execute()
  return { version: rows.find(({ id }) => id === DEFAULT_PLAN)?.version ?? 0, rows }
}

type PolicyValues = Updateable<Tables['user_policy_values']>

/** Plans, and who is in them. Queries and nothing else. */
export function planStore(database: Database) {
  return {
    /** One change of plans at a time; everybody learns of it by the version. First in its transaction. */
    beginChange: (now: number) =>
      database
        .updateTable('plans')
        .set(({ eb }) => ({ version: eb('version', '+', 1), update_time: now }))
        .where('id', '=', DEFAULT_PLAN)
        .execute(),

    find: (id: number) => database.selectFrom('plans').selectAll().where('id', '=', id).executeTakeFirst(),
    /** Until the end of the transaction nobody removes it. */
    lock: (id: number, engine: Engine) =>
      database.selectFrom('plans').selectAll().where('id', '=', id).$call(forUpdate(engine)).executeTakeFirst(),

    async insert(row: Insertable<Tables['plans']>): Promise<number> {
      return (await database.insertInto('plans').values(row).returning('id').executeTakeFirstOrThrow()).id
    },
    change: (id: number, values: Updateable<Tables['plans']>) =>
      database.updateTable('plans').set(values).where('id', '=', id).execute(),
    remove: (id: number) => database.deleteFrom('plans').where('id', '=', id).execute(),
    /** The plans directly below one. */
    moveBelow: (from: number, to: number) =>
      database.updateTable('plans').set({ parent_id: to }).where('parent_id', '=', from).execute(),

    /** How many people are in each plan but the default one. */
    counts: () =>
      database
        .selectFrom('user_policy_values')
        .where('plan_id', 'is not', null)
        .groupBy('plan_id')
        .select(({ fn }) => ['plan_id', fn.countAll<number>().as('people')])
        .execute(),

    /** Of everybody who has a row, or of these. */
    listOf: (user_ids: readonly number[] | null = null) =>
      database
        .selectFrom('user_policy_values')
        .selectAll()
        .$if(user_ids !== null, query => query.where('user_id', 'in', user_ids ?? []))
        .execute(),
    of: (user_id: number) => ofPerson.first(database, { user_id }),
    ofForUpdate: (user_id: number, engine: Engine) =>
      database
        .selectFrom('user_policy_values')
        .selectAll()
        .where('user_id', '=', user_id)
        .$call(forUpdate(engine))
        .executeTakeFirst(),
    async setOf(user_id: number, values: PolicyValues): Promise<void> {
      await database
        .insertInto('user_policy_values')
        .values({ ...values, user_id })
        .onConflict(conflict => conflict.column('user_id').doUpdateSet(values))
        .execute()
      await membersChanged(database)
    },
    movePeople: (from: number, to: number) =>
      database
        .updateTable('user_policy_values')
        .set({ plan_id: to === DEFAULT_PLAN ? null : to })
        .where('plan_id', '=', from)
        .execute(),
  }
}
