import { sql } from 'kysely'
import type { Source } from '#contract/models.ts'
import type { Database } from '#server/foundation/database/open.ts'
import { prepared } from '#server/foundation/database/prepared.ts'

type Counted = { user_id: number; source: Source; model: string }
type Asker = { user_id: number; source: Source }

type Since = Asker & { since: number }

/** The asks that were charged or still may be; none where no rate is limited. */
const asksOf = (database: Database, { user_id, source, since }: Since) =>
  database
    .selectFrom('asks')
    .where('user_id', '=', user_id)
    .where('create_time', '>', since)
    .where('source', '=', source)
    .where(({ or, eb }) => or([eb('end_time', 'is', null), eb('first_token_time', 'is not', null)]))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('user_source_settings')
          .select('rate_limits')
          .where('user_id', '=', user_id)
          .where('source', '=', source)
          .where(sql<boolean>`rate_limits <> '[]'`),
      ),
    )

const asksSince = prepared((database, asked: Since) =>
  asksOf(database, asked).select('create_time').orderBy('create_time'),
)

/** What is left for each model, and, without a model, when those asks began: one statement for both, since every ask needs both. */
const countsAndAsks = prepared((database, asked: Since) =>
  database
    .selectFrom('user_model_ask_counts')
    .select(['model', 'ask_count as value'])
    .where('user_id', '=', asked.user_id)
    .where('source', '=', asked.source)
    .$castTo<{ model: string | null; value: number }>()
    .unionAll(asksOf(database, asked).select(({ lit }) => [lit(null).as('model'), 'create_time as value'])),
)

/** How many wait in a lane. */
export const waitingIn = (database: Database, lane: string) =>
  database
    .selectFrom('asks')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('lane', '=', lane)
    .where('ask_state', '=', 'queueing')
    .where('end_time', 'is', null)

/**
 * Where somebody stands who asks: how many of their own asks run, and how many valid conversations they have; none where that number has no
 * bound, since then nobody looks. Each is counted from an index of its own.
 */
export const standingOf = (database: Database, { user_id, source }: Asker) =>
  [
    database
      .selectFrom('asks')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('user_id', '=', user_id)
      .where('end_time', 'is', null)
      .as('own_running'),
    database
      .selectFrom('conversations')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('user_id', '=', user_id)
      .where('source', '=', source)
      .where('is_valid', '=', true)
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('user_source_settings')
            .select('max_conv_count')
            .where('user_id', '=', user_id)
            .where('source', '=', source)
            .where('max_conv_count', '>=', 0),
        ),
      )
      .as('valid_conversations'),
  ] as const
export type Standing = { own_running: number; valid_conversations: number }

const standing = prepared((database, { lane, ...asker }: Asker & { lane: string }) =>
  database
    .selectNoFrom(() => [waitingIn(database, lane).as('waiting'), ...standingOf(database, asker)])
    .$narrowType<Standing & { waiting: number }>(),
)

const takeTotal = prepared((database, { user_id, source }: Asker) =>
  database
    .updateTable('user_source_settings')
    .set(eb => ({ total_ask_count: eb('total_ask_count', '-', 1) }))
    .where('user_id', '=', user_id)
    .where('source', '=', source)
    .where('total_ask_count', '>', 0),
)

const takeOfModel = prepared((database, { user_id, source, model }: Counted) =>
  database
    .updateTable('user_model_ask_counts')
    .set(eb => ({ ask_count: eb('ask_count', '-', 1) }))
    .where('user_id', '=', user_id)
    .where('source', '=', source)
    .where('model', '=', model)
    .where('ask_count', '>', 0),
)

export function limitStore(database: Database) {
  const usedSince = (user_id: number, source: Source, of: 'of_total' | 'of_model', model: string | null) => {
    const rows = database
      .selectFrom('ask_ledger')
      .where('user_id', '=', user_id)
      .where('source', '=', source)
      .where(({ ref }) => ref(of)) // as the index says it
      .$if(model !== null, query => query.where('model', '=', model))
    const lastSet = rows.where('reason', '=', 'set').select(({ fn }) => fn.max('id').as('id'))
    return rows
      .select(({ fn }) => fn.sum<number | null>('change').as('change'))
      .where(({ eb, fn }) => eb('id', '>', fn.coalesce(lastSet, eb.lit(0))))
      .executeTakeFirstOrThrow()
      .then(row => -(row.change ?? 0))
  }
  return {
    /** What is left for each model, and the beginnings as of `asksSince`. */
    countsAndAsks: async (user_id: number, source: Source, since: number) => {
      const rows = await countsAndAsks.rows(database, { user_id, source, since })
      const counts = new Map<string, number>()
      const asks: number[] = []
      for (const { model, value } of rows) {
        if (model === null) asks.push(value)
        else counts.set(model, value)
      }
      return { counts, asks: asks.sort((a, b) => a - b) }
    },
    standing: (user_id: number, source: Source, lane: string) => standing.one(database, { user_id, source, lane }),
    /** Beginnings of the asks that were charged or still may be, oldest first; none where no rate is limited. */
    asksSince: (user_id: number, source: Source, since: number) =>
      asksSince.rows(database, { user_id, source, since }).then(rows => rows.map(row => row.create_time)),

    /** Asks taken from a count, less those given back, since it was last set. */
    usedOfTotal: (user_id: number, source: Source) => usedSince(user_id, source, 'of_total', null),
    usedOfModel: (user_id: number, source: Source, model: string) => usedSince(user_id, source, 'of_model', model),

    /** Takes one from a bounded count; false when there was none to take. Unlimited counts are not touched and give true. */
    takeTotal: ({ user_id, source }: Counted) => takeTotal.changes(database, { user_id, source }),
    takeOfModel: ({ user_id, source, model }: Counted) => takeOfModel.changes(database, { user_id, source, model }),

    /** Gives one back, unless an administrator has made the count unlimited meanwhile. */
    giveBackTotal: ({ user_id, source }: Counted) =>
      database
        .updateTable('user_source_settings')
        .set(eb => ({ total_ask_count: eb('total_ask_count', '+', 1) }))
        .where('user_id', '=', user_id)
        .where('source', '=', source)
        .where('total_ask_count', '>=', 0)
        .executeTakeFirst()
        .then(changed),

    giveBackOfModel: ({ user_id, source, model }: Counted) =>
      database
        .updateTable('user_model_ask_counts')
        .set(eb => ({ ask_count: eb('ask_count', '+', 1) }))
        .where('user_id', '=', user_id)
        .where('source', '=', source)
        .where('model', '=', model)
        .where('ask_count', '>=', 0)
        .executeTakeFirst()
        .then(changed),
  }
}

const changed = (result: { numUpdatedRows: bigint }): boolean => result.numUpdatedRows > 0n
