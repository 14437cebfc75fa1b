import { sql } from 'kysely'
import type { Source } from '#contract/models.ts'
import { copiedConversations } from '#server/conversations/upstreamCopyStore.ts'
import type { Database } from '#server/foundation/database/open.ts'
import type { Changed, ChangedPart } from '../../ports.ts'

const SOURCE: Source = 'openai_web'

/** Queries and nothing else. Takes a transaction as well as the database. */
export function upstreamChangeStore(database: Database) {
  return {
    /**
     * Notes that the upstreams of these conversations are to be told, as far as they are kept by one. In the
     * transaction of the change.
     */
    add: (of: Changed, what: ChangedPart, next_try: number) =>
      database
        .insertInto('upstream_changes')
        .columns(['conversation_id', 'what', 'turn', 'failures', 'next_try'])
        .expression(
          copiedConversations(database, SOURCE)
            .select(({ val, cast }) => [
              'conversation_id',
              val<string>(what).as('what'),
              cast<number>(val(0), 'bigint').as('turn'),
              cast<number>(val(0), 'bigint').as('failures'),
              cast<number>(val(next_try), 'bigint').as('next_try'),
            ])
            .$if('conversation_id' in of, query =>
              query.where('conversation_id', '=', 'conversation_id' in of ? of.conversation_id : ''),
            )
            .$if('ids' in of, query => query.where('id', 'in', 'ids' in of ? of.ids : []))
            .$if('deletion_id' in of, query =>
              query.where('deletion_id', '=', 'deletion_id' in of ? of.deletion_id : 0),
            ),
        )
        .onConflict(conflict =>
          conflict.columns(['conversation_id', 'what']).doUpdateSet(({ ref }) => ({
            turn: sql<number>`${ref('upstream_changes.turn')} + 1`,
            failures: 0,
            next_try: ref('excluded.next_try'),
          })),
        )
        .execute(),

    /** Those whose time has come, with what is to be told. */
    due: (now: number, limit: number) =>
      database
        .selectFrom('upstream_changes as change')
        .innerJoin(
          copiedConversations(database, SOURCE).selectAll().as('c'),
          'c.conversation_id',
          'change.conversation_id',
        )
        .select(['change.what', 'change.turn', 'change.failures', 'c.conversation_id', 'c.title', 'c.is_valid'])
        .select(['c.source', 'c.source_id', 'c.upstream_id', 'c.upstream_conversation_id'])
        .where('change.next_try', '<=', now)
        .orderBy('change.next_try')
        .orderBy('c.id')
        .limit(limit)
        .execute(),

    /** Unless it has changed once more since. */
    remove: ({ conversation_id, what, turn }: { conversation_id: string; what: string; turn: number }) =>
      database
        .deleteFrom('upstream_changes')
        .where('conversation_id', '=', conversation_id)
        .where('what', '=', what)
        .where('turn', '=', turn)
        .execute(),

    postpone: (
      { conversation_id, what, turn }: { conversation_id: string; what: string; turn: number },
      next: { failures: number; next_try: number },
    ) =>
      database
        .updateTable('upstream_changes')
        .set(next)
        .where('conversation_id', '=', conversation_id)
        .where('what', '=', what)
        .where('turn', '=', turn)
        .execute(),
  }
}

export type UpstreamChange = Awaited<ReturnType<ReturnType<typeof upstreamChangeStore>['due']>>[number]
