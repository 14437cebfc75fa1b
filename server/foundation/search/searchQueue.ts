import { setImmediate, setTimeout as pause } from 'node:timers/promises'
import type { Content, MessageMetadata } from '#contract/messages.ts'
import type { Log } from '../logging.ts'
import type { OpenDatabase } from '../database/open.ts'
import { prepared } from '../database/schema/prepared.ts'
import type { Transaction } from '../database/schema/schema.ts'
import {
  indexed,
  type IndexedMessage,
  type MessageKey,
  noFileTexts,
  type ReadFileTexts,
  searchedTextWithFiles,
  searchIndex,
} from './search.ts'

/** Milliseconds for which entries are gathered before they are indexed. */
const GATHER = 250
/** Entries of one transaction, and characters of their messages: others wait for a few milliseconds at most. */
const BATCH = 10
const MAX_CHARACTERS = 20_000
/** Milliseconds that a search waits for the queue; then it searches what is indexed. */
const MAX_FLUSH = 1_000

export type SearchQueue = ReturnType<typeof openSearchQueue>

/**
 * Indexes answers behind the transactions that store them: taking a text apart and writing its terms costs more than
 * everything else that is stored of an answer, and nobody who reads it waits for the search. The queue is a table, so
 * that nothing is left out after a crash.
 */
type Dependencies = { open: OpenDatabase; log: Log; readFileTexts?: ReadFileTexts }

export function openSearchQueue({ open, log, readFileTexts = noFileTexts }: Dependencies) {
  const closing = new AbortController()
  let timer: NodeJS.Timeout | null = null
  let running: Promise<void> | null = null
  /** Something was queued while the queue was being emptied. */
  let again = false
  /** Searches that wait. */
  let hurried = 0

  async function empty(): Promise<void> {
    try {
      while (!closing.signal.aborted) {
        const began = performance.now()
        if (!(await indexSome(open, readFileTexts))) {
          if (!again) return
          again = false
        } else if (hurried === 0) {
          // At most half of the time.
          await pause(performance.now() - began, undefined, { signal: closing.signal })
        }
      }
    } catch (error) {
      if (!closing.signal.aborted) log.error({ err: error }, 'messages could not be indexed for the search')
    } finally {
      running = null
    }
  }

  function start(): Promise<void> {
    if (running !== null) again = true
    running ??= empty()
    return running
  }

  function wake(): void {
    if (timer !== null || closing.signal.aborted) return
    timer = setTimeout(() => {
      timer = null
      void start()
    }, GATHER).unref()
  }

  return {
    /** Queues messages in the transaction that stores them. Call `wake` when that is over. */
    async add(trx: Transaction, messages: readonly MessageKey[]): Promise<void> {
      await Promise.all(messages.map(key => insert.run(trx, key)))
    },

    /** Something may be queued: by a transaction that is over, or by an earlier process. */
    wake,

    /** Resolves when all that was queued so far is indexed, or after a second. */
    async flush(): Promise<void> {
      hurried += 1
      const late = new AbortController()
      try {
        await Promise.race([start(), pause(MAX_FLUSH, undefined, { signal: late.signal, ref: false })])
      } finally {
        hurried -= 1
        late.abort()
      }
    },

    async close(): Promise<void> {
      if (timer !== null) clearTimeout(timer)
      closing.abort()
      await running
    },
  }
}

/**
 * Whether anything was queued. Other processes may be at the same entries: whoever deletes an entry indexes its
 * message.
 */
async function indexSome(
  { database, engine, transaction }: OpenDatabase,
  readFileTexts: ReadFileTexts,
): Promise<boolean> {
  const rows = await nextOnes.rows(database, { most: BATCH })
  const waiting: { id: number; message: IndexedMessage }[] = []
  let characters = 0
  for (const { id, content, message_metadata, ...key } of rows) {
    // Both were checked when they were stored.
    const message = { content: content as Content | null, metadata: message_metadata as MessageMetadata | null }
    const text = await searchedTextWithFiles(database, { ...message, ...key }, readFileTexts)
    characters += text.length
    if (waiting.length > 0 && characters > MAX_CHARACTERS) break
    waiting.push({ id, message: indexed({ ...key, text }) })
    await setImmediate()
  }
  if (waiting.length === 0) return false
  await transaction(
    async trx => {
      const taken = await Promise.all(waiting.map(({ id }) => take.changes(trx, { id })))
      const messages = waiting.filter((_, index) => taken[index]).map(({ message }) => message)
      await searchIndex(engine).addIndexed(
        trx,
        messages.filter(({ text }) => text !== ''),
      )
    },
    { lowPriority: true },
  )
  return true
}

const insert = prepared((database, key: MessageKey) => database.insertInto('search_queue').values(key))

const nextOnes = prepared((database, { most }: { most: number }) =>
  database
    .selectFrom('search_queue')
    .leftJoin('messages', join =>
      join
        .onRef('messages.conversation_id', '=', 'search_queue.conversation_id')
        .onRef('messages.message_id', '=', 'search_queue.message_id'),
    )
    .select(['search_queue.id', 'search_queue.conversation_id', 'search_queue.message_id'])
    .select(['messages.content', 'messages.message_metadata'])
    .orderBy('search_queue.id')
    .limit(most),
)

const take = prepared((database, { id }: { id: number }) => database.deleteFrom('search_queue').where('id', '=', id))
