import type { Source } from '#contract/models.ts'
import type { Database } from '#server/foundation/database/open.ts'
import { prepared } from '#server/foundation/database/prepared.ts'
import { chargeableAsks, livingAsks } from '#server/asks/store.ts'
import { validConversations } from '#server/conversations/store.ts'
import { modelCounts, withBoundedConversations, withRateLimits } from '#server/quotas/store.ts'

type Asker = { user_id: number; source: Source }

type Since = Asker & { since: number }

/** The asks that were charged or still may be; none where no rate is limited. */
const asksOf = (database: Database, asked: Since) =>
  chargeableAsks(database, asked).where(({ exists }) => exists(withRateLimits(database, asked).select('rate_limits')))

const asksSince = prepared((database, asked: Since) =>
  asksOf(database, asked).select('create_time').orderBy('create_time'),
)

/** Rows with a model: what is left for it. Rows without: when an ask was made. One statement, since every admission needs both. */
const countsAndAsks = prepared((database, asked: Since) =>
  modelCounts(database, asked)
    .select(['model', 'ask_count as value'])
    .$castTo<{ model: string | null; value: number }>()
    .unionAll(asksOf(database, asked).select(({ lit }) => [lit(null).as('model'), 'create_time as value'])),
)

/**
 * Subqueries: how many asks of the person run or wait, and how many valid conversations they have. Conversations are counted only for people
 * who have a limit of them. Each is counted from an index of its own.
 */
export const currentCountsOf = (database: Database, asker: Asker) =>
  [
    livingAsks(database)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('user_id', '=', asker.user_id)
      .as('running'),
    validConversations(database)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('user_id', '=', asker.user_id)
      .where('source', '=', asker.source)
      .where(({ exists }) => exists(withBoundedConversations(database, asker).select('max_conv_count')))
      .as('valid_conversations'),
  ] as const

/** `running`: asks that run or wait. */
export type CurrentCounts = { running: number; valid_conversations: number }

const currentCounts = prepared((database, asker: Asker) =>
  database.selectNoFrom(() => [...currentCountsOf(database, asker)]).$narrowType<CurrentCounts>(),
)

export function limitStore(database: Database) {
  return {
    /** What is left for each model, and the times as of `asksSince`. */
    countsAndAsks: async (user_id: number, source: Source, since: number) => {
      const rows = await countsAndAsks.rows(database, { user_id, source, since })
      const model_ask_counts = new Map<string, number>()
      const asks: number[] = []
      for (const { model, value } of rows) {
        if (model === null) asks.push(value)
        else model_ask_counts.set(model, value)
      }
      return { model_ask_counts, asks: asks.sort((a, b) => a - b) }
    },
    currentCounts: (user_id: number, source: Source) => currentCounts.one(database, { user_id, source }),
    /** When the asks were made that were charged or still may be, oldest first; none where no rate is limited. */
    asksSince: (user_id: number, source: Source, since: number) =>
      asksSince.rows(database, { user_id, source, since }).then(rows => rows.map(row => row.create_time)),
  }
}
