import type { Source } from '#contract/models.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { Log } from '#server/foundation/logging.ts'
import { chunkStore, type AskRow } from '#server/asks/store.ts'
import { LiveReply, type WrittenEvent } from './liveReply.ts'

/** Milliseconds. A crash loses at most this much of an answer. */
const FLUSH = 250

type Growing = { reply: LiveReply; flushed: number }

/**
 * Chunks: every 250 ms one transaction stores what all growing answers have gained. `onFlushed` is called for each of
 * them.
 */
export function openChunks({
  open,
  log,
  onFlushed,
}: {
  open: OpenDatabase
  log: Log
  onFlushed(ask_id: string): void
}) {
  const growing = new Map<string, Growing>()
  let flushing: Promise<void> = Promise.resolve()

  async function flush(): Promise<void> {
    const dirty = [...growing.values()].filter(({ reply, flushed }) => reply.n > flushed)
    if (dirty.length === 0) return
    const chunks = dirty.map(({ reply, flushed }) => ({
      ask_id: reply.ask_id,
      chunk_number: reply.n,
      chunk_text: JSON.stringify(reply.writtenSince(flushed)),
    }))
    await open.transaction(
      trx => {
        const store = chunkStore(trx)
        return Promise.all(chunks.map(chunk => store.add(chunk)))
      },
      { lowPriority: true },
    )
    for (const [index, grown] of dirty.entries()) {
      grown.flushed = chunks[index]?.chunk_number ?? grown.flushed
      onFlushed(grown.reply.ask_id)
    }
  }

  const timer = setInterval(() => {
    flushing = flushing
      .then(flush)
      .catch((error: unknown) => log.error({ err: error }, 'growing answers could not be written down'))
  }, FLUSH).unref()

  return {
    add: (reply: LiveReply): void => {
      growing.set(reply.ask_id, { reply, flushed: 0 })
    },
    /** Once this has resolved, no further chunk of this answer is written. */
    async remove(ask_id: string): Promise<void> {
      growing.delete(ask_id)
      await flushing
    },
    close: (): void => {
      clearInterval(timer)
    },
  }
}
export type Chunks = ReturnType<typeof openChunks>

/** The reply as its chunks have it, whichever process wrote them. */
export async function writtenReply(
  open: OpenDatabase,
  { ask_id, source, conversation_id }: Pick<AskRow, 'ask_id' | 'source' | 'conversation_id'>,
): Promise<LiveReply> {
  // only admission writes it
  const reply = new LiveReply({ ask_id, source: source as Source, conversation_id, question: null })
  await readOn(open, reply)
  return reply
}

/** Adds the chunks that a reply does not have yet. */
export async function readOn(open: OpenDatabase, reply: LiveReply): Promise<void> {
  for (const { chunk_text } of await chunkStore(open.database).after(reply.ask_id, reply.n)) {
    reply.replay(JSON.parse(chunk_text) as WrittenEvent[]) // written by flush, above
  }
}
