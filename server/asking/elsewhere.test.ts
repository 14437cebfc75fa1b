import { pino } from 'pino'
import { describe, expect, onTestFinished, test } from 'vitest'
import { messageStore } from '#server/conversations/messageStore.ts'
import { anAnswer, someThoughts, storedAsk } from '#testing/asks.ts'
import { eachDatabase } from '#testing/database.ts'
import { thoughtsIdOf } from './answers.ts'
import { openElsewhere } from './elsewhere.ts'

const bus = { publish: () => {}, subscribe: () => () => {}, close: async () => {} }

eachDatabase((_name, open) => {
  describe('an ask that has ended in another process', () => {
    /** What whoever follows it is told, with these messages stored. */
    async function followed(
      fields: { failure_key: string | null; first_token_time: number | null },
      stored: { thoughts?: string; answer?: string },
      after = 0,
    ) {
      const database = await open()
      const ask = await storedAsk(database, {
        ask_state: 'done',
        end_time: 9_000,
        outcome: fields.failure_key === null ? 'finished' : 'failed',
        ...fields,
      })
      const thoughts_id = thoughtsIdOf(ask.reply_id)
      const messages = [
        ...(stored.thoughts === undefined ? [] : [someThoughts(thoughts_id, stored.thoughts, ask.question_id)]),
        ...(stored.answer === undefined ? [] : [{ ...anAnswer(ask.reply_id, stored.answer), parent: thoughts_id }]),
      ]
      await messageStore(database.database).add(ask.conversation_id, messages)
      const found = await openElsewhere({ open: database, bus, log: pino({ level: 'silent' }) })(
        ask.user_id,
        ask.ask_id,
        after,
      )
      onTestFinished(() => found?.leave())
      return { reply: found!.reply, ask, thoughts_id }
    }

    test('brings its thoughts and its answer, each as it was stored, in their order', async () => {
      const { reply, ask, thoughts_id } = await followed(
        { failure_key: null, first_token_time: 5_000 },
        { thoughts: 'hm', answer: 'Hi' },
      )
      const events = reply.since(0)
      expect(events).toMatchObject([
        { message: { id: thoughts_id, content: { text: 'hm' } } },
        { message: { id: ask.reply_id, parent: thoughts_id, content: { text: 'Hi' } } },
      ])
      expect(reply.messagesSince(0)).toMatchObject([{ id: ask.reply_id, parent: ask.question_id }])
      expect(reply.phase).toMatchObject({ at: 'ended', charged: true, failure: null })
    })

    test('brings both once more to who had more than was written down', async () => {
      const { reply } = await followed(
        { failure_key: null, first_token_time: 5_000 },
        { thoughts: 'hm', answer: 'Hi' },
        40,
      )
      expect(reply.since(40)).toHaveLength(2)
    })

    test('brings thoughts without an answer, uncharged', async () => {
      const { reply, thoughts_id } = await followed(
        { failure_key: 'openai.thoughtsOnly', first_token_time: null },
        { thoughts: 'hm' },
      )
      expect(reply.since(0)).toMatchObject([{ message: { id: thoughts_id } }])
      expect(reply.phase).toMatchObject({ at: 'ended', charged: false, failure: { key: 'openai.thoughtsOnly' } })
      expect(reply.messagesSince(0)).toEqual([])
    })
  })
})
