import type { NotNull } from 'kysely'
import type { Database } from '#server/foundation/database/open.ts'
import type { RowOf } from '#server/foundation/database/schema/definition.ts'
import type { tables } from '#server/foundation/database/schema/schema.ts'

export type EndedAsk = Pick<
  RowOf<typeof tables.asks>,
  | 'ask_id'
  | 'question_id'
  | 'model'
  | 'failure_key'
  | 'failure_values'
  | 'create_time'
  | 'start_time'
  | 'first_token_time'
  | 'end_time'
>

/** Asks that ended without a whole answer. Queries and nothing else. */
export function failureStore(database: Database) {
  return {
    /** The asks of a conversation that brought no answer, or not a whole one, in their order. */
    brokenAsks: (conversation_id: string): Promise<EndedAsk[]> =>
      database
        .selectFrom('asks')
        .select([
          'ask_id',
          'question_id',
          'model',
          'failure_key',
          'failure_values',
          'create_time',
          'start_time',
          'first_token_time',
          'end_time',
        ])
        .where('conversation_id', '=', conversation_id)
        .where('end_time', 'is not', null)
        .where('outcome', '!=', 'finished')
        .orderBy('create_time')
        .execute(),

    /** Forgets why asks of a removed conversation failed. Their rows stay, since they count. */
    forget: (conversation_id: string) =>
      database
        .updateTable('asks')
        .set({ failure_key: null, failure_values: null })
        .where('conversation_id', '=', conversation_id)
        .where('failure_key', 'is not', null)
        .execute(),

    /** The same of some of its questions. */
    forgetOf: (conversation_id: string, question_ids: readonly string[]) =>
      database
        .updateTable('asks')
        .set({ failure_key: null, failure_values: null })
        .where('conversation_id', '=', conversation_id)
        .where('question_id', 'in', question_ids)
        .where('failure_key', 'is not', null)
        .execute(),

    /** The conversations of a person whose last ask failed after a part of its answer, among the asks since then. */
    brokenOffOf: (user_id: number, since: number) =>
      database
        .selectFrom('asks as a')
        .select('a.conversation_id')
        .$narrowType<{ conversation_id: NotNull }>()
        .where('a.user_id', '=', user_id)
        .where('a.conversation_id', 'is not', null)
        .where('a.end_time', 'is not', null)
        .where('a.create_time', '>', since)
        .where('a.failure_key', 'is not', null)
        .where('a.first_token_time', 'is not', null)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('asks as later')
                .select('later.ask_id')
                .whereRef('later.conversation_id', '=', 'a.conversation_id')
                .whereRef('later.create_time', '>', 'a.create_time'),
            ),
          ),
        )
        .execute(),
  }
}
export type FailureStore = ReturnType<typeof failureStore>
