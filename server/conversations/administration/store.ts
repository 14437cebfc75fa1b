import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { ConversationFilter, CONVERSATION_SORTS } from '#contract/conversationAdministration.ts'
import { Uuid } from '#contract/envelope.ts'
import { userNames } from '#server/users/store.ts'
import type { Engine } from '#server/foundation/database/schema/definition.ts'
import { holdsWords } from '#server/foundation/search/search.ts'
import type { Database, Tables } from '#server/foundation/database/open.ts'

type Sorting = { sort: (typeof CONVERSATION_SORTS)[number]; order: 'asc' | 'desc' }

/** `before` (epoch milliseconds): neither made nor hidden later. */
type Selected = ConversationFilter & { before?: number | undefined }

/** Everybody's conversations. Queries and nothing else: long ones, which want `open.readOnly()`. */
export function everyConversation(database: Database, engine: Engine) {
  const selected = (filter: Selected) =>
    database.selectFrom('conversations').where(eb => eb.and(conditionsOf(eb, filter, engine)))

  /** What is missing comes last. Equal ones are in the order in which they were made. */
  function sorted(filter: Selected, { sort, order }: Sorting) {
    const query = selected(filter).select('conversations.id')
    switch (sort) {
      case 'create_time':
        return query.orderBy('conversations.create_time', order).orderBy('conversations.id', order)
      case 'update_time':
        return query
          .orderBy(eb => eb('conversations.update_time', 'is', null))
          .orderBy('conversations.update_time', order)
          .orderBy('conversations.id', order)
      case 'title':
        return query
          .orderBy(eb => eb('conversations.folded_title', 'is', null))
          .orderBy('conversations.folded_title', order)
          .orderBy('conversations.id', order)
      case 'owner':
        return query
          .leftJoin(userNames(database).as('owner'), 'owner.id', 'conversations.user_id')
          .orderBy(eb => eb('owner.nickname', 'is', null))
          .orderBy('owner.nickname', order)
          .orderBy('owner.username', order)
          .orderBy('conversations.id', order)
    }
  }

  return {
    pageOfIds: (filter: Selected, sorting: Sorting, { limit, offset }: { limit: number; offset: number }) =>
      sorted(filter, sorting).limit(limit).offset(offset).execute().then(idsOf),

    list: (ids: readonly number[]) => database.selectFrom('conversations').selectAll().where('id', 'in', ids).execute(),

    /** Those with a higher id than `after`. */
    count: (filter: Selected, after = 0) =>
      selected(filter)
        .where('conversations.id', '>', after)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
        .then(({ count }) => count),

    /** The next ones in the order of their ids. */
    idsAfter: (filter: Selected, after: number, limit: number) =>
      selected(filter).select('id').where('id', '>', after).orderBy('id').limit(limit).execute().then(idsOf),

    /** How many there are of each kind. */
    kinds: () =>
      database
        .selectFrom('conversations')
        .select(({ fn, eb }) => [
          'source',
          'current_model',
          'is_valid',
          eb('user_id', 'is', null).as('is_nobodys'),
          fn.countAll<number>().as('count'),
        ])
        .groupBy(['source', 'current_model', 'is_valid', 'is_nobodys'])
        .execute(),
  }
}

const idsOf = (rows: readonly { id: number }[]): number[] => rows.map(({ id }) => id)

function conditionsOf(
  eb: ExpressionBuilder<Tables, 'conversations'>,
  { words = '', owner, source, model, state, upstream_id, deletion, before }: Selected,
  engine: Engine,
): Expression<SqlBool>[] {
  return [
    ...titleConditions(eb, words, engine),
    ...(owner === undefined
      ? []
      : [
          owner === 'nobody'
            ? eb('conversations.user_id', 'is', null)
            : eb('conversations.user_id', '=', Number(owner)),
        ]),
    ...(source === undefined ? [] : [eb('conversations.source', '=', source)]),
    ...(model === undefined ? [] : [eb('conversations.current_model', '=', model)]),
    ...(state === undefined ? [] : [eb('conversations.is_valid', '=', state !== 'hidden')]),
    ...(state === 'gone_upstream' ? [eb('conversations.gone_upstream_time', 'is not', null)] : []),
    ...(upstream_id === undefined ? [] : [eb('conversations.upstream_id', '=', Number(upstream_id))]),
    ...(deletion === undefined ? [] : [eb('conversations.deletion_id', '=', Number(deletion))]),
    ...(before === undefined
      ? []
      : [
          eb('conversations.create_time', '<=', before),
          eb.or([eb('conversations.hide_time', 'is', null), eb('conversations.hide_time', '<=', before)]),
        ]),
  ]
}

function titleConditions(
  eb: ExpressionBuilder<Tables, 'conversations'>,
  words: string,
  engine: Engine,
): Expression<SqlBool>[] {
  if (Uuid.safeParse(words).success) return [eb('conversations.conversation_id', '=', words.toLowerCase())]
  return holdsWords(eb.ref('conversations.folded_title'), words, engine)
}
