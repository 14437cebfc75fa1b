import type { Configuration } from '#contract/configuration.ts'
import { rowsAsked } from '#contract/paging.ts'
import type { UserFilter, UserListQuery, UserPage, UserRow } from '#contract/userAdministration.ts'
import { countPeople } from '#server/users/store.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { inOrder, peopleFound } from './listQuery.ts'
import { readPeople } from './readPeople.ts'

type Dependencies = { open: OpenDatabase; clock: Clock; configuration(): Configuration }

/** The list of people for administrators: searched, filtered, sorted and paged, off the main thread. */
export function userList({ open, clock, configuration }: Dependencies) {
  const database = open.heavy()
  const asked = () => ({ database, configuration: configuration(), now: clock.now() })

  async function rowsOf(ids: readonly number[]): Promise<UserRow[]> {
    return readPeople(asked(), ids)
  }

  return {
    async page({ page, size, sort, order, model, ...filter }: UserListQuery): Promise<UserPage> {
      const at = asked()
      const { limit, offset } = rowsAsked({ page, size })
      const found = peopleFound(at, open.engine, filter)
      const [ids, total, { all, in_5m }] = await Promise.all([
        inOrder(found, at, { sort, order, source: filter.source, model })
          .select('users.id')
          .limit(limit)
          .offset(offset)
          .execute(),
        countOf(found),
        countPeople(database, at.now),
      ])
      return { rows: await rowsOf(ids.map(({ id }) => id)), total, counts: { all, online: in_5m } }
    },

    async one(id: number): Promise<UserRow> {
      const [row] = await rowsOf([id])
      if (row === undefined) throw new Refusal('userNotExist')
      return row
    },

    /** The ids of all people who match, in order. */
    async idsOf(filter: UserFilter): Promise<number[]> {
      const found = peopleFound(asked(), open.engine, filter)
      return (await found.select('users.id').orderBy('users.id').execute()).map(({ id }) => id)
    },
  }
}
export type UserList = ReturnType<typeof userList>

const countOf = async (found: ReturnType<typeof peopleFound>): Promise<number> =>
  (await found.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow()).count
