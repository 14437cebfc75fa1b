import { type SelectQueryBuilder, sql } from 'kysely'
import { nicknames } from '#server/users/store.ts'
import type { Database, Tables } from '#server/foundation/database/open.ts'

/** Subquery: people, and how much of something each did. */
export type Counted = SelectQueryBuilder<Tables, never, { user_id: number | null; count: number }>

type CountedUsers = {
  people: { user_id: number | null; count: number; nickname: string | null }[]
  total: number
  sum: number
}

/** The people with the highest counts, with their names; the number of people, and the sum of their counts. */
export async function countedUsers(database: Database, counted: Counted, most: number): Promise<CountedUsers> {
  const rows = await database
    .selectFrom(
      database
        .selectFrom(counted.as('counted'))
        .select([
          'user_id',
          'count',
          sql<number>`count(*) over ()`.as('total'),
          sql<number>`sum(count) over ()`.as('sum'),
        ])
        .orderBy('count', 'desc')
        .orderBy('user_id')
        .limit(most)
        .as('people'),
    )
    .leftJoin(nicknames(database).as('named'), 'named.id', 'people.user_id')
    .select(['people.user_id', 'people.count', 'people.total', 'people.sum', 'named.nickname'])
    .orderBy('people.count', 'desc')
    .orderBy('people.user_id')
    .execute()
  const [first = { total: 0, sum: 0 }] = rows
  return {
    people: rows.map(({ user_id, count, nickname }) => ({ user_id, count, nickname })),
    total: first.total,
    sum: first.sum,
  }
}
