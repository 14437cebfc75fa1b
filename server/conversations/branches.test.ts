import { describe, expect, test } from 'vitest'
import type { ConversationRecord, CurrentNode, SearchResults } from '#contract/conversations.ts'
import { newId } from '#server/foundation/ids.ts'
import type { Simulator } from '#simulator/simulator.ts'
import { eachStorage } from '#testing/database.ts'
import { heldUpstream } from '#testing/heldUpstream.ts'
import { question } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'
import { echo, read, shown, ids, aConversation } from './branches.testing.ts'

const lastAsked = ({ journal }: Simulator) =>
  (journal.at(-1)?.body as { messages: { content: string }[] } | undefined)?.messages.map(
    ({ content }) => content.split('\n')[0],
  ) // what a provider sends

eachStorage((_name, storage) => {
  describe('a question that is edited', () => {
    test('stands beside the old one, which is kept with its answer, and what follows is read from the new one', async () => {
      const { person, simulator } = await startPortal({ storage: await storage() })
      const lin = await person()
      const { id, first, answer, edit, follow } = await aConversation(lin)
      await follow('two')
      const [, , second = ''] = ids(await read(lin, id))
      await edit(second, 'two, better')
      expect(lastAsked(simulator)).toEqual(['one', 'one', 'two, better'])
      const history = await read(lin, id)
      expect(shown(history)).toEqual(['one', 'one', 'two, better', 'two, better'])
      expect(history.mapping[answer]?.children).toEqual([second, ids(history)[2]])
      expect(history.mapping[first]?.children).toEqual([answer])
    })

    test('may be the first of its conversation', async () => {
      const { person, simulator } = await startPortal({ storage: await storage() })
      const lin = await person()
      const { id, first, edit } = await aConversation(lin)
      await edit(first, 'one, better')
      expect(lastAsked(simulator)).toEqual(['one, better'])
      const { mapping, ...history } = await read(lin, id)
      expect(shown({ ...history, mapping })).toEqual(['one, better', 'one, better'])
      expect(Object.values(mapping).filter(({ parent }) => parent === null)).toHaveLength(2)
    })

    test('is one of the person’s own in that conversation, and no answer', async () => {
      const { person } = await startPortal({ storage: await storage() })
      const [lin, mei] = [await person(), await person()]
      const [own, other] = [await aConversation(lin), await aConversation(mei)]
      const refused = async (more: object) =>
        (await (await lin.chat(question('x', { new_conversation: false, conversation_id: own.id, ...more }))).closed)
          .reason
      expect(await refused({ variant_of: own.answer })).toBe('errors.messageNotFound')
      expect(await refused({ variant_of: other.first })).toBe('errors.messageNotFound')
      expect(await refused({ variant_of: newId() })).toBe('errors.messageNotFound')
      expect(await refused({ variant_of: other.first, conversation_id: other.id })).toBe('errors.conversationNotFound')
      expect(await refused({ variant_of: own.first, parent: own.answer })).toBe('errors.invalidAskRequest')
      expect(Object.keys((await read(lin, own.id)).mapping)).toHaveLength(2)
    })
  })

  describe('a question that is answered once more', () => {
    test('has both answers, the newest read, of whatever model', async () => {
      const { person, simulator } = await startPortal({ storage: await storage() })
      const lin = await person()
      const { id, first, answer, answerAgain } = await aConversation(lin)
      simulator.nextAnswer('another')
      await answerAgain(first, 'gpt_3_5')
      expect(lastAsked(simulator)).toEqual(['one'])
      const history = await read(lin, id)
      expect(shown(history)).toEqual(['one', 'another'])
      expect(history.mapping[first]?.children).toEqual([answer, history.current_node])
      expect(history.mapping[history.current_node ?? '']?.model).toBe('gpt_3_5')
    })

    test('is counted like any other ask', async () => {
      const { person, admin } = await startPortal({ storage: await storage() })
      const lin = await person()
      const { first, answerAgain } = await aConversation(lin)
      await admin.result('PATCH', `/user/${lin.id}/setting`, { openai_api: { per_model_ask_count: { gpt_4: 1 } } })
      expect((await answerAgain(first)).at(-1)).toMatchObject({ outcome: 'finished', charged: true })
      expect(await answerAgain(first)).toMatchObject([{ type: 'error', tip: 'errors.noAvailableGPT4AskCount' }])
    })

    test('without an answer so far is answered in its place, the first of a conversation too', async () => {
      const { person, simulator } = await startPortal({ storage: await storage() })
      const lin = await person()
      simulator.nextFault({ kind: 'status', status: 500 })
      const { id, first, answerAgain } = await aConversation(lin)
      await answerAgain(first)
      const history = await read(lin, id)
      expect(shown(history)).toEqual(['one', 'one'])
      expect(Object.keys(history.mapping)).toHaveLength(2)
    })

    test('keeps its old answer as the current one when no new one comes', async () => {
      const { person, simulator } = await startPortal({ storage: await storage() })
      const lin = await person()
      const { id, first, answer, answerAgain } = await aConversation(lin)
      simulator.nextFault({ kind: 'status', status: 500 })
      await answerAgain(first)
      expect((await read(lin, id)).current_node).toBe(answer)
    })

    test('is what is looked at on every device while it is being answered', async () => {
      const upstream = await heldUpstream()
      const { person } = await startPortal({
        storage: await storage(),
        environment: { OPENAI_BASE_URL: upstream.base_url },
      })
      const lin = await person()
      const asking = aConversation(lin)
      await upstream.arrived(echo('one'))
      upstream.answer(echo('one'))
      const { id, first, answer } = await asking
      const chat = await lin.chat(
        question(':continue', { new_conversation: false, conversation_id: id, parent: first }),
      )
      await chat.until(({ type }) => type === 'message')
      expect(await read(lin, id)).toMatchObject({ current_node: first, running_ask: expect.any(String) })
      upstream.answer(echo('one'))
      await chat.closed
      const { mapping, current_node } = await read(lin, id)
      expect(mapping[first]?.children).toEqual([answer, current_node])
    })
  })

  describe('a branch', () => {
    test('that is chosen is read to its newest leaf, on every device, and the list keeps its order', async () => {
      const { person } = await startPortal({ storage: await storage() })
      const lin = await person()
      const { id, first, answer, edit, follow } = await aConversation(lin)
      await follow('two')
      const old = ids(await read(lin, id))
      await edit(first, 'one, better')
      const { update_time } = await read(lin, id)
      expect(await lin.result<CurrentNode>('PATCH', `/conv/${id}/branch?message_id=${answer}`)).toEqual({
        current_node: old.at(-1),
      })
      expect(ids(await read(lin, id))).toEqual(old)
      expect((await read(lin, id)).update_time).toBe(update_time)
    })
  })

  describe('a fork', () => {
    test('is a conversation of its own with what leads to the message, found by its words and asked on with them', async () => {
      const { person, simulator } = await startPortal({ storage: await storage() })
      const lin = await person()
      const { id, first, answer, follow, edit } = await aConversation(lin, 'remarkable')
      await follow('two')
      await edit(first, 'beside')
      const before = await read(lin, id)
      const record = await lin.result<ConversationRecord>('POST', `/conv/${id}/fork?message_id=${answer}`)
      expect(record).toMatchObject({
        source: 'openai_api',
        title: 'a title',
        is_valid: true,
        current_model: 'gpt_4',
        user_id: lin.id,
      })
      const copy = String(record.conversation_id)
      const forked = await read(lin, copy)
      expect(shown(forked)).toEqual(['remarkable', 'remarkable'])
      expect(Object.values(forked.mapping).map(message => ({ ...message, id: '', parent: '', children: [] }))).toEqual(
        [first, answer].map(each => ({ ...before.mapping[each], id: '', parent: '', children: [] })),
      )
      expect(ids(forked)).not.toContain(first)
      expect(await read(lin, id)).toEqual(before)
      expect(
        (await lin.result<SearchResults>('GET', '/conv/search?words=remarkable')).results.map(
          hit => hit.conversation_id,
        ),
      ).toContain(copy)
      await lin.ask(echo('on'), { new_conversation: false, conversation_id: copy, parent: forked.current_node })
      expect(lastAsked(simulator)).toEqual(['remarkable', 'remarkable', 'on'])
    })

    test('counts as a conversation, also when many are made at once', async () => {
      const { person, admin } = await startPortal({ storage: await storage() })
      const lin = await person()
      const { id, answer } = await aConversation(lin)
      await admin.result('PATCH', `/user/${lin.id}/setting`, { openai_api: { max_conv_count: 3 } })
      const tries = await Promise.all(
        Array.from({ length: 6 }, () => lin.call('POST', `/conv/${id}/fork?message_id=${answer}`)),
      )
      expect(tries.filter(({ code }) => code === 200)).toHaveLength(2)
      expect(tries.filter(({ message }) => message === 'errors.maxConversationCountReached')).toHaveLength(4)
      expect(await lin.result('GET', '/conv')).toHaveLength(3)
    })

    test('is not made of what lies with another provider', async () => {
      const { app, person } = await startPortal({ storage: await storage() })
      const lin = await person()
      const { id, answer } = await aConversation(lin)
      await app.services.open.database
        .updateTable('conversations')
        .set({ source: 'openai_web' })
        .where('conversation_id', '=', id)
        .execute()
      expect(await lin.call('POST', `/conv/${id}/fork?message_id=${answer}`)).toMatchObject({
        message: 'errors.forkNotPossible',
      })
    })
  })

  describe('the ways through a conversation', () => {
    test('are its owner’s alone: for anybody else, a superuser too, it is not there', async () => {
      const { person, admin } = await startPortal({ storage: await storage() })
      const [lin, mei] = [await person(), await person()]
      const { id, first, answer } = await aConversation(lin)
      const own = await aConversation(mei)
      const ways = (conversation: string, message: string) =>
        [
          ['PATCH', `/conv/${conversation}/branch?message_id=${message}`],
          ['POST', `/conv/${conversation}/fork?message_id=${message}`],
          ['DELETE', `/conv/${conversation}/question/${message}`],
        ] as const
      for (const other of [mei, admin]) {
        for (const [method, path] of [...ways(id, first), ...ways(newId(), first)]) {
          expect(await other.call(method, path), path).toMatchObject({
            code: -1,
            message: 'errors.conversationNotFound',
          })
        }
      }
      for (const message of [first, '__proto__', 'constructor', '%25', '..%2f..', '%F0%9F%92%A9']) {
        for (const [method, path] of ways(own.id, message))
          expect(await mei.call(method, path), path).toMatchObject({ code: -1, message: 'errors.messageNotFound' })
      }
      for (const [method, path] of ways(own.id, '%00'))
        expect(await mei.call(method, path), path).toMatchObject({ code: path.includes('?') ? -1 : 422 })
      expect(await lin.call('DELETE', `/conv/${id}/question/${answer}`)).toMatchObject({
        message: 'errors.messageNotFound',
      })
      expect(ids(await read(lin, id))).toEqual([first, answer])
    })
  })
})
