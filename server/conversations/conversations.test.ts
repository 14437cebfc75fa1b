import { describe, expect, test } from 'vitest'
import type { ConversationHistory, ConversationRecord, SearchResults } from '#contract/conversations.ts'
import { eachStorage } from '#testing/database.ts'
import type { Person } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'

const list = (person: Person) => person.result<ConversationRecord[]>('GET', '/conv')

/** One question and its answer; the id of the conversation. */
async function conversation(person: Person, text: string, new_title = 'a title'): Promise<string> {
  return String((await person.ask(text, { new_title }))[0]?.['conversation_id'])
}

eachStorage((_name, storage) => {
  describe('one’s own conversations', () => {
    test('are listed with the latest used first, as the records of the specification', async () => {
      const { person } = await startPortal({ storage: await storage() })
      const lin = await person()
      const first = await conversation(lin, 'one', 'first')
      await conversation(lin, 'two', 'second')
      const { current_node } = await lin.result<ConversationHistory>('GET', `/conv/${first}`)
      await lin.ask('again', { new_conversation: false, conversation_id: first, parent: current_node })
      const records = await list(lin)
      expect(records.map(record => record.title)).toEqual(['first', 'second'])
      expect(records[0]).toEqual({
        id: expect.any(Number),
        source: 'openai_api',
        conversation_id: first,
        source_id: null,
        title: 'first',
        user_id: lin.id,
        is_valid: true,
        current_model: 'gpt_4',
        create_time: expect.stringMatching(/Z$/),
        update_time: expect.stringMatching(/Z$/),
      })
    })

    test('are renamed', async () => {
      const { person } = await startPortal({ storage: await storage() })
      const lin = await person()
      const id = await conversation(lin, 'one')
      expect(await lin.result('PATCH', `/conv/${id}?title=${encodeURIComponent('热泵，多久能回本')}`)).toMatchObject({
        title: '热泵，多久能回本',
      })
      expect((await lin.result<ConversationHistory>('GET', `/conv/${id}`)).title).toBe('热泵，多久能回本')
      for (const title of ['', '  ', 'two\nlines', 'x'.repeat(201)]) {
        expect(
          await lin.call('PATCH', `/conv/${id}?title=${encodeURIComponent(title)}`),
          JSON.stringify(title),
        ).toMatchObject({
          code: 422,
          message: 'errors.requestValidationError',
          detail: [{ loc: ['query', 'title'] }],
        })
      }
    })

    test('come back when a deletion is taken back, unless there is no room for them any more', async () => {
      const { person, admin } = await startPortal({ storage: await storage() })
      const lin = await person()
      const id = await conversation(lin, 'one')
      await lin.result('DELETE', `/conv/${id}`)
      expect(await lin.result('POST', `/conv/${id}/restore`)).toMatchObject({ conversation_id: id, is_valid: true })
      expect(await list(lin)).toMatchObject([{ conversation_id: id }])
      await lin.result('DELETE', `/conv/${id}`)
      await admin.result('PATCH', `/user/${lin.id}/setting`, { openai_api: { max_conv_count: 1 } })
      await conversation(lin, 'two')
      expect(await lin.call('POST', `/conv/${id}/restore`)).toMatchObject({
        message: 'errors.maxConversationCountReached',
      })
      expect(await list(lin)).toHaveLength(1)
      expect(await admin.result('POST', `/conv/${id}/restore`)).toMatchObject({ is_valid: true })
    })

    test('leave the list all at once, and only one’s own', async () => {
      const { person } = await startPortal({ storage: await storage() })
      const [lin, mei] = [await person(), await person()]
      await conversation(lin, 'one')
      await conversation(lin, 'two')
      await conversation(mei, 'three')
      expect(await lin.call('DELETE', '/conv')).toEqual({ code: 200, message: '', result: null })
      expect(await list(lin)).toEqual([])
      expect(await list(mei)).toHaveLength(1)
    })

    test('are the history document of the specification', async () => {
      const { person } = await startPortal({ storage: await storage() })
      const lin = await person()
      const id = await conversation(lin, 'one')
      const history = await lin.result<ConversationHistory>('GET', `/conv/${id}`)
      expect(Object.keys(history).toSorted()).toEqual([
        '_id',
        'create_time',
        'current_model',
        'current_node',
        'mapping',
        'metadata',
        'running_ask',
        'source',
        'title',
        'update_time',
      ])
      const [question, answer] = Object.values(history.mapping)
      expect(question).toMatchObject({
        role: 'user',
        parent: null,
        children: [answer?.id],
        content: { content_type: 'text', text: 'one' },
        metadata: { source: 'openai_api' },
      })
      expect(answer).toMatchObject({
        role: 'assistant',
        parent: question?.id,
        children: [],
        metadata: { usage: { prompt_tokens: expect.any(Number) } },
      })
      expect(await lin.result('GET', `/conv/${id}/cache`)).toEqual(history)
    })
  })

  describe('a search', () => {
    test('finds Chinese words of two characters in questions and answers, one’s own only', async () => {
      const { person, simulator } = await startPortal({ storage: await storage() })
      const [lin, mei] = [await person(), await person()]
      simulator.nextAnswer('家里的热泵四年左右回本。')
      const id = await conversation(lin, '换不换？')
      await conversation(mei, '热泵是什么')
      const found = await lin.result<SearchResults>('GET', `/conv/search?words=${encodeURIComponent('热泵')}`)
      expect(found).toEqual({
        total: 1,
        results: [
          {
            conversation_id: id,
            message_id: expect.any(String),
            title: 'a title',
            role: 'assistant',
            create_time: expect.any(String),
            excerpt: '家里的热泵四年左右回本。',
          },
        ],
      })
      expect(await lin.result('GET', `/conv/search?words=${encodeURIComponent('不存在')}`)).toEqual({
        results: [],
        total: 0,
      })
    })

    test('with more results than fit says how many there are, and gives the rest when asked', async () => {
      const { person } = await startPortal({ storage: await storage() })
      const lin = await person()
      const messages = Array.from({ length: 60 }, (_, at) => ({
        id: `m${at}`,
        parent: null,
        role: 'user',
        author_name: null,
        model: null,
        create_time: null,
        content: { content_type: 'text', text: `热泵 ${at}` },
        metadata: null,
      }))
      const time = '2026-03-02T10:00:00.000Z'
      await lin.result('POST', '/conv/import', {
        conversations: [
          {
            id: 'c',
            title: 't',
            create_time: time,
            update_time: time,
            current_node: null,
            current_model: null,
            messages,
          },
        ],
      })
      const path = `/conv/search?words=${encodeURIComponent('热泵')}`
      const [first, rest] = [
        await lin.result<SearchResults>('GET', path),
        await lin.result<SearchResults>('GET', `${path}&skip=50`),
      ]
      expect([first.total, first.results.length, rest.total, rest.results.length]).toEqual([60, 50, 60, 10])
      expect(new Set([...first.results, ...rest.results].map(({ message_id }) => message_id)).size).toBe(60)
    })

    test('takes signs of a query language for what they are', async () => {
      const { person } = await startPortal({ storage: await storage() })
      const lin = await person()
      await conversation(lin, 'plain text')
      for (const words of ['"', '*', 'plain OR', 'NEAR(', "' or 1=1 --", '%', ':', '(((']) {
        expect((await lin.call('GET', `/conv/search?words=${encodeURIComponent(words)}`)).code, words).toBe(200)
      }
    })

    test('forgets what was deleted', async () => {
      const { person, simulator } = await startPortal({ storage: await storage() })
      const lin = await person()
      simulator.nextAnswer('An answer.')
      const id = await conversation(lin, 'remarkable words')
      expect(await lin.result('GET', '/conv/search?words=remarkable')).toMatchObject({ total: 1 })
      await lin.result('DELETE', `/conv/${id}`)
      expect(await lin.result('GET', '/conv/search?words=remarkable')).toEqual({ results: [], total: 0 })
    })
  })

  describe('a superuser', () => {
    test('sees everybody’s conversations, deleted ones too unless only the valid are asked for', async () => {
      const { person, admin } = await startPortal({ storage: await storage() })
      const lin = await person()
      const id = await conversation(lin, 'one')
      await lin.result('DELETE', `/conv/${id}`)
      expect(await admin.result('GET', '/conv/all')).toMatchObject([{ conversation_id: id, is_valid: false }])
      expect(await admin.result('GET', '/conv/all?valid_only=true')).toEqual([])
      expect(await admin.result('GET', `/conv/${id}`)).toMatchObject({ _id: id })
    })

    test('is told whose a conversation is, and its owner is not', async () => {
      const { person, admin } = await startPortal({ storage: await storage() })
      const lin = await person('lin')
      const id = await conversation(lin, 'one')
      expect((await admin.result<ConversationHistory>('GET', `/conv/${id}/cache`)).owner).toEqual({
        id: lin.id,
        nickname: expect.any(String),
      })
      expect(await lin.result('GET', `/conv/${id}`)).not.toHaveProperty('owner')
      const own = await conversation(admin, 'mine')
      expect(await admin.result('GET', `/conv/${own}`)).not.toHaveProperty('owner')
    })

    test('gives a conversation to somebody else, by id or by name', async () => {
      const { person, admin } = await startPortal({ storage: await storage() })
      const [lin, mei] = [await person('lin'), await person('mei')]
      const id = await conversation(lin, 'one')
      await admin.result('PATCH', `/conv/${id}/assign/${mei.id}`)
      expect([await list(lin), await list(mei)]).toMatchObject([[], [{ conversation_id: id }]])
      expect(await lin.call('GET', `/conv/${id}`)).toMatchObject({ message: 'errors.conversationNotFound' })
      await admin.result('PATCH', `/conv/${id}/assign/lin`)
      expect(await list(lin)).toHaveLength(1)
      expect(await admin.call('PATCH', `/conv/${id}/assign/nobody`)).toMatchObject({ message: 'errors.userNotFound' })
    })

    test('removes a conversation for good, with its messages and what the search knew of them', async () => {
      const { app, person, admin } = await startPortal({ storage: await storage() })
      const lin = await person()
      const id = await conversation(lin, 'one')
      await admin.result('DELETE', `/conv/${id}/vanish`)
      expect(await admin.call('GET', `/conv/${id}`)).toMatchObject({ message: 'errors.conversationNotFound' })
      const { database } = app.services.open
      for (const table of ['messages', 'searched_messages'] as const) {
        expect(
          await database.selectFrom(table).select('message_id').where('conversation_id', '=', id).execute(),
        ).toEqual([])
      }
    })
  })

  describe('a title', () => {
    test('is made when it is asked for and missing, and answered as it is when it is there', async () => {
      const { app, person } = await startPortal({ storage: await storage() })
      const lin = await person()
      const id = await conversation(lin, 'How does a heat pump work?')
      const { current_node } = await lin.result<ConversationHistory>('GET', `/conv/${id}`)
      const path = `/conv/${id}/gen_title?message_id=${current_node}`
      expect(await lin.call('PATCH', path)).toEqual({ code: 200, message: 'tips.requestSuccess', result: 'a title' })
      await app.services.open.database
        .updateTable('conversations')
        .set({ title: null })
        .where('conversation_id', '=', id)
        .execute()
      const title = await lin.result<string>('PATCH', path)
      expect(title.length).toBeGreaterThan(0)
      expect((await list(lin))[0]?.title).toBe(title)
      expect(await lin.result('PATCH', path)).toBe(title)
      expect(await (await person()).call('PATCH', path)).toMatchObject({ message: 'errors.conversationNotFound' })
      await app.services.open.database
        .updateTable('conversations')
        .set({ title: null })
        .where('conversation_id', '=', id)
        .execute()
      expect(await lin.call('PATCH', `/conv/${id}/gen_title?message_id=unknown`)).toMatchObject({ code: -1 })
    })
  })
})
