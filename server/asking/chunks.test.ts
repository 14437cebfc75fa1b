import { pino } from 'pino'
import { describe, expect, onTestFinished, test } from 'vitest'
import { textOf } from '#contract/messages.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { anAnswer, storedAsk } from '#testing/asks.ts'
import { eachDatabase } from '#testing/database.ts'
import { openChunks, readOn, writtenReply } from './chunks.ts'
import { LiveReply } from './liveReply.ts'
import { chunkStore } from '#server/asks/store.ts'

/** The chunks on a database, and a wait for the next flush. */
function writing(open: OpenDatabase) {
  let flushed = Promise.withResolvers<string>()
  const chunks = openChunks({ open, log: pino({ level: 'silent' }), onFlushed: ask_id => flushed.resolve(ask_id) })
  onTestFinished(() => chunks.close())
  return {
    chunks,
    async flushed(): Promise<string> {
      const ask_id = await flushed.promise
      flushed = Promise.withResolvers()
      return ask_id
    },
  }
}

const startedReply = (ask_id: string) => {
  const reply = new LiveReply({ ask_id, source: 'openai_api', conversation_id: 'c', question: null })
  reply.take({ type: 'message', message: anAnswer('m', '') })
  return reply
}
const rowsOf = (open: OpenDatabase, ask_id: string) => chunkStore(open.database).after(ask_id, 0)

eachDatabase((_name, open) => {
  describe('a growing answer', () => {
    test('is written down as it grows, and read again to the letter', async () => {
      const database = await open()
      const { ask_id, conversation_id } = await storedAsk(database)
      const { chunks, flushed } = writing(database)
      const reply = startedReply(ask_id)
      chunks.add(reply)
      for (const text of ['一二三 ', '😀 \n', 'end']) {
        reply.take({ type: 'text', text })
        expect(await flushed()).toBe(ask_id)
      }
      const read = await writtenReply(database, { ask_id, source: 'openai_api', conversation_id })
      expect(read.messages()).toEqual(reply.messages())
      expect(read.n).toBe(reply.n)
      expect(read.hasText).toBe(true)
      expect(await rowsOf(database, ask_id)).toHaveLength(3)
    })

    test('is written down with the id of its conversation at the upstream', async () => {
      const database = await open()
      const { ask_id, conversation_id } = await storedAsk(database)
      const { chunks, flushed } = writing(database)
      const reply = startedReply(ask_id)
      reply.take({ type: 'conversation', upstream_conversation_id: 'theirs' })
      chunks.add(reply)
      await flushed()
      const read = await writtenReply(database, { ask_id, source: 'openai_api', conversation_id })
      expect([read.upstream_conversation_id, read.n]).toEqual(['theirs', reply.n])
    })

    test('is read on from where a reader is', async () => {
      const database = await open()
      const { ask_id, conversation_id } = await storedAsk(database)
      const { chunks, flushed } = writing(database)
      const reply = startedReply(ask_id)
      chunks.add(reply)
      reply.take({ type: 'text', text: 'one ' })
      await flushed()
      const read = await writtenReply(database, { ask_id, source: 'openai_api', conversation_id })
      reply.take({ type: 'text', text: 'two' })
      await flushed()
      await readOn(database, read)
      expect(read.messages().map(textOf)).toEqual(['one two'])
    })

    test('is not written any more once it was taken away', async () => {
      const database = await open()
      const [gone, other] = [await storedAsk(database), await storedAsk(database)]
      const { chunks, flushed } = writing(database)
      const [reply, staying] = [startedReply(gone.ask_id), startedReply(other.ask_id)]
      chunks.add(reply)
      await flushed()
      await chunks.remove(gone.ask_id)
      reply.take({ type: 'text', text: 'too late' })
      chunks.add(staying)
      expect(await flushed()).toBe(other.ask_id)
      expect(await rowsOf(database, gone.ask_id)).toHaveLength(1)
    })
  })

  describe('a piece whose storing was not confirmed', () => {
    test('is written again without harm, and read once', async () => {
      const database = await open()
      const { ask_id, conversation_id } = await storedAsk(database)
      const store = chunkStore(database.database)
      const first = { n: 1, type: 'message', message: anAnswer('m', '') }
      const chunk = (chunk_number: number, ...events: object[]) => ({
        ask_id,
        chunk_number,
        chunk_text: JSON.stringify(events),
      })
      await store.add(chunk(4, first, { n: 4, t: 'abc' }))
      await store.add(chunk(4, first, { n: 4, t: 'abc' }))
      // It was believed lost, so the next one begins where that one did.
      await store.add(chunk(7, { n: 7, t: 'abcdef' }))
      await store.add(chunk(9, { n: 9, t: 'gh' }))
      const read = await writtenReply(database, { ask_id, source: 'openai_api', conversation_id })
      expect(read.messages().map(textOf)).toEqual(['abcdefgh'])
      expect(read.n).toBe(9)
    })
  })
})
