import type { LoggedOutcome } from '#contract/askLog.ts'
import type { Source } from '#contract/models.ts'
import { type SelectQueryBuilder, sql } from 'kysely'
import { nicknames } from '#server/users/store.ts'
import { loggedAsks } from '#server/asks/logStore.ts'
import { conversationTitles } from '#server/conversations/store.ts'
import type { Database, Tables } from '#server/foundation/database/open.ts'
import { upstreamLabels } from '#server/upstreams/store.ts'
import type { Counted } from './countedUsers.ts'
import type { Range } from './range.ts'

/** Which asks of the log; null where the filter does not say. */
export type AskFilter = Range & {
  person: number | null
  source: Source | null
  model: string | null
  outcome: LoggedOutcome | null
  /** Words in the title, or the beginning of the conversation's id. */
  words: string | null
}

type AskOrder = { sort: 'time' | 'queueing_time' | 'ask_time' | 'tokens'; order: 'asc' | 'desc' }

/** The last row of a page of the export. */
type AskCursor = { time: number; id: number }

type Logged = SelectQueryBuilder<Tables, 'ask_logs', object>

/** Queries and nothing else. */
export function askLogReader(database: Database) {
  const inRange = ({ from, to }: Range): Logged =>
    loggedAsks(database).where('ask_logs.log_time', '>=', from).where('ask_logs.log_time', '<', to)

  function filtered({ person, source, model, outcome, words, ...range }: AskFilter): Logged {
    return inRange(range)
      .$if(person !== null, query => query.where('ask_logs.user_id', '=', person))
      .$if(source !== null, query => query.where('ask_logs.source', '=', source ?? ''))
      .$if(model !== null, query => query.where('ask_logs.model', '=', model ?? ''))
      .$if(outcome !== null, query => query.where('ask_logs.outcome', '=', outcome ?? ''))
      .$if(words !== null, query =>
        query.where('ask_logs.conversation_id', 'in', conversationsWith(database, words ?? '')),
      )
  }

  const withNames = (asks: Logged) =>
    asks
      .leftJoin(nicknames(database).as('people'), 'people.id', 'ask_logs.user_id')
      .leftJoin(conversationTitles(database).as('titled'), 'titled.conversation_id', 'ask_logs.conversation_id')
      .leftJoin(upstreamLabels(database).as('labels'), 'labels.id', 'ask_logs.upstream_id')
      .selectAll('ask_logs')
      .select(['people.nickname', 'titled.title', 'labels.label'])

  return {
    page: (filter: AskFilter, { sort, order }: AskOrder, { limit, offset }: { limit: number; offset: number }) =>
      withNames(filtered(filter))
        .$call(query => {
          if (sort === 'time') return query.orderBy('ask_logs.log_time', order)
          return query.orderBy(sort === 'tokens' ? tokens : `ask_logs.${sort}`, order)
        })
        .orderBy('ask_logs.id', order)
        .limit(limit)
        .offset(offset)
        .execute(),

    count: (filter: AskFilter) =>
      filtered(filter)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
        .then(row => row.count),

    /** The next page of the asks that match, oldest first. */
    after: (filter: AskFilter, { time, id }: AskCursor, limit: number) =>
      withNames(filtered(filter))
        .where(({ eb, or, and }) =>
          or([
            eb('ask_logs.log_time', '>', time),
            and([eb('ask_logs.log_time', '=', time), eb('ask_logs.id', '>', id)]),
          ]),
        )
        // Implied by the condition above, but in a form that uses the index.
        .where('ask_logs.log_time', '>=', time)
        .orderBy('ask_logs.log_time')
        .orderBy('ask_logs.id')
        .limit(limit)
        .execute(),

    /** One row for each outcome. */
    totals: (filter: AskFilter) =>
      filtered(filter)
        .select(({ fn }) => [
          'ask_logs.outcome',
          fn.countAll<number>().as('asks'),
          fn.sum<number>('ask_logs.queueing_time').as('queueing_time'),
          sql<number>`sum(case when answered then ask_time else 0 end)`.as('ask_time'),
          sql<number>`sum(case when answered then 1 else 0 end)`.as('answered_asks'),
          sql<number>`coalesce(sum(prompt_tokens), 0)`.as('prompt'),
          sql<number>`coalesce(sum(completion_tokens), 0)`.as('completion'),
          sql<number>`sum(case when tokens_estimated then 1 else 0 end)`.as('estimated'),
        ])
        .groupBy('ask_logs.outcome')
        .execute(),

    models: (range: Range) =>
      inRange(range)
        .select(({ fn }) => ['ask_logs.source', 'ask_logs.model', fn.countAll<number>().as('asks')])
        .groupBy(['ask_logs.source', 'ask_logs.model'])
        .orderBy('asks', 'desc')
        .orderBy('ask_logs.source')
        .orderBy('ask_logs.model')
        .execute(),

    /** Subquery: how many of the asks that match each person has. */
    countsByUser: (filter: AskFilter): Counted =>
      filtered(filter)
        .select(({ fn }) => ['ask_logs.user_id', fn.countAll<number>().as('count')])
        .groupBy('ask_logs.user_id') as unknown as Counted, // without the table it comes from

    /** Answered asks as old clients know them, newest first. */
    answered: (range: Range, limit: number) =>
      inRange(range)
        .where(({ ref }) => ref('ask_logs.answered'))
        .selectAll('ask_logs')
        .orderBy('ask_logs.log_time', 'desc')
        .orderBy('ask_logs.id', 'desc')
        .limit(limit)
        .execute(),
  }
}

const tokens = sql<number>`coalesce(ask_logs.prompt_tokens, 0) + coalesce(ask_logs.completion_tokens, 0)`

/** Subquery: the ids of conversations whose title contains the words, or which begin with them. */
function conversationsWith(database: Database, words: string) {
  const literally = words.toLowerCase().replaceAll(/[\\%_]/g, character => `\\${character}`)
  return conversationTitles(database)
    .where(
      sql<boolean>`(lower(title) like ${`%${literally}%`} escape '\\' or conversation_id like ${`${literally}%`} escape '\\')`,
    )
    .clearSelect()
    .select('conversation_id')
}
