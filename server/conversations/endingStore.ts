import { sql, type ExpressionBuilder, type SqlBool } from 'kysely'
import { answeredConversations } from '#server/asks/store.ts'
import type { Database, Tables } from '#server/foundation/database/open.ts'
import { type ConversationRow, hidden } from './store.ts'

/** Deleted before this moment, and not being removed yet. */
type Deleted = { kind: 'deleted'; before: number }
/** Neither used nor its person told after these moments. */
type Aged = { kind: 'aged'; used: number; announced: number }
/** What a conversation has to meet to be removed now. */
export type Ending = Deleted | Aged

type Expressions = ExpressionBuilder<Tables, 'conversations'>

const lastUsed = () => sql<number>`coalesce(conversations.update_time, conversations.create_time)`

/** What a sync found missing goes by no age: its copy here is the only one. Nobody's that an upstream has is a copy. */
const mayAge = (eb: Expressions) =>
  eb.and([
    eb('conversations.is_valid', '=', true),
    eb('conversations.gone_upstream_time', 'is', null),
    eb.or([eb('conversations.user_id', 'is not', null), eb('conversations.upstream_conversation_id', 'is', null)]),
  ])

/** One that somebody wants to stay waits for the answer. */
const isOfAge = (eb: Expressions) =>
  eb.and([
    mayAge(eb),
    eb.or([eb('conversations.keep_state', 'is', null), eb('conversations.keep_state', '=', 'declined')]),
  ])

function isEnding(eb: Expressions, ending: Ending) {
  if (ending.kind === 'deleted')
    return eb.and([eb('conversations.ends_from', '<=', ending.before), eb('conversations.vanish_time', 'is', null)])
  return eb.and([
    isOfAge(eb),
    sql<SqlBool>`${lastUsed()} <= ${ending.used}`,
    eb('conversations.notice_time', '<=', ending.announced),
  ])
}

/** Conversations that go, and whose they are. Queries and nothing else. Takes a transaction as well as the database. */
export function endingStore(database: Database) {
  const conversations = () => database.selectFrom('conversations')
  const notAnswered = (eb: Expressions) =>
    eb('conversations.conversation_id', 'not in', answeredConversations(database))
  const of = (user_id: number | null) => (eb: Expressions) =>
    user_id === null ? eb('conversations.user_id', 'is', null) : eb('conversations.user_id', '=', user_id)
  const endingOf = (user_id: number | null, ending: Ending) =>
    conversations()
      .where(of(user_id))
      .where(eb => isEnding(eb, ending))
      .where(notAnswered)

  return {
    /** Whose conversations there are; null is nobody. */
    owners: (kind: Ending['kind']) =>
      conversations()
        .select('user_id')
        .distinct()
        .where(eb => (kind === 'deleted' ? eb('ends_from', 'is not', null) : mayAge(eb)))
        .execute()
        .then(rows => rows.map(({ user_id }) => user_id)),

    countEnding: (user_id: number | null, ending: Ending) =>
      endingOf(user_id, ending)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
        .then(({ count }) => Number(count)),

    /** In the order of their row ids. */
    ending: (user_id: number | null, ending: Ending, { after, limit }: { after: number; limit: number }) =>
      endingOf(user_id, ending).selectAll().where('id', '>', after).orderBy('id').limit(limit).execute(),

    /** Marks that it is being removed; false where it does not end any more. */
    beginEnd: async (id: number, ending: Ending, now: number): Promise<boolean> => {
      const { numUpdatedRows } = await database
        .updateTable('conversations')
        .set({ ...(ending.kind === 'aged' && hidden(now, 0)), vanish_time: now })
        .where('id', '=', id)
        .where(eb => isEnding(eb, ending))
        .where(notAnswered)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    /** Notes that a person is told of their conversations that were not used after this moment. Gives how many. */
    announce: async (user_id: number | null, used: number, now: number): Promise<number> => {
      const { numUpdatedRows } = await database
        .updateTable('conversations')
        .set({ notice_time: now })
        .where(of(user_id))
        .where(isOfAge)
        .where('notice_time', 'is', null)
        .where(sql<SqlBool>`${lastUsed()} <= ${used}`)
        .executeTakeFirst()
      return Number(numUpdatedRows)
    },

    /** Takes back what was announced, and asked for, of conversations that were used after this moment. */
    withdrawNotices: (user_id: number | null, used: number) =>
      database
        .updateTable('conversations')
        .set({ notice_time: null, keep_state: null, keep_time: null })
        .where(of(user_id))
        .where(({ eb, or }) => or([eb('notice_time', 'is not', null), eb('keep_state', 'in', ['asked', 'declined'])]))
        .where(sql<SqlBool>`${lastUsed()} > ${used}`)
        .execute(),

    /** Those that somebody wants to stay, the longest waiting first. */
    keepAsked: (limit: number) =>
      conversations()
        .selectAll()
        .where('keep_state', '=', 'asked')
        .where('is_valid', '=', true)
        .orderBy('keep_time')
        .orderBy('id')
        .limit(limit)
        .execute(),

    /** A person's deleted conversations that can be brought back, the latest first. */
    deletedOf: (user_id: number, limit: number) =>
      conversations()
        .selectAll()
        .where('user_id', '=', user_id)
        .where('is_valid', '=', false)
        .where('vanish_time', 'is', null)
        .orderBy('ends_from', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute(),

    /** Deletions of several, made before this time, of which nothing is left. */
    forgetDeletions: (before: number) =>
      database
        .deleteFrom('deletions')
        .where('create_time', '<', before)
        .where(
          'id',
          'not in',
          conversations().select('deletion_id').where('deletion_id', 'is not', null).$castTo<{ deletion_id: number }>(),
        )
        .execute(),
  }
}

type Withdrawn = Pick<ConversationRow, 'conversation_id' | 'user_id' | 'upstream_conversation_id'>

/** Messages that were taken back. Queries and nothing else. Takes a transaction as well as the database. */
export function withdrawnStore(database: Database) {
  const withdrawn = (before: number) =>
    database
      .selectFrom('messages')
      .innerJoin('conversations', 'conversations.conversation_id', 'messages.conversation_id')
      .where('messages.withdraw_time', 'is not', null)
      .where('messages.withdraw_time', '<=', before)
      .where(({ eb, or }) => or([eb('content', 'is not', null), eb('message_metadata', 'is not', null)]))
  return {
    owners: (before: number) =>
      withdrawn(before)
        .select('conversations.user_id')
        .distinct()
        .execute()
        .then(rows => rows.map(({ user_id }) => user_id)),

    conversations: (user_id: number | null, before: number, limit: number): Promise<Withdrawn[]> =>
      withdrawn(before)
        .where(eb =>
          user_id === null ? eb('conversations.user_id', 'is', null) : eb('conversations.user_id', '=', user_id),
        )
        .select(['conversations.conversation_id', 'conversations.user_id', 'conversations.upstream_conversation_id'])
        .distinct()
        .limit(limit)
        .execute(),

    messages: (conversation_id: string, before: number, limit: number) =>
      withdrawn(before)
        .where('messages.conversation_id', '=', conversation_id)
        .select(['messages.message_id', 'messages.content', 'messages.message_metadata'])
        .limit(limit)
        .execute(),

    /** What the upstream has of it would come back with the next reading: so that it was there is kept. */
    empty: (conversation_id: string, message_ids: readonly string[]) =>
      database
        .updateTable('messages')
        .set({ content: null, message_metadata: null })
        .where('conversation_id', '=', conversation_id)
        .where('message_id', 'in', message_ids)
        .execute(),
  }
}
