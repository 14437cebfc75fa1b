import type { ExpressionBuilder } from 'kysely'
import type { Source } from '#contract/models.ts'
import type { Database, Tables } from '#server/foundation/database/open.ts'
import { prepared } from '#server/foundation/database/prepared.ts'

/** How many recent answers an estimate is made from. */
const RECENT = 20
const MOST_COUNTED = 10_000

type LogRow = {
  log_time: number
  source: string
  model: string
  user_id: number
  conversation_id: string
  queueing_time: number
  ask_time: number
  upstream_id: number
}

/** gpt_4 and gpt_4_…; LIKE would mean different things on the two databases. */
const isGpt4 = (eb: ExpressionBuilder<Tables, 'ask_logs'>) =>
  eb.or([eb('model', '=', 'gpt_4'), eb.and([eb('model', '>', 'gpt_4_'), eb('model', '<', 'gpt_4`')])])

const write = prepared((database, row: LogRow) => database.insertInto('ask_logs').values(row))

/** Which asks brought an answer, when and how fast. Queries and nothing else. */
export function askLogStore(database: Database) {
  return {
    write: (row: LogRow) => write.run(database, row),

    /** How long the latest answers of an upstream took, in milliseconds. */
    recentTimes: (upstream_id: number) =>
      database
        .selectFrom('ask_logs')
        .select('ask_time')
        .where('upstream_id', '=', upstream_id)
        .orderBy('log_time', 'desc')
        .limit(RECENT)
        .execute()
        .then(rows => rows.map(row => row.ask_time * 1000)),

    /** When an upstream answered since then, oldest first; of openai_web asks of the GPT-4 models, which the account counts. */
    answeredSince: ({ id, source }: { id: number; source: Source }, since: number) =>
      database
        .selectFrom('ask_logs')
        .select('log_time')
        .where('upstream_id', '=', id)
        .where('log_time', '>', since)
        .$if(source === 'openai_web', query => query.where(isGpt4))
        .orderBy('log_time')
        .limit(MOST_COUNTED)
        .execute()
        .then(rows => rows.map(row => row.log_time)),

    countGpt4Since: (since: number) =>
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
