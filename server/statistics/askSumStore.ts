import { sql } from 'kysely'
import { loggedAsks } from '#server/asks/logStore.ts'
import type { Database } from '#server/foundation/database/open.ts'
import { HALF_HOUR, type Range } from './range.ts'

/** Subquery: the sums of half hours, as rows that single asks can stand beside. */
export const summedAsks = (database: Database, { from, to }: Range) =>
  database
    .selectFrom('ask_sums')
    .where('start_time', '>=', from)
    .where('start_time', '<', to)
    .select([
      'start_time as time',
      'source',
      'model',
      'outcome',
      'asks',
      'queueing_time',
      'longest_queueing_time',
      'ask_time',
    ])

/** The sums of asks by half hour. Queries and nothing else. */
export function askSumStore(database: Database) {
  return {
    /** The beginning of the first half hour that is not summed up; 0 before any is. Sums of a time to come are a wrong clock's. */
    summedUntil: async (now: number): Promise<number> => {
      const { latest } = await database
        .selectFrom('ask_sums')
        .select(({ fn }) => fn.max<number | null>('start_time').as('latest'))
        .where('start_time', '<', now)
        .executeTakeFirstOrThrow()
      return latest === null ? 0 : latest + HALF_HOUR
    },

    earliestLogged: () =>
      loggedAsks(database)
        .select(({ fn }) => fn.min<number | null>('log_time').as('earliest'))
        .executeTakeFirstOrThrow()
        .then(row => row.earliest),

    /** Sums whole half hours up, anew where they are already. */
    async sumUp({ from, to }: Range): Promise<void> {
      await database.deleteFrom('ask_sums').where('start_time', '>=', from).where('start_time', '<', to).execute()
      await database
        .insertInto('ask_sums')
        .columns([
          'start_time',
          'source',
          'model',
          'outcome',
          'asks',
          'queueing_time',
          'longest_queueing_time',
          'ask_time',
        ])
        .expression(
          loggedAsks(database)
            .where('log_time', '>=', from)
            .where('log_time', '<', to)
            .select(({ fn }) => [
              sql<number>`log_time - log_time % cast(${HALF_HOUR} as bigint)`.as('start'),
              'source',
              'model',
              'outcome',
              fn.countAll<number>().as('asks'),
              fn.sum<number>('queueing_time').as('queueing'),
              fn.max('queueing_time').as('longest'),
              fn.sum<number>('ask_time').as('answering'),
            ])
            .groupBy(['start', 'source', 'model', 'outcome']),
        )
        .execute()
    },

    removeBefore: (time: number) =>
      database
        .deleteFrom('ask_sums')
        .where('start_time', '<=', time - HALF_HOUR)
        .execute(),
  }
}
