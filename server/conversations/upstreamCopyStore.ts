import { foldedTitle } from '#contract/searchWords.ts'
import type { Source } from '#contract/models.ts'
import type { Database } from '#server/foundation/database/open.ts'
import { newId } from '#server/foundation/ids.ts'
import { type ConversationRow, withFoldedTitle } from './store.ts'

type Changes = Partial<
  Pick<ConversationRow, 'title' | 'has_own_title' | 'source_id' | 'gone_upstream_time' | 'upstream_id'>
>

/** A conversation that is not known yet. Times in epoch milliseconds. */
type ListedConversation = {
  upstream_id: number
  upstream_conversation_id: string
  source_id: string | null
  title: string | null
  create_time: number
}

/** Subquery: the conversations of a source of which its upstreams have a copy. */
export const copiedConversations = (database: Database, source: Source) =>
  database.selectFrom('conversations').where('source', '=', source).where('upstream_conversation_id', 'is not', null)

/**
 * The conversations of which upstreams have a copy. Queries and nothing else. Takes a transaction as well as the
 * database.
 */
export function upstreamCopyStore(database: Database) {
  return {
    /** Of these, those that are known; upstreams never call two conversations the same. */
    known: (upstream_conversation_ids: readonly string[]) =>
      database
        .selectFrom('conversations')
        .select([
          'id',
          'upstream_id',
          'upstream_conversation_id',
          'title',
          'has_own_title',
          'source_id',
          'gone_upstream_time',
        ])
        .where('upstream_conversation_id', 'in', [...upstream_conversation_ids])
        .execute(),

    /** They belong to nobody until they are assigned. */
    add: (source: Source, found: readonly ListedConversation[]) =>
      database
        .insertInto('conversations')
        .values(
          found.map(({ title, ...row }) => ({
            ...row,
            conversation_id: newId(),
            source,
            is_valid: true,
            title,
            folded_title: foldedTitle(title),
          })),
        )
        .execute(),

    change: (id: number, changes: Changes) =>
      database.updateTable('conversations').set(withFoldedTitle(changes)).where('id', '=', id).execute(),

    count: (upstream_ids: readonly number[]) =>
      database
        .selectFrom('conversations')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('upstream_id', 'in', [...upstream_ids])
        .where('upstream_conversation_id', 'is not', null)
        .where('is_valid', '=', true)
        .executeTakeFirstOrThrow()
        .then(({ count }) => count),

    /**
     * Valid ones of an account that were there before, and are not known to be gone there, in the order of their ids.
     */
    knownAt: (upstream_id: number, { before, after, limit }: { before: number; after: number; limit: number }) =>
      database
        .selectFrom('conversations')
        .select(['id', 'upstream_conversation_id', 'source_id'])
        .where('upstream_id', '=', upstream_id)
        .where('upstream_conversation_id', 'is not', null)
        .where('is_valid', '=', true)
        .where('gone_upstream_time', 'is', null)
        .where('create_time', '<', before)
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute(),

    markGone: (id: number, now: number) =>
      database
        .updateTable('conversations')
        .set({ gone_upstream_time: now })
        .where('id', '=', id)
        .where('gone_upstream_time', 'is', null)
        .execute(),
  }
}
