import { describe, expect, test } from 'vitest'
import { eachStorage } from '#testing/database.ts'
import { heldUpstream } from '#testing/heldUpstream.ts'
import { question } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'
import { echo, read, shown, ids, aConversation } from './branches.testing.ts'

eachStorage((_name, storage) => {
  describe('a question that is withdrawn', () => {
    test('leaves history and search with all that follows from it, and is kept for audit', async () => {
      const { app, person } = await startPortal({ storage: await storage() })
      const lin = await person()
      const { id, answer, follow } = await aConversation(lin)
      await follow('remarkable')
      await follow('three')
      const [, , second = '', ...rest] = ids(await read(lin, id))
      expect(await lin.result('DELETE', `/conv/${id}/question/${second}`)).toEqual({ current_node: answer })
      const history = await read(lin, id)
      expect(shown(history)).toEqual(['one', 'one'])
      expect(Object.keys(history.mapping)).toHaveLength(2)
      expect(history.mapping[answer]?.children).toEqual([])
      expect(await lin.result('GET', '/conv/search?words=remarkable')).toEqual({ results: [], total: 0 })
      const kept = await app.services.open.database
        .selectFrom('messages')
        .select('message_id')
        .where('conversation_id', '=', id)
        .where('withdraw_time', 'is not', null)
        .orderBy('position')
        .execute()
      expect(kept.map(({ message_id }) => message_id)).toEqual([second, ...rest])
    })

    test('gives way to the one beside it', async () => {
      const { person } = await startPortal({ storage: await storage() })
      const lin = await person()
      const { id, first, answer, edit } = await aConversation(lin)
      await edit(first, 'one, better')
      const [second = ''] = ids(await read(lin, id))
      expect(await lin.result('DELETE', `/conv/${id}/question/${second}`)).toEqual({ current_node: answer })
    })

    test('leaves the reader where they are when it is on another branch', async () => {
      const { person } = await startPortal({ storage: await storage() })
      const lin = await person()
      const { id, first, edit } = await aConversation(lin)
      await edit(first, 'one, better')
      const { current_node } = await read(lin, id)
      expect(await lin.result('DELETE', `/conv/${id}/question/${first}`)).toEqual({ current_node })
    })

    test('is nowhere to go on from', async () => {
      const { person } = await startPortal({ storage: await storage() })
      const lin = await person()
      const { id, answer, follow } = await aConversation(lin)
      await follow('two')
      const [, , second = '', last = ''] = ids(await read(lin, id))
      await lin.result('DELETE', `/conv/${id}/question/${second}`)
      const refused = async (more: object) =>
        (await (await lin.chat(question('x', { new_conversation: false, conversation_id: id, ...more }))).closed).reason
      expect(await refused({ parent: last })).toBe('errors.messageNotFound')
      expect(await refused({ variant_of: second })).toBe('errors.messageNotFound')
      for (const [method, path] of [
        ['DELETE', `question/${second}`],
        ['PATCH', `branch?message_id=${last}`],
        ['POST', `fork?message_id=${last}`],
      ] as const) {
        expect(await lin.call(method, `/conv/${id}/${path}`), path).toMatchObject({ message: 'errors.messageNotFound' })
      }
      expect((await read(lin, id)).current_node).toBe(answer)
    })

    test('takes its conversation along when nothing else is left of it', async () => {
      const { person } = await startPortal({ storage: await storage() })
      const lin = await person()
      const { id, first } = await aConversation(lin)
      expect(await lin.result('DELETE', `/conv/${id}/question/${first}`)).toEqual({ current_node: null })
      expect(await lin.result('GET', '/conv')).toEqual([])
      expect(await lin.call('GET', `/conv/${id}`)).toMatchObject({ message: 'errors.conversationNotFound' })
    })

    test('is not being answered', async () => {
      const upstream = await heldUpstream()
      const { person } = await startPortal({
        storage: await storage(),
        environment: { OPENAI_BASE_URL: upstream.base_url },
      })
      const lin = await person()
      const chat = await lin.chat(question('one', { new_title: 'x' }))
      const { conversation_id: id, question: asked } = await chat.until(({ type }) => type === 'accepted')
      const first = (asked as { id: string }).id
      await upstream.arrived('one')
      expect(await lin.call('DELETE', `/conv/${String(id)}/question/${first}`)).toMatchObject({
        message: 'errors.messageIsBeingAnswered',
      })
      upstream.answer('one')
      await chat.closed
      expect(await lin.call('DELETE', `/conv/${String(id)}/question/${first}`)).toMatchObject({ code: 200 })
    })

    test('leaves nothing behind that was asked under it at the same moment', async () => {
      const { app, person } = await startPortal({ storage: await storage() })
      const lin = await person()
      for (let round = 0; round < 6; round++) {
        const { id, follow } = await aConversation(lin)
        await follow('two')
        const [, , second = '', last = ''] = ids(await read(lin, id))
        const asking = () => lin.ask(echo('three'), { new_conversation: false, conversation_id: id, parent: last })
        const withdrawing = () => lin.call('DELETE', `/conv/${id}/question/${second}`)
        await Promise.all(round % 2 === 0 ? [asking(), withdrawing()] : [withdrawing(), asking()])
        const rows = await app.services.open.database
          .selectFrom('messages')
          .select(['message_id', 'parent', 'withdraw_time'])
          .where('conversation_id', '=', id)
          .execute()
        const gone = new Set(
          rows.filter(({ withdraw_time }) => withdraw_time !== null).map(({ message_id }) => message_id),
        )
        expect(
          rows.filter(({ message_id, parent }) => parent !== null && gone.has(parent) && !gone.has(message_id)),
        ).toEqual([])
      }
    })

    test('has been paid for', async () => {
      const { person, admin } = await startPortal({ storage: await storage() })
      const lin = await person()
      await admin.result('PATCH', `/user/${lin.id}/setting`, { openai_api: { total_ask_count: 1 } })
      const { id, first } = await aConversation(lin)
      await lin.result('DELETE', `/conv/${id}/question/${first}`)
      expect(await lin.ask('again')).toMatchObject([{ type: 'error', tip: 'errors.noAvailableTotalAskCount' }])
    })
  })
})
