import { pino } from 'pino'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Message } from '#contract/messages.ts'
import { messageStore } from '#server/conversations/messageStore.ts'
import { anAnswer, someThoughts, storedAsk } from '#testing/asks.ts'
import { eachDatabase } from '#testing/database.ts'
import type { AskEnd } from './liveReply.ts'
import { openRemoteAsks } from './remoteAsks.ts'

const bus = { publish: () => {}, subscribe: () => () => {}, close: async () => {} }

eachDatabase((_name, open) => {
  describe('an ask that has ended in another process', () => {
    /** Its end, as whoever follows it here gets it, with these messages stored. */
    async function endOf(
      fields: { failure_key: string | null; first_token_time: number | null },
      answer: (question_id: string) => Message[],
    ): Promise<AskEnd> {
      const database = await open()
      const ask = await storedAsk(database, {
        ask_state: 'done',
        end_time: 9_000,
        outcome: fields.failure_key === null ? 'finished' : 'failed',
        question_id: 'q',
        reply_id: 'last',
        ...fields,
      })
      await messageStore(database.database).add(ask.conversation_id, [
        { ...anAnswer('q', 'Hi?'), role: 'user' },
        ...answer('q'),
      ])
      const remote = openRemoteAsks({
        open: database,
        bus,
        log: pino({ level: 'silent' }),
        likelyQuiet: async () => null,
      })
      const found = await remote(ask.user_id, ask.ask_id)
      onTestFinished(() => found?.leave())
      const phase = found?.reply.phase
      if (phase?.at !== 'ended') throw new Error('it has ended')
      return phase
    }

    test('brings every message of its answer, whatever their ids, and the record', async () => {
      const answer = [
        someThoughts('t', 'hm', 'q'),
        { ...anAnswer('any id', 'one'), parent: 't' },
        { ...anAnswer('last', 'two'), parent: 'any id' },
      ]
      const { stored, ...end } = await endOf({ failure_key: null, first_token_time: 5_000 }, () => [
        { ...anAnswer('of an ask before', 'zero'), parent: 'q' },
        ...answer,
      ])
      expect(end).toMatchObject({ at: 'ended', charged: true, failure: null })
      expect(stored?.messages).toMatchObject(answer.map(({ id, parent, content }) => ({ id, parent, content })))
      expect(stored?.conversation).toMatchObject({ source: 'openai_api', is_valid: true })
    })

    test('brings thoughts without an answer, uncharged', async () => {
      const { stored, ...end } = await endOf({ failure_key: 'openai.thoughtsOnly', first_token_time: null }, () => [
        someThoughts('last', 'hm', 'q'),
      ])
      expect(end).toMatchObject({ charged: false, failure: { key: 'openai.thoughtsOnly' } })
      expect(stored?.messages).toMatchObject([{ id: 'last', content: { content_type: 'thoughts' } }])
    })

    test('brings nothing where nothing is stored', async () => {
      const { stored } = await endOf({ failure_key: 'openai.500', first_token_time: null }, () => [])
      expect(stored?.messages).toEqual([])
    })
  })
})
