import type { ExpressionBuilder } from 'kysely'
import type { Source } from '#contract/models.ts'
import type { Database, Tables } from '#server/foundation/database/open.ts'

/** How many recent answers an estimate is made from. */
const RECENT = 20
const MOST_COUNTED = 10_000

/** gpt_4 and gpt_4_…; LIKE would mean different things on the two databases. */
const isGpt4 = (eb: ExpressionBuilder<Tables, 'ask_logs'>) =>
  eb.or([eb('model', '=', 'gpt_4'), eb.and([eb('model', '>', 'gpt_4_'), eb('model', '<', 'gpt_4`')])])

export function statusStore(database: Database) {
  return {
    /** How many people were active since then. Superusers run the portal and are not counted. */
    activeSince: (since: number) =>
      database
        .selectFrom('users')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('is_superuser', '=', false)
        .where('last_active_time', '>', since)
        .executeTakeFirstOrThrow()
        .then(row => row.count),

    asksByLane: () =>
      database
        .selectFrom('asks')
        .select(({ fn }) => ['lane', 'ask_state', fn.countAll<number>().as('count')])
        .where('end_time', 'is', null)
        .groupBy(['lane', 'ask_state'])
        .execute(),

    /** Who is being answered and who waits at the shared account of a source. */
    line: (source: Source) =>
      database
        .selectFrom('asks')
        .innerJoin('users', 'users.id', 'asks.user_id')
        .select(['asks.ask_id', 'asks.user_id', 'asks.ask_state', 'asks.round', 'asks.ticket', 'users.nickname'])
        .where('asks.lane', '=', source)
        .where('asks.end_time', 'is', null)
        .orderBy('asks.ticket')
        .execute(),

    /** How long the latest answers took, in milliseconds. */
    recentTimes: (source: Source) =>
      database
        .selectFrom('ask_logs')
        .select('ask_time')
        .where('source', '=', source)
        .orderBy('log_time', 'desc')
        .limit(RECENT)
        .execute()
        .then(rows => rows.map(row => row.ask_time * 1000)),

    /** When asks were answered since then, oldest first; of openai_web those of the GPT-4 models, which the account counts. */
    askedSince: (source: Source, since: number) =>
      database
        .selectFrom('ask_logs')
        .select('log_time')
        .where('log_time', '>', since)
        .where('source', '=', source)
        .$if(source === 'openai_web', query => query.where(isGpt4))
        .orderBy('log_time')
        .limit(MOST_COUNTED)
        .execute()
        .then(rows => rows.map(row => row.log_time)),

    gpt4Since: (since: number) =>
      database
        .selectFrom('ask_logs')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('log_time', '>', since)
        .where('source', '=', 'openai_web')
        .where(isGpt4)
        .executeTakeFirstOrThrow()
        .then(row => row.count),
  }
}
