import { type Expression, type NotNull, sql } from 'kysely'
import type { Outcome } from '#contract/asking.ts'
import type { ChatStatus } from '#contract/limits.ts'
import type { Source } from '#contract/models.ts'
import type { Database } from '#server/foundation/database/open.ts'
import { prepared } from '#server/foundation/database/schema/prepared.ts'
import type { tables } from '#server/foundation/database/schema/schema.ts'
import type { RowOf } from '#server/foundation/database/schema/definition.ts'

export type AskRow = RowOf<typeof tables.asks>

type NewAsk = Omit<
  AskRow,
  'outcome' | 'failure_key' | 'failure_values' | 'stop_requested' | 'first_token_time' | 'end_time'
>
type AskEnd = Pick<AskRow, 'failure_key' | 'failure_values' | 'first_token_time'> & {
  outcome: Outcome
  end_time: number
  /** Null when no answer is stored. */
  last_message_id: string | null
}

/** Subquery: asks that run or wait, also those that wait until it is quiet. */
export const livingAsks = (database: Database) => database.selectFrom('asks').where('end_time', 'is', null)

/** Subquery: asks that run or wait for their turn. */
export const activeAsks = (database: Database) => livingAsks(database).where('ask_state', '!=', 'quiet')

/** Subquery: the conversations in which an ask runs or waits. */
export const answeredConversations = (database: Database) =>
  livingAsks(database)
    .select('conversation_id')
    .$narrowType<{ conversation_id: NotNull }>()
    .where('conversation_id', 'is not', null)

/** Subquery: the conversations that these people have asked in. */
export const askedIn = (database: Database, user_ids: readonly number[]) =>
  database
    .selectFrom('asks')
    .select('conversation_id')
    .$narrowType<{ conversation_id: NotNull }>()
    .where('user_id', 'in', user_ids)
    .where('conversation_id', 'is not', null)

/** Subquery: at most one. */
export const asksWithId = (database: Database, ask_id: string) =>
  database.selectFrom('asks').where('ask_id', '=', ask_id)

/** Subquery: the asks of a user that were charged or still may be. */
export const chargeableAsks = (
  database: Database,
  { user_id, source, since }: { user_id: number; source: Source; since: number },
) =>
  database
    .selectFrom('asks')
    .where('user_id', '=', user_id)
    .where('create_time', '>', since)
    .where('source', '=', source)
    .where(({ or, eb }) => or([eb('end_time', 'is', null), eb('first_token_time', 'is not', null)]))
    .where('ask_state', '!=', 'quiet')

/** Subquery: the failed asks of a question, given by expressions so that a query can join it. */
export const failedAsksOf = (
  database: Database,
  { conversation_id, question_id }: { conversation_id: Expression<string>; question_id: Expression<string> },
) =>
  database
    .selectFrom('asks')
    .where('asks.conversation_id', '=', conversation_id)
    .where('asks.question_id', '=', question_id)
    .where('asks.end_time', 'is not', null)
    .where('asks.failure_key', 'is not', null)

const find = prepared((database, { ask_id }: { ask_id: string }) => asksWithId(database, ask_id).selectAll())

const insert = prepared((database, row: NewAsk) => database.insertInto('asks').values(row))

const close = prepared((database, { ask_id, last_message_id, ...end }: AskEnd & { ask_id: string }) =>
  database
    .updateTable('asks')
    .set(({ fn, val, ref }) => ({
      ...end,
      ask_state: 'done',
      // Nothing of a question that was answered is kept.
      request_digest: sql<string | null>`case when ${val(end.outcome)} = 'finished' then null else request_digest end`,
      reply_id: fn.coalesce(val(last_message_id), ref('reply_id')),
    }))
    .where('ask_id', '=', ask_id)
    .where('end_time', 'is', null)
    .returningAll(),
)

/** An ask from its admission to its end. Queries and nothing else. Takes a transaction as well as the database. */
export function askStore(database: Database) {
  return {
    find: (ask_id: string) => find.first(database, { ask_id }),

    insert: (row: NewAsk) => insert.run(database, row),

    /**
     * Closes an ask, and returns it; undefined when it was closed before. Its reply is now the last message of the
     * answer.
     */
    close: (ask_id: string, end: AskEnd) => close.first(database, { ask_id, ...end }),

    requestStop: (ask_id: string) =>
      database
        .updateTable('asks')
        .set({ stop_requested: true })
        .where('ask_id', '=', ask_id)
        .where('end_time', 'is', null)
        .execute(),

    /** Which of these users have an ask that runs or waits for its turn. */
    statusOf: (user_ids: readonly number[]) =>
      activeAsks(database)
        .select(['user_id', 'ask_state'])
        .where('user_id', 'in', [...user_ids])
        .execute(),

    /** The user's asks that run or wait, the earliest first. */
    livingOf: (user_id: number) =>
      livingAsks(database)
        .select(['ask_id', 'conversation_id', 'ask_state', 'quiet_until'])
        .where('user_id', '=', user_id)
        .orderBy('create_time')
        .execute(),

    /** The asks of these keys that run or wait. */
    livingOfKeys: (key_ids: readonly number[]) =>
      livingAsks(database)
        .select(['ask_id', 'key_id'])
        .where('key_id', 'in', [...key_ids])
        .execute(),

    /** The keys by which asks run or wait. */
    askingKeys: () =>
      livingAsks(database)
        .select('key_id')
        .distinct()
        .where('key_id', 'is not', null)
        .$narrowType<{ key_id: NotNull }>()
        .execute()
        .then(rows => rows.map(({ key_id }) => key_id)),

    /** Who has asked in a conversation. */
    askersIn: (conversation_id: string) =>
      database
        .selectFrom('asks')
        .select('user_id')
        .distinct()
        .where('conversation_id', '=', conversation_id)
        .execute()
        .then(rows => rows.map(({ user_id }) => user_id)),

    /** The asks of a conversation that run or wait, the latest first. */
    livingIn: (conversation_id: string) =>
      livingAsks(database)
        .select(['ask_id', 'question_id', 'user_id'])
        .where('conversation_id', '=', conversation_id)
        .orderBy('create_time', 'desc')
        .execute(),
  }
}

export type LivingAsk = Awaited<ReturnType<ReturnType<typeof askStore>['livingOf']>>[number]

/** Most abandoned asks of one query. */
const AT_ONCE = 200

/** Which process holds an ask, and until when. Queries and nothing else. */
export function leaseStore(database: Database) {
  return {
    /** Returns those that are still held. */
    renew: (holder: string, ask_ids: readonly string[], lease_until: number) =>
      database
        .updateTable('asks')
        .set({ lease_until })
        .where('holder', '=', holder)
        .where('ask_id', 'in', [...ask_ids])
        .where('end_time', 'is', null)
        .returning('ask_id')
        .execute(),

    /** Asks whose lease has expired. */
    abandoned: (now: number) =>
      livingAsks(database).selectAll().where('lease_until', '<', now).orderBy('lease_until').limit(AT_ONCE).execute(),

    /** Claims an abandoned ask; false when another process was faster. */
    claim: async (ask_id: string, now: number, holder: string, lease_until: number) => {
      const { numUpdatedRows } = await database
        .updateTable('asks')
        .set({ holder, lease_until })
        .where('ask_id', '=', ask_id)
        .where('end_time', 'is', null)
        .where('lease_until', '<', now)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    stopRequested: (holder: string) =>
      livingAsks(database).select('ask_id').where('holder', '=', holder).where('stop_requested', '=', true).execute(),
  }
}

/**
 * Derived from living asks, so that no flag can get stuck (the specification, section 4). Users without an ask are left
 * out.
 */
export function chatStatusOf(database: Database) {
  return async (user_ids: readonly number[]): Promise<Map<number, ChatStatus>> => {
    const status = new Map<number, ChatStatus>()
    if (user_ids.length === 0) return status
    for (const { user_id, ask_state } of await askStore(database).statusOf(user_ids)) {
      if (ask_state === 'asking' || !status.has(user_id))
        status.set(user_id, ask_state === 'asking' ? 'asking' : 'queueing')
    }
    return status
  }
}

/** Queries about all asks of a person, for exporting and erasing them. Queries and nothing else. */
export function userAskStore(database: Database) {
  const own = (user_id: number) => database.selectFrom('asks').where('user_id', '=', user_id)
  return {
    logAfter: (user_id: number, id: number, limit: number) =>
      database
        .selectFrom('ask_logs')
        .selectAll()
        .where('user_id', '=', user_id)
        .where('id', '>', id)
        .orderBy('id')
        .limit(limit)
        .execute(),

    /** The records of the asks, and what had come of answers that are not stored. */
    async removeAll(user_id: number): Promise<number> {
      await database.deleteFrom('ask_chunks').where('ask_id', 'in', own(user_id).select('ask_id')).execute()
      const { numDeletedRows } = await database
        .deleteFrom('asks')
        .where('user_id', '=', user_id)
        .executeTakeFirstOrThrow()
      return Number(numDeletedRows)
    },
  }
}

type Chunk = { ask_id: string; chunk_number: number; chunk_text: string }

const add = prepared((database, chunk: Chunk) =>
  database
    .insertInto('ask_chunks')
    .values(chunk)
    .onConflict(conflict => conflict.doNothing()),
)

const remove = prepared((database, { ask_id }: { ask_id: string }) =>
  database.deleteFrom('ask_chunks').where('ask_id', '=', ask_id),
)

/** Chunks of growing answers. Queries and nothing else. */
export function chunkStore(database: Database) {
  return {
    /**
     * A chunk that exists already was stored by a transaction whose confirmation got lost. SQLite then has it twice,
     * and it is read once.
     */
    add: (chunk: Chunk) => add.run(database, chunk),

    after: (ask_id: string, chunk_number: number) =>
      database
        .selectFrom('ask_chunks')
        .select(['chunk_number', 'chunk_text'])
        .where('ask_id', '=', ask_id)
        .where('chunk_number', '>', chunk_number)
        .orderBy('chunk_number')
        .execute(),

    /**
     * Those of answers that grow now and have the text: to questions of this person, of anybody with null, to the web
     * service.
     */
    growingWith: (user_id: number | null, text: string) =>
      livingAsks(database)
        .innerJoin('ask_chunks', 'ask_chunks.ask_id', 'asks.ask_id')
        .select(['asks.conversation_id', 'chunk_text'])
        .where('asks.source', '=', 'openai_web')
        .$if(user_id !== null, query => query.where('asks.user_id', '=', user_id))
        .where('chunk_text', 'like', `%${text}%`)
        .execute(),

    /** Whether an answer grows now that such a chunk may be of. */
    mayGrow: async (user_id: number | null): Promise<boolean> =>
      (await livingAsks(database)
        .select('asks.ask_id')
        .where('asks.source', '=', 'openai_web')
        .$if(user_id !== null, query => query.where('asks.user_id', '=', user_id))
        .limit(1)
        .executeTakeFirst()) !== undefined,

    /** Removes those of an answer that is stored. */
    remove: (ask_id: string) => remove.run(database, { ask_id }),

    /** Removes the chunks of ended asks, of all processes. */
    removeOfEnded: () =>
      database
        .deleteFrom('ask_chunks')
        .where('ask_id', 'not in', livingAsks(database).select('ask_id'))
        .executeTakeFirstOrThrow(),
  }
}
