import { describe, expect, test } from 'vitest'
import { NO_SOURCES } from '#server/sources/noSources.testing.ts'
import type { Message } from '#contract/messages.ts'
import { Configuration } from '#contract/configuration/configuration.ts'
import { findEffectiveSetting } from '#server/policy/effectiveSetting.ts'
import { IN_ALL, usageStore } from '#server/usage/store.ts'
import { messageStore } from '#server/conversations/messageStore.ts'
import { conversationStore } from '#server/conversations/store.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { searchIndex } from '#server/foundation/search/search.ts'
import { openSearchQueue } from '#server/foundation/search/searchQueue.ts'
import { openLog } from '#server/foundation/logging.ts'
import { anAnswer, someThoughts, storedAsk } from '#testing/asks.ts'
import { eachDatabase } from '#testing/database.ts'
import { NO_POOLS } from '#testing/upstreams.ts'
import { chunkStore, askStore } from '#server/asks/store.ts'
import { type AskResult, openCompletion } from './completion.ts'

const NOW = 10_500
const clock = { now: () => NOW, monotonic: () => NOW }
const log = openLog('WARNING')
/** Nothing is indexed before somebody searches: the database may be closed by then. */
const completing = (open: OpenDatabase) =>
  openCompletion({
    open,
    clock,
    searchQueue: { add: openSearchQueue({ open, log }).add, wake: () => undefined },
    sources: NO_SOURCES,
    priceAt: () => null,
    notices: { ended: async () => undefined, wake: () => undefined },
    pools: NO_POOLS,
  })

const aQuestion = (id: string, time: number): Message => ({
  ...anAnswer(id, '热泵冬天也能用吗？'),
  role: 'user',
  model: null,
  metadata: null,
  create_time: new Date(time).toISOString(),
})

const INTERRUPTED = { key: 'interrupted', values: {} } as const

/** An ask of somebody who had one left and has reserved it, with an answer of which something was written down. */
async function running(open: OpenDatabase, text = 'the answer', complete = completing(open)) {
  const ask = await storedAsk(open, { reserved: { total: true, model: false } })
  await open.database
    .insertInto('user_source_settings')
    .values({
      user_id: ask.user_id,
      source: 'openai_api',
      total_ask_allowed: 1,
    })
    .execute()
  await usageStore(open.database).take({ user_id: ask.user_id, source: 'openai_api', model: IN_ALL }, 1)
  const finished: AskResult = {
    ask_id: ask.ask_id,
    upstream_id: 1,
    outcome: 'finished',
    failure: null,
    messages: [anAnswer(ask.reply_id, text)],
    hasText: text !== '',
    first_token_time: 4_000,
    upstream_conversation_id: null,
  }
  const { database } = open
  return {
    ...ask,
    complete,
    finished,
    row: () => askStore(database).find(ask.ask_id),
    messages: () =>
      database
        .selectFrom('messages')
        .select(['message_id', 'message_metadata'])
        .where('conversation_id', '=', ask.conversation_id)
        .execute(),
    ledger: () =>
      database.selectFrom('ask_ledger').select(['change', 'reason']).where('ask_id', '=', ask.ask_id).execute(),
    left: () =>
      findEffectiveSetting(database, Configuration.parse({}), ask.user_id, 'openai_api').then(
        setting => setting?.total_ask_count,
      ),
    logs: () =>
      database
        .selectFrom('ask_logs')
        .select(['queueing_time', 'ask_time', 'outcome', 'failure_key', 'answered'])
        .where('user_id', '=', ask.user_id)
        .execute(),
    find: async (words: string) => {
      await openSearchQueue({ open, log }).flush()
      const found = { conversation_ids_of_user: ask.user_id, words, limit: 10 }
      return (await searchIndex(open.engine).find(database, found)).map(({ message_id }) => message_id)
    },
  }
}

eachDatabase((_name, open) => {
  describe('the end of an ask', () => {
    test('stores the answer, settles and logs the times', async () => {
      const ask = await running(await open())
      expect(await ask.complete(ask.finished)).toMatchObject({ charged: true })
      expect(await ask.row()).toMatchObject({
        ask_state: 'done',
        outcome: 'finished',
        failure_key: null,
        failure_values: null,
        first_token_time: 4_000,
        end_time: NOW,
      })
      expect((await ask.messages()).map(({ message_id }) => message_id)).toEqual([ask.reply_id])
      expect([await ask.ledger(), await ask.left()]).toEqual([[], 0])
      expect(await ask.logs()).toEqual([
        { queueing_time: 2, ask_time: 7.5, outcome: 'finished', failure_key: null, answered: true },
      ])
    })

    test('of several messages chains those without a parent, and is read again as it was', async () => {
      const database = await open()
      const ask = await running(database)
      const messages = ['one', 'two', 'three'].map(id => anAnswer(id, `${id}.`))
      const question = { ...aQuestion(ask.question_id, 1_000), parent: null }
      const result = { ...ask.finished, messages: [question, ...messages], upstream_conversation_id: 'theirs' }
      const end = await ask.complete(result)
      expect(end.stored?.messages.map(({ id, parent }) => [id, parent])).toEqual([
        ['one', ask.question_id],
        ['two', 'one'],
        ['three', 'two'],
      ])
      expect(await conversationStore(database.database).find(ask.conversation_id)).toMatchObject({
        current_node: 'three',
        upstream_conversation_id: 'theirs',
      })
      expect((await ask.complete(result)).stored?.messages.map(({ id }) => id)).toEqual(['one', 'two', 'three'])
    })

    test('gives a message that is there already its new content, and never one of the other side', async () => {
      const database = await open()
      const ask = await running(database)
      const messages = messageStore(database.database)
      const question = aQuestion(ask.question_id, 1_000)
      await messages.add(ask.conversation_id, [question, anAnswer('theirs', 'the first half')])
      const again = [anAnswer('theirs', 'the first half, and the second'), anAnswer(ask.question_id, 'not mine')]
      await ask.complete({ ...ask.finished, messages: again })
      const stored = await messages.listOf(ask.conversation_id)
      expect(stored.map(({ message_id, content }) => [message_id, content])).toEqual([
        [ask.question_id, question.content],
        ['theirs', again[0]?.content],
      ])
    })

    test('drops the chunks, its own alone', async () => {
      const database = await open()
      const [ask, other] = [await running(database), await running(database)]
      const chunks = chunkStore(database.database)
      for (const { ask_id } of [ask, other]) await chunks.add({ ask_id, chunk_number: 1, chunk_text: '[]' })
      await ask.complete(ask.finished)
      expect(await chunks.after(ask.ask_id, 0)).toEqual([])
      expect(await chunks.after(other.ask_id, 0)).toHaveLength(1)
    })

    test('happens once, however often and by whomever it is told', async () => {
      const ask = await running(await open())
      await Promise.all([
        ask.complete(ask.finished),
        ask.complete(ask.finished),
        ask.complete({ ...ask.finished, outcome: 'interrupted', failure: INTERRUPTED }),
      ])
      await ask.complete({ ...ask.finished, outcome: 'failed', hasText: false, messages: [] })
      expect(await ask.messages()).toHaveLength(1)
      expect(await ask.logs()).toHaveLength(1)
      expect(await ask.ledger()).toEqual([])
    })

    test('is told as it was stored, to whoever comes too late', async () => {
      const ask = await running(await open())
      const interrupted: AskResult = {
        ...ask.finished,
        outcome: 'interrupted',
        failure: { key: 'interrupted', values: {} },
      }
      expect(await ask.complete(interrupted)).toMatchObject({
        outcome: 'interrupted',
        failure: interrupted.failure,
        charged: true,
      })
      expect(await ask.complete({ ...ask.finished, hasText: false, messages: [] })).toMatchObject({
        outcome: 'interrupted',
        failure: interrupted.failure,
        charged: true,
      })
    })

    test('that was not whole names the conversation by the first line of its first question, unless it has a name', async () => {
      for (const [outcome, title, expected] of [
        ['failed', null, '热泵冬天也能用吗？'],
        ['interrupted', null, '热泵冬天也能用吗？'],
        ['stopped', null, '热泵冬天也能用吗？'],
        ['finished', null, null],
        ['failed', 'Mine', 'Mine'],
      ] as const) {
        const opened = await open()
        const ask = await running(opened)
        const store = conversationStore(opened.database)
        await store.change(ask.conversation_id, { title })
        await messageStore(opened.database).add(ask.conversation_id, [
          aQuestion((await ask.row())?.question_id ?? '', 0),
        ])
        await ask.complete({ ...ask.finished, outcome, failure: outcome === 'finished' ? null : INTERRUPTED })
        expect((await store.find(ask.conversation_id))?.title).toBe(expected)
      }
    })

    test('without a token gives the ask back, once, and stores no answer', async () => {
      const ask = await running(await open(), '')
      const failed: AskResult = {
        ...ask.finished,
        outcome: 'failed',
        failure: { key: 'openai.429', values: { status: 429, retry_after_seconds: 40 } },
        first_token_time: null,
      }
      expect(await ask.complete(failed)).toMatchObject({ charged: false })
      await ask.complete(failed)
      expect([await ask.ledger(), await ask.left()]).toEqual([[{ change: 1, reason: 'given back' }], 1])
      expect(await ask.row()).toMatchObject({
        outcome: 'failed',
        failure_key: 'openai.429',
        failure_values: { status: 429, retry_after_seconds: 40 },
        first_token_time: null,
      })
      expect(await ask.messages()).toEqual([])
      expect(await ask.logs()).toMatchObject([{ outcome: 'failed', failure_key: 'openai.429', answered: false }])
    })

    test('with nothing but thoughts keeps them, gives the ask back and leaves the conversation where it was', async () => {
      const database = await open()
      const ask = await running(database, '')
      const failure = { key: 'openai.thoughtsOnly', values: {} } as const
      const messages = [someThoughts('t', 'Hm, 热泵', ask.question_id), anAnswer(ask.reply_id, '')]
      expect(await ask.complete({ ...ask.finished, outcome: 'failed', failure, messages })).toMatchObject({
        outcome: 'failed',
        failure,
        charged: false,
      })
      expect(await ask.messages()).toEqual([
        {
          message_id: 't',
          message_metadata: expect.objectContaining({
            ending: 'failed',
            failure: { tip: 'errors.openai.thoughtsOnly', values: null, charged: false },
          }),
        },
      ])
      expect([await ask.left(), await ask.find('热泵')]).toEqual([1, []])
      expect((await conversationStore(database.database).find(ask.conversation_id))?.current_node).not.toBe('t')
    })

    test('marks the answer, and not the thoughts before it', async () => {
      const ask = await running(await open())
      await ask.complete({
        ...ask.finished,
        outcome: 'failed',
        failure: INTERRUPTED,
        messages: [someThoughts('t', 'Hm'), ...ask.finished.messages],
      })
      expect((await ask.messages()).map(({ message_metadata }) => message_metadata?.['ending'])).toEqual([
        undefined,
        'failed',
      ])
    })

    for (const outcome of ['stopped', 'interrupted', 'failed'] as const) {
      test(`that is ${outcome} is marked on what had arrived`, async () => {
        const ask = await running(await open())
        await ask.complete({ ...ask.finished, outcome, failure: outcome === 'stopped' ? null : INTERRUPTED })
        expect((await ask.messages()).map(({ message_metadata }) => message_metadata)).toEqual([
          expect.objectContaining({ source: 'openai_api', ending: outcome }),
        ])
      })
    }

    for (const [end, text] of [
      ['with an answer', 'the answer'],
      ['without one', ''],
    ] as const) {
      test(`lets the search find the question, ${end}`, async () => {
        const database = await open()
        const ask = await running(database, text)
        await messageStore(database.database).add(ask.conversation_id, [aQuestion(ask.question_id, 1_000)])
        expect(await ask.find('热泵')).toEqual([])
        await ask.complete(ask.finished)
        expect(await ask.find('热泵')).toEqual([ask.question_id])
      })
    }

    test('leaves a question of old, answered anew, as the search knows it', async () => {
      const database = await open()
      const ask = await running(database)
      await messageStore(database.database).add(ask.conversation_id, [aQuestion(ask.question_id, 999)])
      await ask.complete(ask.finished)
      expect(await ask.find('热泵')).toEqual([])
      expect(await ask.find('answer')).toEqual([ask.reply_id])
    })

    test('counts the time of the first token as that of the end when nobody saw it', async () => {
      const ask = await running(await open())
      await ask.complete({ ...ask.finished, outcome: 'interrupted', first_token_time: null })
      expect(await ask.row()).toMatchObject({ first_token_time: NOW })
    })

    test('of a conversation that is gone is settled all the same', async () => {
      const database = await open()
      const ask = await running(database)
      await database.database.deleteFrom('conversations').where('conversation_id', '=', ask.conversation_id).execute()
      expect(await ask.complete(ask.finished)).toMatchObject({ charged: true })
      expect(await ask.messages()).toEqual([])
      expect(await ask.row()).toMatchObject({ ask_state: 'done' })
    })

    test('is stored for each of many that end at the same moment, but for one that cannot be', async () => {
      const database = await open()
      const complete = completing(database)
      const asks = await Promise.all(
        Array.from({ length: 40 }, (_, index) => running(database, `answer ${index}`, complete)),
      )
      const unstorable =
        asks[7]?.finished.messages.map(message => ({ ...message, author_name: 'half a pair: \uD83D' })) ?? []
      const ends = await Promise.allSettled(
        asks.map(({ finished }, index) => complete(index === 7 ? { ...finished, messages: unstorable } : finished)),
      )
      for (const [index, ask] of asks.entries()) {
        const isStored = index !== 7
        expect(ends[index]).toMatchObject(
          isStored ? { value: { outcome: 'finished', charged: true } } : { reason: { name: 'UnstorableText' } },
        )
        expect(await ask.row()).toMatchObject({ outcome: isStored ? 'finished' : null })
        expect(await ask.find(`${index}`)).toEqual(isStored ? [ask.reply_id] : [])
      }
    })

    test('of an ask that nobody knows changes nothing', async () => {
      const ask = await running(await open())
      await ask.complete({ ...ask.finished, ask_id: 'else' })
      expect(await ask.messages()).toEqual([])
      expect(await ask.row()).toMatchObject({ ask_state: 'asking' })
    })
  })
})
