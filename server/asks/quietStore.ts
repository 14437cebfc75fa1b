import type { AskAttachment, RequestParameters } from '#contract/asking.ts'
import { CHARGED_QUIET } from '#contract/quietAsks.ts'
import type { Database } from '#server/foundation/database/open.ts'
import type { AskExtras } from '#server/providers/provider.ts'
import type { AskedConversation } from './ask.ts'
import { type AskRow, activeAsks, livingAsks } from './store.ts'

/** What an ask that waits until it is quiet is begun with, besides its question, in whichever process. */
export type QuietRequest = {
  caller: { kind: 'session' | 'key'; id: string }
  attachments: readonly AskAttachment[]
  parameters: RequestParameters
  conversation: AskedConversation
  extras: AskExtras
  allowedUpstreams: readonly number[] | null
  /** False: an answer is continued, or a question answered again. */
  has_question: boolean
}

/** What is written when it begins, or takes its turn among those of now. */
export type StartedAsk = Pick<
  AskRow,
  | 'ask_state'
  | 'upstream_id'
  | 'round'
  | 'ticket'
  | 'borrows'
  | 'lent'
  | 'holder'
  | 'lease_until'
  | 'reserved'
  | 'create_time'
  | 'start_time'
  | 'charged'
>

/** More than these are looked at another time. */
const AT_ONCE = 500

const quietAsks = (database: Database) => livingAsks(database).where('ask_state', '=', 'quiet')

/** Asks that wait until it is quiet. Queries and nothing else. Takes a transaction as well as the database. */
export function quietStore(database: Database) {
  return {
    /** In the order in which they are begun. */
    waiting: () =>
      quietAsks(database)
        .select(['ask_id', 'source', 'model', 'upstream_id', 'quiet_until', 'stop_requested'])
        .orderBy('round')
        .orderBy('create_time')
        .orderBy('ask_id')
        .limit(AT_ONCE)
        .execute(),

    /** One that nobody has stopped. */
    find: (ask_id: string) =>
      quietAsks(database)
        .selectAll()
        .where('ask_id', '=', ask_id)
        .where('stop_requested', '=', false)
        .executeTakeFirst(),

    countOf: (user_id: number) =>
      quietAsks(database)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('user_id', '=', user_id)
        .executeTakeFirstOrThrow()
        .then(row => row.count),

    /** The rounds of those that wait: the first of all, and the latest of a person. */
    rounds: (user_id: number) =>
      quietAsks(database)
        .select(({ fn, eb }) => [
          fn.min('round').as('first'),
          fn.max(eb.case().when('user_id', '=', user_id).then(eb.ref('round')).end()).as('latest_own'),
        ])
        .executeTakeFirstOrThrow(),

    /** Where one of those is being answered. */
    answeringUpstreams: async (): Promise<ReadonlySet<number>> => {
      const rows = await activeAsks(database).select('upstream_id').where('charged', '=', CHARGED_QUIET).execute()
      return new Set(rows.map(({ upstream_id }) => upstream_id))
    },

    /** False where it waits no more. */
    begin: async (ask_id: string, started: StartedAsk): Promise<boolean> => {
      const { numUpdatedRows } = await database
        .updateTable('asks')
        .set({ ...started, quiet_request: null })
        .where('ask_id', '=', ask_id)
        .where('ask_state', '=', 'quiet')
        .where('stop_requested', '=', false)
        .where('end_time', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    /** From now on nobody begins it; false where it was begun, or is over. */
    stop: async (ask_id: string): Promise<boolean> => {
      const { numUpdatedRows } = await database
        .updateTable('asks')
        .set({ stop_requested: true })
        .where('ask_id', '=', ask_id)
        .where('ask_state', '=', 'quiet')
        .where('end_time', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
  }
}
export type QuietStore = ReturnType<typeof quietStore>
export type WaitingAsk = Awaited<ReturnType<QuietStore['waiting']>>[number]
