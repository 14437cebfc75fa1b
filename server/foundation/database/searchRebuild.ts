import { setImmediate, setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Content } from '#contract/messages.ts'
import type { Job } from '../jobs/job.ts'
import type { Log } from '../logging.ts'
import type { Engine } from './definition.ts'
import { dropEarlierIndex } from './earlierSearch.ts'
import type { OpenDatabase } from './open.ts'
import { prepared } from './prepared.ts'
import type { Database, Transaction } from './schema.ts'
import { indexedOf, indexKnown, searchedText } from './search.ts'
import { refoldSome } from './searchRefold.ts'

/** Messages of one transaction: whoever else wants to write waits for some milliseconds at most. */
const BATCH = 20
/** Milliseconds until it is tried again what another process is just doing. */
const LATER = 10_000
/** Milliseconds between reports of how far it has come. */
const SAVED_EVERY = 5_000
const DAY = 86_400_000

/**
 * Makes the index of a database of an earlier schema anew, in the background: from the newest message to the oldest, some at a time and no more
 * than half of the time. How far it has come is stored with each batch, so that whoever runs the job next goes on from there. Then the
 * earlier index is dropped.
 */
export function searchRebuild(open: OpenDatabase, log: Log): Job {
  return {
    name: 'search index',
    every: DAY,
    longest: DAY,
    async run({ progress, save, signal }) {
      let filled = progress?.done ?? 0
      let saved = performance.now()
      while (true) {
        signal.throwIfAborted()
        const began = performance.now()
        const step = await nextStep(open)
        if (step === 'whole') break
        if (step !== 'later') filled += step
        if (performance.now() - saved > SAVED_EVERY) {
          await save({ done: filled })
          saved = performance.now()
        }
        await setTimeout(step === 'later' ? LATER : performance.now() - began, undefined, { signal, ref: false })
      }
      if (filled > 0) log.info({ filled }, 'the search index was made anew')
      return { filled }
    },
  }
}

/** First the index of an earlier schema is replaced, then what is folded in an earlier way in the present one. */
async function nextStep(open: OpenDatabase): Promise<number | 'whole' | 'later'> {
  const step = await fillSome(open)
  return step === 'whole' ? refoldSome(open) : step
}

/** How many messages were added; later, when another process is at it. */
export async function fillSome(open: OpenDatabase): Promise<number | 'whole' | 'later'> {
  const next_id = await nextId(open.database)
  if (next_id === undefined) return 'whole'
  // Read and taken apart before the transaction, in which others wait.
  const known: Known[] = []
  for (const { id, content } of await nextOnes.rows(open.database, { next_id, most: BATCH })) {
    // Content was checked when it was stored.
    known.push({ id, ...indexedOf(searchedText({ content: content as Content | null })) })
    await setImmediate()
  }
  return open.transaction(trx => fill(trx, open.engine, next_id, known), { lowPriority: true })
}

type Known = ReturnType<typeof indexedOf> & { id: number }

async function fill(
  trx: Transaction,
  engine: Engine,
  next_id: number,
  known: readonly Known[],
): Promise<number | 'whole' | 'later'> {
  const held = await trx
    .selectFrom('search_rebuild')
    .select('next_id')
    .$if(engine === 'postgresql', query => query.forNoKeyUpdate().skipLocked())
    .executeTakeFirst()
  if (held?.next_id !== next_id) return 'later'
  const last = known.at(-1)
  if (last === undefined) return goBackOrFinish(trx, engine)
  const ids = known.map(({ id }) => id)
  // Some may have been withdrawn or deleted since they were read.
  const left = new Set(
    (await trx.selectFrom('searched_messages').select('id').where('id', 'in', ids).execute()).map(({ id }) => id),
  )
  await indexKnown(
    trx,
    engine,
    known.filter(({ id }) => left.has(id)),
  )
  await trx
    .updateTable('search_rebuild')
    .set({ next_id: last.id - 1 })
    .execute()
  return known.length
}

const nextId = async (database: Database) =>
  (await database.selectFrom('search_rebuild').select('next_id').executeTakeFirst())?.next_id

const nextOnes = prepared((database, { next_id, most }: { next_id: number; most: number }) =>
  database
    .selectFrom('searched_messages')
    .leftJoin('messages', join =>
      join
        .onRef('messages.conversation_id', '=', 'searched_messages.conversation_id')
        .onRef('messages.message_id', '=', 'searched_messages.message_id'),
    )
    .select(['searched_messages.id', 'messages.content'])
    .where('searched_messages.id', '<=', next_id)
    .orderBy('searched_messages.id', 'desc')
    .limit(most),
)

/** On PostgreSQL a process of the program before, still at work, may have added messages to the earlier index only. */
async function goBackOrFinish(trx: Transaction, engine: Engine): Promise<number | 'whole'> {
  if (engine === 'postgresql') {
    const {
      rows: [missing],
    } = await sql<{ id: number | null }>`select max(id) as id from searched_messages where terms is null`.execute(trx)
    if (missing !== undefined && missing.id !== null) {
      await trx.updateTable('search_rebuild').set({ next_id: missing.id }).execute()
      return 0
    }
  }
  // Whoever adds messages holds this row (search.ts): they are in both indexes, or find it gone.
  await trx.deleteFrom('search_rebuild').execute()
  await dropEarlierIndex(trx, engine)
  return 'whole'
}
