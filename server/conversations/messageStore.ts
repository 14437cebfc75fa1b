import { type OnConflictBuilder, sql } from 'kysely'
import { type Message, isShown, isThoughts } from '#contract/messages.ts'
import type { Database, Tables, Transaction } from '#server/foundation/database/open.ts'
import { prepared } from '#server/foundation/database/schema/prepared.ts'
import type { tables } from '#server/foundation/database/schema/schema.ts'
import type { RowOf } from '#server/foundation/database/schema/definition.ts'
import { searchedText, type SearchedMessage } from '#server/foundation/search/search.ts'
import { type ConversationRow, conversationStore } from './store.ts'

export type MessageRow = RowOf<typeof tables.messages>

/** Rows of one statement, well below the bound of parameters of either database. */
const BATCH = 500

type MessageKey = { conversation_id: string; message_id: string }

const find = prepared((database, { conversation_id, message_id }: MessageKey) =>
  database
    .selectFrom('messages')
    .selectAll()
    .where('conversation_id', '=', conversation_id)
    .where('message_id', '=', message_id)
    .where('withdraw_time', 'is', null),
)

// octet_length: both databases know it without reading a long text.
const size = prepared((database, { conversation_id }: { conversation_id: string }) =>
  database
    .selectFrom('messages')
    .where('conversation_id', '=', conversation_id)
    .select(({ fn }) => [
      fn.countAll<number>().as('messages'),
      sql<number>`coalesce(sum(octet_length(content) + coalesce(octet_length(message_metadata), 0)), 0)`.as('bytes'),
    ]),
)

/**
 * An upstream may send a message again, as when an answer is continued under its own id. It never replaces one of the
 * other side.
 */
const longer = (conflict: OnConflictBuilder<Tables, 'messages'>) =>
  conflict
    .columns(['conversation_id', 'message_id'])
    .doUpdateSet(({ ref }) => ({
      content: ref('excluded.content'),
      message_metadata: ref('excluded.message_metadata'),
    }))
    .whereRef('messages.role', '=', 'excluded.role')

const add = prepared((database, row: Omit<MessageRow, 'position' | 'withdraw_time'>) =>
  database
    .insertInto('messages')
    .values({ ...row, position: behindAll(row.conversation_id, 0) })
    .onConflict(longer),
)

// The index tells apart the messages of one statement, which all see the same greatest position.
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

/**
 * Whether a row is a model's thoughts. Content is stored as JSON that begins with its type, so that neither database
 * has to read more of it.
 */
const isThoughtsRow = <T extends number | boolean = boolean>(table: string) =>
  sql<T>`(${sql.ref(`${table}.content`)} is not null and ${sql.ref(`${table}.content`)} like ${sql.lit('{"content_type":"thoughts"%')})`

/**
 * Queries and nothing else. Takes a transaction as well as the database. Messages that were withdrawn are in none but
 * the count.
 */
export function messageStore(database: Database) {
  const shown = (conversation_id: string) =>
    database
      .selectFrom('messages')
      .selectAll()
      .where('conversation_id', '=', conversation_id)
      .where('withdraw_time', 'is', null)
  return {
    /** In the order in which they came. */
    /** The questions of this person that a file went with. */
    keysWithFile: (user_id: number, file_id: string) =>
      database
        .selectFrom('messages')
        .select(['conversation_id', 'message_id'])
        .where('role', '=', 'user')
        .where(
          'conversation_id',
          'in',
          database.selectFrom('conversations').select('conversation_id').where('user_id', '=', user_id),
        )
        .where(sql<boolean>`cast(message_metadata as text) like ${`%"${file_id}"%`}`)
        .execute(),

    listOf: (conversation_id: string) => shown(conversation_id).orderBy('position').execute(),

    find: (conversation_id: string, message_id: string) => find.first(database, { conversation_id, message_id }),

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

    /** Ids of some of them, withdrawn ones too. */
    someIds: (conversation_id: string, limit: number) =>
      database
        .selectFrom('messages')
        .select('message_id')
        .where('conversation_id', '=', conversation_id)
        .limit(limit)
        .execute()
        .then(rows => rows.map(({ message_id }) => message_id)),

    remove: (conversation_id: string, message_ids: readonly string[]) =>
      database
        .deleteFrom('messages')
        .where('conversation_id', '=', conversation_id)
        .where('message_id', 'in', message_ids)
        .execute(),

    /** How many messages there are, withdrawn ones too, and how many bytes they take. */
    size: (conversation_id: string) => size.one(database, { conversation_id }),

    /** Appends the messages in their order; one that is there already gets the new content. */
    add: async (conversation_id: string, messages: readonly Message[]) => {
      const [first, ...others] = messages.map(message => toRow(conversation_id, message))
      if (first !== undefined) await add.run(database, first) // almost always the only one
      for (let start = 0; start < others.length; start += BATCH) {
        await database
          .insertInto('messages')
          .values(
            others
              .slice(start, start + BATCH)
              .map((row, index) => ({ ...row, position: behindAll(conversation_id, index) })),
          )
          .onConflict(longer)
          .execute()
      }
    },
  }
}

/** Messages after which the search for a question ends, as it does in a cycle. */
const FARTHEST = 1_000

/**
 * The message and at most `count` - 1 of its ancestors, the oldest first. Goes on to the next question above where
 * there is none among them, so that no answer comes without its question. Thoughts are left out and not counted. Only
 * messages of this conversation. A withdrawn message is withdrawn with all below it, so no ancestor of a message that
 * is shown is withdrawn.
 */
export async function messagePath(
  database: Database,
  conversation_id: string,
  message_id: string,
  count: number,
): Promise<MessageRow[]> {
  const steps = await sql<{ message_id: string }>`
    with recursive path (message_id, parent, step, depth, has_question, is_thoughts) as (
      select message_id, parent, 0, 0, role = 'user', ${isThoughtsRow('messages')} from messages
      where conversation_id = ${conversation_id} and message_id = ${message_id} and withdraw_time is null
      union all
      select earlier.message_id, earlier.parent, path.step + 1, path.depth + case when ${isThoughtsRow('earlier')} then 0 else 1 end,
        path.has_question or earlier.role = 'user', ${isThoughtsRow('earlier')}
      from path join messages as earlier on earlier.conversation_id = ${conversation_id} and earlier.message_id = path.parent
      where path.step < ${FARTHEST * 2} and (path.depth + 1 < ${count} or (not path.has_question and path.depth + 1 < ${FARTHEST}))
    )
    select message_id from path where not is_thoughts order by step desc`.execute(database)
  const ids = steps.rows.map(row => row.message_id)
  const rows =
    ids.length === 0
      ? []
      : await database
          .selectFrom('messages')
          .selectAll()
          .where('conversation_id', '=', conversation_id)
          .where('message_id', 'in', [...new Set(ids)])
          .execute()
  const byId = new Map(rows.map(row => [row.message_id, row]))
  return ids.map(id => byId.get(id)).filter(row => row !== undefined)
}

/** The messages of a conversation as a tree. Queries and nothing else. Takes a transaction as well as the database. */
export function messageTreeStore(database: Database) {
  return {
    /** Whether there is anything in it. */
    isBegun: async (conversation_id: string) =>
      (await database
        .selectFrom('messages')
        .select('message_id')
        .where('conversation_id', '=', conversation_id)
        .limit(1)
        .executeTakeFirst()) !== undefined,

    /** Withdrawn ones too. */
    everyOf: (conversation_id: string) =>
      database
        .selectFrom('messages')
        .selectAll()
        .where('conversation_id', '=', conversation_id)
        .orderBy('position')
        .execute(),

    setParents: async (conversation_id: string, parents: ReadonlyMap<string, string>) => {
      for (const [message_id, parent] of parents)
        await database
          .updateTable('messages')
          .set({ parent })
          .where('conversation_id', '=', conversation_id)
          .where('message_id', '=', message_id)
          .execute()
    },

    /** Whether anything follows a message. */
    isFollowed: async (conversation_id: string, message_id: string) =>
      (await database
        .selectFrom('messages')
        .select('message_id')
        .where('conversation_id', '=', conversation_id)
        .where('parent', '=', message_id)
        .where('withdraw_time', 'is', null)
        .limit(1)
        .executeTakeFirst()) !== undefined,
  }
}
export type MessageTreeStore = ReturnType<typeof messageTreeStore>

/**
 * Stores messages of a conversation and its state, and gives its row as it is then; thoughts without an answer leave
 * that as it was. The caller indexes them (`searchedOf`), or queues them for the search, at the end of the transaction.
 */
export async function keepMessages(
  trx: Transaction,
  conversation_id: string,
  messages: readonly Message[],
  now: number,
  model = messages.at(-1)?.model ?? null,
): Promise<ConversationRow | undefined> {
  const last = messages.at(-1)
  if (last === undefined) return undefined
  const store = conversationStore(trx)
  const [goesOn] = await Promise.all([
    isThoughts(last) ? undefined : store.goOn(conversation_id, { current_node: last.id, update_time: now, model }),
    messageStore(trx).add(conversation_id, messages),
  ])
  return goesOn
}

/** What the search indexes of messages: the text of those that are shown, without pictures. */
export function searchedOf(
  conversation_id: string,
  messages: readonly Pick<Message, 'id' | 'role' | 'content' | 'metadata'>[],
): SearchedMessage[] {
  return messages
    .filter(isShown)
    .map(message => ({ conversation_id, message_id: message.id, text: searchedText(message) }))
    .filter(({ text }) => text !== '')
}
