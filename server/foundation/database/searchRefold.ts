import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Content } from '#contract/messages.ts'
import { foldedText, withoutAccents } from '#contract/searchTerms.ts'
import type { Engine } from './definition.ts'
import type { OpenDatabase } from './open.ts'
import { prepared } from './prepared.ts'
import type { Database, Transaction } from './schema.ts'
import { type Indexed, indexedOf, indexKnown, searchedText } from './search.ts'

/** Messages that are read at a time; most have nothing that is folded in another way now, and are not written. */
const BATCH = 50

type Known = Indexed & { id: number }

/**
 * Indexes some of the messages anew that were indexed before texts were folded as they are now: from the newest to the oldest, in the same index,
 * which answers for both meanwhile. How many were looked at; later, when another process is at it.
 */
export async function refoldSome(open: OpenDatabase): Promise<number | 'whole' | 'later'> {
  const next_id = await nextId(open.database)
  if (next_id === undefined) return 'whole'
  const rows = await nextOnes.rows(open.database, { next_id, most: BATCH })
  const known: Known[] = []
  for (const { id, content } of rows) {
    // Content was checked when it was stored.
    const text = searchedText({ content: content as Content | null })
    if (foldedText(text) !== withoutAccents(text)) known.push({ id, ...indexedOf(text) })
    await setImmediate()
  }
  const last_id = rows.at(-1)?.id ?? null
  const isDone = await open.transaction(trx => refold(trx, open.engine, { next_id, last_id, known }), {
    lowPriority: true,
  })
  if (!isDone) return 'later'
  return last_id === null ? 'whole' : rows.length
}

type Step = { next_id: number; last_id: number | null; known: readonly Known[] }

async function refold(trx: Transaction, engine: Engine, { next_id, last_id, known }: Step): Promise<boolean> {
  const held = await trx
    .selectFrom('search_refold')
    .select('next_id')
    .$if(engine === 'postgresql', query => query.forNoKeyUpdate().skipLocked())
    .executeTakeFirst()
  if (held?.next_id !== next_id) return false
  if (last_id === null) {
    await trx.deleteFrom('search_refold').execute()
    return true
  }
  // Some may have been withdrawn or deleted since they were read.
  const ids = known.map(({ id }) => id)
  const left =
    ids.length === 0 ? [] : await trx.selectFrom('searched_messages').select('id').where('id', 'in', ids).execute()
  const there = new Set(left.map(({ id }) => id))
  const stay = known.filter(({ id }) => there.has(id))
  for (const { id } of stay) await forgetTerms(trx, engine, id)
  await indexKnown(trx, engine, stay)
  await trx
    .updateTable('search_refold')
    .set({ next_id: last_id - 1 })
    .execute()
  return true
}

/** An index without contents takes no other terms for a row: it is removed, and added again. */
async function forgetTerms(trx: Transaction, engine: Engine, id: number): Promise<void> {
  if (engine === 'postgresql') {
    await sql`update searched_messages set terms = null where id = ${id}`.execute(trx)
    return
  }
  await sql`delete from message_terms where rowid = ${id}`.execute(trx)
  await sql`delete from message_ranks where id = ${id}`.execute(trx)
}

const nextId = async (database: Database) =>
  (await database.selectFrom('search_refold').select('next_id').executeTakeFirst())?.next_id

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
