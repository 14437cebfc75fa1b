import { sql } from 'kysely'
import type { Source } from '#contract/models.ts'
import { foldedTitle } from '#contract/searchWords.ts'
import { failedAsksOf, livingAsks } from '#server/asks/store.ts'
import { type Engine, forUpdate, type RowOf } from '#server/foundation/database/schema/definition.ts'
import type { Database } from '#server/foundation/database/open.ts'
import { prepared } from '#server/foundation/database/schema/prepared.ts'
import type { tables } from '#server/foundation/database/schema/schema.ts'

export type ConversationRow = RowOf<typeof tables.conversations>

type NewConversation = {
  conversation_id: string
  source: Source
  title: string | null
  user_id: number
  model: string | null
  current_node: string | null
  /** Left out where the model thinks as it does by itself. */
  thinking_level?: string | null
  upstream_id: number | null
  /** In whose name an account asks; left out for its own person. */
  source_id?: string | null
  /** A person gave it its title. */
  has_own_title?: boolean
  conversation_metadata?: ConversationRow['conversation_metadata']
  now: number
}

/** Subquery: conversations that are not deleted. */
export const validConversations = (database: Database) =>
  database.selectFrom('conversations').where('is_valid', '=', true)

/** Subquery: the titles of conversations, deleted ones included. */
export const conversationTitles = (database: Database) =>
  database.selectFrom('conversations').select(['conversation_id', 'title'])

/** Subquery: the number of conversations, with and without deleted ones. */
export const countConversations = (database: Database) =>
  database
    .selectFrom('conversations')
    .select(({ fn }) => [
      fn.countAll<number>().as('total'),
      sql<number>`coalesce(sum(case when is_valid then 1 else 0 end), 0)`.as('valid'),
    ])
    .executeTakeFirstOrThrow()

/** Subquery: how many conversations that are not deleted belong to each upstream. */
export const conversationCounts = (database: Database) =>
  validConversations(database)
    .select(({ fn }) => ['upstream_id', fn.countAll<number>().as('count')])
    .where('upstream_id', 'is not', null)
    .groupBy('upstream_id')

/** How many conversations of each source these people have that are not deleted. */
export const countValidOf = (database: Database, user_ids: readonly number[]) =>
  validConversations(database)
    .select(({ fn }) => ['user_id', 'source', fn.countAll<number>().as('count')])
    .where('user_id', 'in', user_ids)
    .groupBy(['user_id', 'source'])
    .execute()

const find = prepared((database, { conversation_id }: { conversation_id: string }) =>
  database.selectFrom('conversations').selectAll().where('conversation_id', '=', conversation_id),
)

/** Adds the form of a title in which it is searched. */
export const withFoldedTitle = <T extends { title?: string | null | undefined }>(
  row: T,
): T & { folded_title?: string | null } =>
  row.title === undefined ? row : { ...row, folded_title: foldedTitle(row.title) }

/** The columns of a hidden conversation. Those of a shown one: `SHOWN`. */
export const hidden = (hide_time: number, hidden_by: number, deletion_id: number | null = null) => ({
  is_valid: false,
  hide_time,
  hidden_by,
  deletion_id,
  ends_from: hide_time,
})
export const SHOWN = {
  ...{ is_valid: true, hide_time: null, hidden_by: null, deletion_id: null, vanish_time: null },
  ...{ ends_from: null, notice_time: null },
}

/** Whether it is being removed for good, so that nothing brings it back. */
export const isVanishing = (row: Pick<ConversationRow, 'is_valid' | 'vanish_time'>): boolean =>
  !row.is_valid && row.vanish_time !== null

/**
 * Milliseconds until a conversation of a custom GPT that was refused may be asked in again: the GPT may be shared anew
 * meanwhile.
 */
const GIZMO_REFUSED_FOR = 24 * 60 * 60 * 1000

/** Whether its upstream has a copy: its id there is known. */
export const hasUpstreamCopy = (row: Pick<ConversationRow, 'upstream_conversation_id'>): boolean =>
  row.upstream_conversation_id !== null

/** Why a conversation cannot be continued where it is kept; null when it can. */
export function closedReason(
  { gone_upstream_time, gizmo_refused_time }: Pick<ConversationRow, 'gone_upstream_time' | 'gizmo_refused_time'>,
  now: number,
): 'conversationGone' | 'customGptRefused' | null {
  if (gone_upstream_time !== null) return 'conversationGone'
  return gizmo_refused_time !== null && now - gizmo_refused_time < GIZMO_REFUSED_FOR ? 'customGptRefused' : null
}

const OPTIONAL = { source_id: null, has_own_title: false, conversation_metadata: null, thinking_level: null }
/** Every row has all of them: the statement is prepared once. */
type Inserted = Required<NewConversation> & { folded_title: string | null }
const insert = prepared((database, { model, now, ...row }: Inserted) =>
  database
    .insertInto('conversations')
    .values({ ...row, is_valid: true, current_model: model, create_time: now, update_time: now }),
)

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
      .where('conversation_id', '=', conversation_id)
      .returningAll(),
)

export type ConversationChanges = Partial<
  Pick<
    ConversationRow,
    | 'title'
    | 'is_valid'
    | 'hide_time'
    | 'hidden_by'
    | 'deletion_id'
    | 'user_id'
    | 'update_time'
    | 'current_model'
    | 'current_node'
    | 'thinking_level'
    | 'upstream_id'
    | 'upstream_conversation_id'
    | 'source_id'
    | 'has_own_title'
    | 'conversation_metadata'
    | 'gone_upstream_time'
    | 'gizmo_refused_time'
    | 'vanish_time'
    | 'ends_from'
    | 'notice_time'
    | 'keep_state'
    | 'keep_time'
  >
>

const unansweredOf = (database: Database, user_id: number) =>
  database
    .selectFrom('conversations as c')
    .innerJoin('messages as m', join =>
      join.onRef('m.conversation_id', '=', 'c.conversation_id').onRef('m.message_id', '=', 'c.current_node'),
    )
    .select(({ ref }) => [
      'c.conversation_id',
      failedAsksOf(database, { conversation_id: ref('c.conversation_id'), question_id: ref('m.message_id') })
        .select('asks.failure_key')
        .orderBy('asks.create_time', 'desc')
        .limit(1)
        .as('failure_key'),
    ])
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
    .execute()

/** How many conversations a person has. */
const counting = (database: Database) => ({
  /** A person's, deleted ones too. */
  countOf: (user_id: number) =>
    database
      .selectFrom('conversations')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('user_id', '=', user_id)
      .executeTakeFirstOrThrow()
      .then(row => row.count),

  countValid: (user_id: number, source: Source) =>
    database
      .selectFrom('conversations')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('user_id', '=', user_id)
      .where('source', '=', source)
      .where('is_valid', '=', true)
      .executeTakeFirstOrThrow()
      .then(row => row.count),
})

/** Queries and nothing else. Takes a transaction as well as the database. */
export function conversationStore(database: Database) {
  return {
    ...counting(database),

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
    unansweredOf: (user_id: number) => unansweredOf(database, user_id),

    listAll: (valid_only: boolean) =>
      database
        .selectFrom('conversations')
        .selectAll()
        .$if(valid_only, query => query.where('is_valid', '=', true))
        .orderBy('create_time', 'desc')
        .orderBy('id', 'desc')
        .execute(),

    find: (conversation_id: string) => find.first(database, { conversation_id }),

    findForUpdate: (conversation_id: string, engine: Engine) =>
      database
        .selectFrom('conversations')
        .selectAll()
        .where('conversation_id', '=', conversation_id)
        .$call(forUpdate(engine))
        .executeTakeFirst(),

    insert: (row: NewConversation) =>
      insert.run(database, { ...OPTIONAL, ...row, folded_title: foldedTitle(row.title) }),

    /** A message has come; the model is that of the last answer. Gives the row as it is then. */
    goOn: (conversation_id: string, change: { current_node: string; update_time: number; model: string | null }) =>
      goOn.first(database, { conversation_id, ...change }),

    change: (conversation_id: string, change: ConversationChanges) =>
      database
        .updateTable('conversations')
        .set(withFoldedTitle(change))
        .where('conversation_id', '=', conversation_id)
        .execute(),

    /**
     * What the upstream calls it. A sync may have found it there meanwhile, as nobody's and without messages: that one
     * goes.
     */
    async nameAtUpstream(conversation_id: string, upstream_conversation_id: string) {
      await database
        .deleteFrom('conversations')
        .where('upstream_conversation_id', '=', upstream_conversation_id)
        .where('conversation_id', '!=', conversation_id)
        .where('user_id', 'is', null)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('messages')
                .select('message_id')
                .whereRef('messages.conversation_id', '=', 'conversations.conversation_id'),
            ),
          ),
        )
        .execute()
      await database
        .updateTable('conversations')
        .set({ upstream_conversation_id })
        .where('conversation_id', '=', conversation_id)
        .execute()
    },

    /** Sets the title of a conversation that has none; false when it has one by now. */
    titleOnce: async (conversation_id: string, title: string) => {
      const { numUpdatedRows } = await database
        .updateTable('conversations')
        .set(withFoldedTitle({ title }))
        .where('conversation_id', '=', conversation_id)
        .where('title', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    hideAllOf: (user_id: number, hide_time: number, deletion_id: number) =>
      database
        .updateTable('conversations')
        .set(hidden(hide_time, user_id, deletion_id))
        .where('user_id', '=', user_id)
        .where('is_valid', '=', true)
        .execute(),

    /** Those whose removal for good began before this time and has not come to its end. */
    purgedSince: (time: number) =>
      database
        .selectFrom('conversations')
        .selectAll()
        .where('vanish_time', '<', time)
        .where('is_valid', '=', false)
        .orderBy('id')
        .execute(),

    remove: (conversation_id: string) =>
      database.deleteFrom('conversations').where('conversation_id', '=', conversation_id).execute(),
  }
}
export type ConversationStore = ReturnType<typeof conversationStore>

/** Removes a conversation that holds this question alone and is not being answered; false when it does not qualify. */
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
