import { describe, expect, test } from 'vitest'
import type { ConversationHistory, SearchResults } from '#contract/conversations.ts'
import { eachStorage } from '#testing/database.ts'
import { keepingFiles } from '#testing/keptFiles.ts'
import { startPortal } from '#testing/portal.ts'
import { TIME, aMessage, aConversation, aFork, imported, exported, again } from './transfer.testing.ts'

eachStorage((_name, storage) => {
  describe('an import', () => {
    test('stores a conversation with its branches, times and place', async () => {
      const { person } = await startPortal({ storage: await storage() })
      const lin = await person()
      const { conversation, question, answers } = aFork()
      const [result] = await imported(lin, conversation)
      expect(result).toEqual({ conversation_id: expect.any(String), outcome: 'new', added: 3, reason: null })
      const history = await lin.result<ConversationHistory>('GET', `/conv/${result?.conversation_id}`)
      expect(history).toMatchObject({
        title: '热泵',
        source: 'openai_api',
        create_time: TIME,
        update_time: TIME,
        current_node: answers[0]?.id,
        current_model: 'gpt_4',
      })
      expect(history.mapping[question.id]?.children).toEqual(answers.map(({ id }) => id))
      const found = await lin.result<SearchResults>('GET', `/conv/search?words=${encodeURIComponent('第二个')}`)
      expect(found.results.map(({ message_id }) => message_id)).toEqual([answers[1]?.id])
    })

    test('counts as a use of the person’s files that it shows or names: what went with nothing goes after a day', async () => {
      const { person, app } = await startPortal({ storage: await storage() })
      const [lin, wang] = [await person(), await person()]
      const files = keepingFiles(app, lin)
      const [shown, named, unused] = [await files.picture(), await files.picture(), await files.picture()]
      const others = await keepingFiles(app, wang).picture()
      const asset = (id: string) => ({ asset_pointer: `/api/files/${id}/content` })
      const question = aMessage({
        content: { content_type: 'multimodal_text', parts: [asset(shown), asset(others), '看看'] },
        metadata: { source: 'openai_web', attachments: [{ id: named, name: '合同.pdf' }] },
      })
      const [result] = await imported(lin, aConversation([question]))
      const rows = await app.services.open.database
        .selectFrom('uploaded_files')
        .select(['file_id', 'conversation_id', 'used_time'])
        .execute()
      const used = rows.filter(({ used_time }) => used_time !== null).map(row => [row.file_id, row.conversation_id])
      expect(new Map(used as [string, string][])).toEqual(
        new Map([shown, named].map(id => [id, result?.conversation_id])),
      )
      expect(rows.map(({ file_id }) => file_id)).toContain(unused)
    })

    test('lets nobody find the notes that no thread shows, nor does a copy of it', async () => {
      const { person } = await startPortal({ storage: await storage() })
      const lin = await person()
      const [note, question] = [aMessage({ role: 'system' }), aMessage()]
      const [result] = await imported(lin, aConversation([note, { ...question, parent: note.id }]))
      const copy = await lin.result<{ conversation_id: string }>(
        'POST',
        `/conv/${result?.conversation_id}/fork?message_id=${question.id}`,
      )
      const { results } = await lin.result<SearchResults>('GET', `/conv/search?words=${encodeURIComponent('热泵')}`)
      expect(results.map(({ conversation_id, role }) => [conversation_id, role]).toSorted()).toEqual(
        [result?.conversation_id, copy.conversation_id].map(id => [id, 'user']).toSorted(),
      )
    })

    test('that is repeated changes nothing', async () => {
      const { person } = await startPortal({ storage: await storage() })
      const lin = await person()
      const { conversation } = aFork()
      await imported(lin, conversation)
      const before = await exported(lin)
      expect(await imported(lin, conversation, conversation)).toMatchObject([
        { outcome: 'present', added: 0 },
        { outcome: 'present', added: 0 },
      ])
      expect(await exported(lin)).toEqual(before)
    })

    test('of the same file twice at once stores it once', async () => {
      const { person } = await startPortal({ storage: await storage() })
      const lin = await person()
      const { conversation } = aFork()
      const outcomes = await Promise.all([imported(lin, conversation), imported(lin, conversation)])
      expect(
        outcomes
          .flat()
          .map(({ outcome }) => outcome)
          .toSorted(),
      ).toEqual(['new', 'present'])
      expect(await exported(lin)).toHaveLength(1)
    })

    test('completes what is there with what is missing, and leaves the rest as it is', async () => {
      const { person } = await startPortal({ storage: await storage() })
      const lin = await person()
      const {
        conversation,
        question,
        answers: [first, second],
      } = aFork()
      const [{ conversation_id } = { conversation_id: null }] = await imported(lin, {
        ...conversation,
        messages: [question, first ?? question],
        current_node: first?.id ?? null,
      })
      await lin.result('PATCH', `/conv/${conversation_id}?title=mine`)
      expect(
        await imported(lin, { ...conversation, messages: [second ?? question], current_node: first?.id ?? null }),
      ).toMatchObject([{ conversation_id, outcome: 'completed', added: 1 }])
      const history = await lin.result<ConversationHistory>('GET', `/conv/${conversation_id}`)
      expect(history).toMatchObject({ title: 'mine', current_node: first?.id })
      expect(history.mapping[question.id]?.children).toEqual([first?.id, second?.id])
    })

    test('of one’s own export finds what is there, and brings back what was deleted', async () => {
      const { person } = await startPortal({ storage: await storage() })
      const lin = await person()
      await lin.ask('hello', { new_title: 'kept' })
      await lin.ask('hello', { new_title: 'deleted' })
      const before = await exported(lin)
      const deleted = before.find(({ title }) => title === 'deleted')
      await lin.result('DELETE', `/conv/${deleted?._id}`)
      expect((await imported(lin, ...before.map(again))).map(({ outcome }) => outcome).toSorted()).toEqual([
        'completed',
        'present',
      ])
      expect(await exported(lin)).toEqual(before)
    })

    test('leaves alone what was withdrawn', async () => {
      const { app, person } = await startPortal({ storage: await storage() })
      const lin = await person()
      const { conversation, question, answers } = aFork()
      const [{ conversation_id } = { conversation_id: null }] = await imported(lin, {
        ...conversation,
        messages: [question],
      })
      await app.services.open.database
        .updateTable('messages')
        .set({ withdraw_time: 1 })
        .where('message_id', '=', question.id)
        .execute()
      expect(await imported(lin, conversation)).toMatchObject([{ outcome: 'present', added: 0 }])
      expect((await lin.result<ConversationHistory>('GET', `/conv/${conversation_id}`)).mapping).toEqual({})
      expect(answers).toHaveLength(2)
    })

    test('belongs to whoever made it, and to nobody else with the same file', async () => {
      const { person } = await startPortal({ storage: await storage() })
      const [lin, mei] = [await person(), await person()]
      const { conversation } = aFork()
      const [[ofLin], [ofMei]] = [await imported(lin, conversation), await imported(mei, conversation)]
      expect(ofMei).toMatchObject({ outcome: 'new' })
      expect(ofMei?.conversation_id).not.toBe(ofLin?.conversation_id)
      await lin.ask('hello', { new_title: 'secret' })
      const own = (await exported(lin)).map(again)
      await imported(mei, ...own.map(each => ({ ...each, title: 'taken' })))
      expect((await exported(lin)).map(({ title }) => title)).toEqual(['热泵', 'secret'])
    })

    test('of a conversation without messages is refused', async () => {
      const { person } = await startPortal({ storage: await storage() })
      const lin = await person()
      expect(
        await imported(lin, aConversation([]), aConversation([], { in_parts: 1 }), aConversation([aMessage()])),
      ).toMatchObject([
        { outcome: 'refused', reason: 'errors.missingMessage' },
        { outcome: 'refused' },
        { outcome: 'new' },
      ])
      expect(await exported(lin)).toHaveLength(1)
    })

    test('makes of odd ids, lost parents, circles and times to come what can be read', async () => {
      const { person } = await startPortal({ storage: await storage() })
      const lin = await person()
      const odd = [
        aMessage({ id: 'client-created-root', create_time: '2999-01-01T00:00:00.000Z' }),
        aMessage({ id: 'aaa', parent: 'client-created-root' }),
        aMessage({ id: 'x', parent: 'y' }),
        aMessage({ id: 'y', parent: 'x' }),
        aMessage({ id: 'self', parent: 'self' }),
        aMessage({ id: 'aaa' }),
        aMessage({ id: 'lost', parent: 'nowhere' }),
      ]
      const [result] = await imported(
        lin,
        aConversation(odd, {
          id: '../../etc',
          title: 'two\nlines',
          update_time: '2999-01-01T00:00:00.000Z',
          current_node: 'unknown',
        }),
      )
      expect(result).toMatchObject({ outcome: 'new', added: 6 })
      const history = await lin.result<ConversationHistory>('GET', `/conv/${result?.conversation_id}`)
      const parents = Object.values(history.mapping).map(({ parent }) => parent)
      expect(parents.filter(parent => parent === null)).toHaveLength(4)
      expect(parents.every(parent => parent === null || history.mapping[parent] !== undefined)).toBe(true)
      expect(history.title).toBe('two lines')
      for (const time of [
        history.update_time,
        ...Object.values(history.mapping).map(message => message.create_time ?? ''),
      ])
        expect(Date.parse(time)).toBeLessThanOrEqual(Date.now())
      expect(Object.keys(history.mapping)).toContain(history.current_node)
    })

    test('can be asked on in', async () => {
      const { person } = await startPortal({ storage: await storage() })
      const lin = await person()
      const { conversation, answers } = aFork()
      const [{ conversation_id } = { conversation_id: null }] = await imported(lin, conversation)
      const frames = await lin.ask('and then?', { new_conversation: false, conversation_id, parent: answers[1]?.id })
      expect(frames.at(-1)).toMatchObject({ type: 'finished', outcome: 'finished' })
    })

    test('of nonsense is refused as a whole', async () => {
      const { person } = await startPortal({ storage: await storage() })
      const lin = await person()
      const good = aConversation([aMessage()])
      for (const body of [
        {},
        { conversations: [] },
        { conversations: [null] },
        { conversations: [{ ...good, messages: 'none' }] },
        { conversations: Array.from({ length: 101 }, () => good) },
        { conversations: [{ ...good, create_time: 'yesterday' }] },
        { conversations: [{ ...good, messages: [{ ...aMessage(), role: 'root' }] }] },
      ])
        expect(await lin.call('POST', '/conv/import', body)).toMatchObject({ code: 422 })
      expect(await exported(lin)).toEqual([])
    })
  })
})
