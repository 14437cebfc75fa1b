import type { Database } from '#server/foundation/database/open.ts'
import { prepared } from '#server/foundation/database/prepared.ts'
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
    /** A chunk that exists already was stored by a transaction whose confirmation got lost. SQLite then has it twice, and it is read once. */
    add: (chunk: Chunk) => add.run(database, chunk),

    after: (ask_id: string, chunk_number: number) =>
      database
        .selectFrom('ask_chunks')
        .select(['chunk_number', 'chunk_text'])
        .where('ask_id', '=', ask_id)
        .where('chunk_number', '>', chunk_number)
        .orderBy('chunk_number')
        .execute(),

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
