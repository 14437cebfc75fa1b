import type { Database } from '#server/foundation/database/open.ts'
import { prepared } from '#server/foundation/database/schema/prepared.ts'
import { livingAsks } from './store.ts'

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
