import { rowsAsked } from '#contract/paging.ts'
import type { UserFilter, UserListQuery, UserPage, UserRow } from '#contract/users.ts'
import { people } from '#server/accounts/store.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { Database, OpenDatabase } from '#server/foundation/database/open.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { inOrder, peopleFound } from './listQuery.ts'
import { readPeople } from './readPeople.ts'

type Dependencies = { open: OpenDatabase; clock: Clock }

/** Milliseconds since the last activity for which a person counts as online. Activity is stored once a minute. */
const ONLINE = 300_000

/** The list of people for administrators: searched, filtered, sorted and paged, off the main thread. */
export function userList({ open, clock }: Dependencies) {
  const database = open.heavy()

  async function rowsOf(ids: readonly number[]): Promise<UserRow[]> {
    return readPeople(database, ids, clock.now())
  }

  return {
    async page({ page, size, sort, order, model, ...filter }: UserListQuery): Promise<UserPage> {
      const now = clock.now()
      const { limit, offset } = rowsAsked({ page, size })
      const found = peopleFound(database, open.engine, filter, now)
      const [ids, total, counts] = await Promise.all([
        inOrder(found, database, { sort, order, source: filter.source, model }, now)
          .select('users.id')
          .limit(limit)
          .offset(offset)
          .execute(),
        countOf(found),
        countPeople(database, now),
      ])
      return { rows: await rowsOf(ids.map(({ id }) => id)), total, counts }
    },

    async one(id: number): Promise<UserRow> {
      const [row] = await rowsOf([id])
      if (row === undefined) throw new Refusal('userNotExist')
      return row
    },

    /** The ids of all people who match, in order. */
    async idsOf(filter: UserFilter): Promise<number[]> {
      const found = peopleFound(database, open.engine, filter, clock.now())
      return (await found.select('users.id').orderBy('users.id').execute()).map(({ id }) => id)
    },
  }
}
export type UserList = ReturnType<typeof userList>

const countOf = async (found: ReturnType<typeof peopleFound>): Promise<number> =>
  (await found.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow()).count

async function countPeople(database: Database, now: number): Promise<UserPage['counts']> {
  const { all, online } = await people(database)
    .select(({ fn, eb }) => [
      fn.countAll<number>().as('all'),
      fn
        .countAll<number>()
        .filterWhere(eb('last_active_time', '>', now - ONLINE))
        .as('online'),
    ])
    .executeTakeFirstOrThrow()
  return { all, online }
}
