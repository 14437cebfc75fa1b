import { setImmediate, setTimeout } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Content, MessageMetadata } from '#contract/messages.ts'
import type { Job } from '../jobs/job.ts'
import type { Log } from '../logging.ts'
import type { Engine } from '../database/schema/definition.ts'
import type { OpenDatabase } from '../database/open.ts'
import type { Database, Transaction } from '../database/schema/schema.ts'
import {
  type Indexed,
  indexedOf,
  indexKnown,
  noFileTexts,
  type ReadFileTexts,
  searchedTextWithFiles,
} from './search.ts'

/**
 * Of the terms that are made of texts. A change of what `grams` gives needs another one: the messages of before are
 * then indexed anew.
 */
export const SEARCH_VERSION = 2

/** Messages of one transaction: whoever else wants to write waits for some milliseconds at most. */
const BATCH = 20
/** Milliseconds until it is tried again what another process is just doing. */
const LATER = 10_000
/** Milliseconds between reports of how far it has come. */
const SAVED_EVERY = 5_000
const DAY = 86_400_000

/**
 * Indexes all messages anew where the terms of some are those of an earlier version: from the newest to the oldest,
 * some at a time and no more than half of the time. The search answers meanwhile, from the terms that there are. How
 * far it has come is stored with each batch, so that whoever runs the job next goes on from there.
 */
export function searchReindex(open: OpenDatabase, log: Log, readFileTexts: ReadFileTexts = noFileTexts): Job {
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
        const step = await reindexSome(open, readFileTexts)
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

type State = { version: number; next_id: number | null }
type IndexedRow = Indexed & { id: number; content: unknown }

/** How many messages were indexed; later, when another process is at it. */
export async function reindexSome(
  open: OpenDatabase,
  readFileTexts: ReadFileTexts = noFileTexts,
): Promise<number | 'whole' | 'later'> {
  const state = await stateOf(open.database)
  if (state.version >= SEARCH_VERSION) return 'whole'
  // Read and taken apart before the transaction, in which others wait.
  const known: IndexedRow[] = []
  for (const { id, content, message_metadata, conversation_id } of await nextOnes(open, state)) {
    // Both were checked when they were stored.
    const message = { content: content as Content | null, metadata: message_metadata as MessageMetadata | null }
    const text = await searchedTextWithFiles(open.database, { ...message, conversation_id }, readFileTexts)
    known.push({ id, content, ...indexedOf(text) })
    await setImmediate()
  }
  return open.transaction(trx => reindex(trx, open.engine, state, known), { lowPriority: true })
}

const stateOf = (database: Database): Promise<State> =>
  database.selectFrom('search_index').select(['version', 'next_id']).executeTakeFirstOrThrow()

const searched = (database: Database) =>
  database
    .selectFrom('searched_messages')
    .leftJoin('messages', join =>
      join
        .onRef('messages.conversation_id', '=', 'searched_messages.conversation_id')
        .onRef('messages.message_id', '=', 'searched_messages.message_id'),
    )
    .select(['searched_messages.id', 'searched_messages.conversation_id'])
    .select(['messages.content', 'messages.message_metadata'])

const nextOnes = ({ database }: OpenDatabase, { next_id }: State) =>
  searched(database)
    .$if(next_id !== null, query => query.where('searched_messages.id', '<=', next_id ?? 0))
    .orderBy('searched_messages.id', 'desc')
    .limit(BATCH)
    .execute()

async function reindex(
  trx: Transaction,
  engine: Engine,
  state: State,
  known: readonly IndexedRow[],
): Promise<number | 'whole' | 'later'> {
  const held = await trx
    .selectFrom('search_index')
    .select(['version', 'next_id'])
    .$if(engine === 'postgresql', query => query.forNoKeyUpdate().skipLocked())
    .executeTakeFirst()
  if (held?.version !== state.version || held.next_id !== state.next_id) return 'later'
  const last = known.at(-1)
  if (last === undefined) {
    await trx.updateTable('search_index').set({ version: SEARCH_VERSION, next_id: null }).execute()
    return 'whole'
  }
  const still = await unchanged(trx, engine, known)
  if (engine === 'sqlite') await forgetTerms(trx, still)
  await indexKnown(trx, engine, still)
  await trx
    .updateTable('search_index')
    .set({ next_id: last.id - 1 })
    .execute()
  return known.length
}

/**
 * Some may have been withdrawn or deleted since they were read, or have other words, which whoever changed them has
 * indexed.
 */
async function unchanged(trx: Transaction, engine: Engine, known: readonly IndexedRow[]): Promise<IndexedRow[]> {
  const ids = known.map(({ id }) => id)
  const rows = await searched(trx)
    .where('searched_messages.id', 'in', ids)
    .$if(engine === 'postgresql', query => query.forUpdate('searched_messages'))
    .execute()
  const now = new Map(rows.map(({ id, content }) => [id, content]))
  return known.filter(({ id, content }) => now.has(id) && isDeepStrictEqual(now.get(id), content))
}

/** The index of SQLite has no contents, and takes no other terms for a row: it is removed, and added again. */
async function forgetTerms(trx: Transaction, known: readonly IndexedRow[]): Promise<void> {
  for (const { id } of known) {
    await sql`delete from message_terms where rowid = ${id}`.execute(trx)
    await sql`delete from message_ranks where id = ${id}`.execute(trx)
  }
}
