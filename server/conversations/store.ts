import { sql } from 'kysely'
import type { Message } from '#contract/messages.ts'
import type { Source } from '#contract/models.ts'
import { failedAsksOf, livingAsks } from '#server/asks/store.ts'
import type { Database } from '#server/foundation/database/open.ts'
import { prepared } from '#server/foundation/database/prepared.ts'
import type { RowOf } from '#server/foundation/database/tables.ts'
import type { tables } from '#server/foundation/database/schema.ts'

export type ConversationRow = RowOf<typeof tables.conversations>
export type MessageRow = RowOf<typeof tables.messages>

type NewConversation = {
  conversation_id: string
  source: Source
  title: string | null
  user_id: number
  model: string | null
  current_node: string | null
  now: number
}

/** Rows of one statement, well below the bound of parameters of either database. */
const BATCH = 500

type Place = { conversation_id: string; message_id: string }

/** Subquery. */
export const validConversations = (database: Database) =>
  database.selectFrom('conversations').where('is_valid', '=', true)

const find = prepared((database, { conversation_id }: { conversation_id: string }) =>
  database.selectFrom('conversations').selectAll().where('conversation_id', '=', conversation_id),
)

const insert = prepared((database, { model, now, ...row }: NewConversation) =>
  database
    .insertInto('conversations')
    .values({ ...row, is_valid: true, current_model: model, create_time: now, update_time: now }),
)

const message = prepared((database, { conversation_id, message_id }: Place) =>
  database
    .selectFrom('messages')
    .selectAll()
    .where('conversation_id', '=', conversation_id)
    .where('message_id', '=', message_id)
    .where('withdraw_time', 'is', null),
)

// Neither database has to read a long text to know its length in bytes.
const size = prepared((database, { conversation_id }: { conversation_id: string }) =>
  database
    .selectFrom('messages')
    .where('conversation_id', '=', conversation_id)
    .select(({ fn }) => [
      fn.countAll<number>().as('messages'),
      sql<number>`coalesce(sum(octet_length(content) + coalesce(octet_length(message_metadata), 0)), 0)`.as('bytes'),
    ]),
)

const addMessage = prepared((database, row: Omit<MessageRow, 'position' | 'withdraw_time'>) =>
  database.insertInto('messages').values({ ...row, position: behindAll(row.conversation_id, 0) }),
)

// Several messages stored by one statement all see the same greatest position, hence the index.
const behindAll = (conversation_id: string, index: number) =>
  sql<number>`(select coalesce(max(position), 0) from messages where conversation_id = ${conversation_id}) + ${sql.lit(index + 1)}`

const toRow = (
  conversation_id: string,
  { id, content, metadata, create_time, parent, role, author_name, model }: Message,
) => ({
  conversation_id,
  message_id: id,
  parent,
  role,
  author_name,
  model,
  content,
  message_metadata: metadata,
  create_time: Date.parse(create_time ?? '') || 0,
})

const goOn = prepared(
  (
    database,
    {
      conversation_id,
      model,
      ...change
    }: { conversation_id: string; current_node: string; update_time: number; model: string | null },
  ) =>
    database
      .updateTable('conversations')
      .set(({ fn, val, ref }) => ({ ...change, current_model: fn.coalesce(val(model), ref('current_model')) }))
      .where('conversation_id', '=', conversation_id),
)

/** Whether a row is what a model thought. Content is stored as JSON that begins with its type, and neither database reads on behind that. */
export const isThoughtsRow = <T extends number | boolean = boolean>(table: string) =>
  sql<T>`(${sql.ref(`${table}.content`)} is not null and ${sql.ref(`${table}.content`)} like ${sql.lit('{"content_type":"thoughts"%')})`

/** Queries and nothing else. Takes a transaction as well as the database. Messages that were withdrawn are in none but the count. */
export function conversationStore(database: Database) {
  const shown = (conversation_id: string) =>
    database
      .selectFrom('messages')
      .selectAll()
      .where('conversation_id', '=', conversation_id)
      .where('withdraw_time', 'is', null)
  return {
    /** The user's own list: valid conversations only, the latest used first. */
    listForUser: (user_id: number) =>
      database
        .selectFrom('conversations')
        .selectAll()
        .where('user_id', '=', user_id)
        .where('is_valid', '=', true)
        .orderBy('update_time', 'desc')
        .orderBy('id', 'desc')
        .execute(),

    /** The conversations of a person that end with a question of which an ask failed. */
    unansweredOf: (user_id: number) =>
      database
        .selectFrom('conversations as c')
        .innerJoin('messages as m', join =>
          join.onRef('m.conversation_id', '=', 'c.conversation_id').onRef('m.message_id', '=', 'c.current_node'),
        )
        .select('c.conversation_id')
        .where('c.user_id', '=', user_id)
        .where('c.is_valid', '=', true)
        .where('m.role', '=', 'user')
        .where(({ exists, ref }) =>
          exists(
            failedAsksOf(database, {
              conversation_id: ref('c.conversation_id'),
              question_id: ref('m.message_id'),
            }).select('asks.ask_id'),
          ),
        )
        .execute(),

    listAll: (valid_only: boolean) =>
      database
        .selectFrom('conversations')
        .selectAll()
        .$if(valid_only, query => query.where('is_valid', '=', true))
        .orderBy('create_time', 'desc')
        .orderBy('id', 'desc')
        .execute(),

    find: (conversation_id: string) => find.first(database, { conversation_id }),

    insert: (row: NewConversation) => insert.run(database, row),

    /** A message has come; the model is that of the last answer. */
    goOn: (conversation_id: string, change: { current_node: string; update_time: number; model: string | null }) =>
      goOn.run(database, { conversation_id, ...change }),

    change: (
      conversation_id: string,
      change: Partial<
        Pick<ConversationRow, 'title' | 'is_valid' | 'user_id' | 'update_time' | 'current_model' | 'current_node'>
      >,
    ) => database.updateTable('conversations').set(change).where('conversation_id', '=', conversation_id).execute(),

    /** A title for a conversation that has none; says whether it was still without. */
    titleOnce: async (conversation_id: string, title: string) => {
      const { numUpdatedRows } = await database
        .updateTable('conversations')
        .set({ title })
        .where('conversation_id', '=', conversation_id)
        .where('title', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    invalidateAllOf: (user_id: number) =>
      database
        .updateTable('conversations')
        .set({ is_valid: false })
        .where('user_id', '=', user_id)
        .where('is_valid', '=', true)
        .execute(),

    remove: (conversation_id: string) =>
      database.deleteFrom('conversations').where('conversation_id', '=', conversation_id).execute(),

    countValid: (user_id: number, source: Source) =>
      database
        .selectFrom('conversations')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('user_id', '=', user_id)
        .where('source', '=', source)
        .where('is_valid', '=', true)
        .executeTakeFirstOrThrow()
        .then(row => row.count),

    messages: (conversation_id: string) => shown(conversation_id).orderBy('position').execute(),

    message: (conversation_id: string, message_id: string) => message.first(database, { conversation_id, message_id }),

    /** What a walk through the conversation needs, and no more. */
    links: (conversation_id: string) =>
      database
        .selectFrom('messages')
        .select(['message_id', 'parent', 'role', isThoughtsRow<number | boolean>('messages').as('is_thoughts')])
        .where('conversation_id', '=', conversation_id)
        .where('withdraw_time', 'is', null)
        .orderBy('position')
        .execute(),

    withdraw: async (conversation_id: string, message_ids: readonly string[], withdraw_time: number) => {
      for (let start = 0; start < message_ids.length; start += BATCH) {
        await database
          .updateTable('messages')
          .set({ withdraw_time })
          .where('conversation_id', '=', conversation_id)
          .where('message_id', 'in', message_ids.slice(start, start + BATCH))
          .execute()
      }
    },

    /** How many messages there are, withdrawn ones too, and how many bytes they take. */
    size: (conversation_id: string) => size.one(database, { conversation_id }),

    /** Adds the messages in their order behind those there are. */
    addMessages: async (conversation_id: string, messages: readonly Message[]) => {
      const [first, ...others] = messages.map(message => toRow(conversation_id, message))
      if (first !== undefined) await addMessage.run(database, first) // almost always the only one
      for (let start = 0; start < others.length; start += BATCH) {
        await database
          .insertInto('messages')
          .values(
            others
              .slice(start, start + BATCH)
              .map((row, index) => ({ ...row, position: behindAll(conversation_id, index) })),
          )
          .execute()
      }
    },
  }
}
export type ConversationStore = ReturnType<typeof conversationStore>

/** Removes a conversation that nothing but this question is in, unless it is being answered; says whether it did. */
export async function removeWithOnly(
  database: Database,
  conversation_id: string,
  message_id: string,
): Promise<boolean> {
  const { numDeletedRows } = await database
    .deleteFrom('conversations')
    .where('conversation_id', '=', conversation_id)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('messages')
            .select('message_id')
            .where('conversation_id', '=', conversation_id)
            .where('message_id', '!=', message_id),
        ),
      ),
    )
    .where(({ not, exists }) =>
      not(exists(livingAsks(database).select('ask_id').where('conversation_id', '=', conversation_id))),
    )
    .executeTakeFirst()
  return numDeletedRows > 0n
}
