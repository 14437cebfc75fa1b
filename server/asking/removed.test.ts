import { describe, expect, test } from 'vitest'
import type { ConversationHistory } from '#contract/conversations.ts'
import { textOf } from '#contract/messages.ts'
import { eachStorage, type NewStorage } from '#testing/database.ts'
import { heldUpstream } from '#testing/heldUpstream.ts'
import { bringsText, type Person, question } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'

/** Lin is being answered; the first token has come. */
async function answering(storage: NewStorage) {
  const upstream = await heldUpstream()
  const portal = await startPortal({ storage: await storage(), environment: { OPENAI_BASE_URL: upstream.base_url } })
  const lin = await portal.person()
  const chat = await lin.chat(question('hello', { new_title: 'x' }))
  await chat.until(bringsText)
  const id = String(chat.frames[0]?.['conversation_id'])
  const expectNobodyBusy = async () => {
    const { database } = portal.app.services.open
    await expect
      .poll(() => database.selectFrom('asks').select('ask_id').where('ask_state', '!=', 'done').execute())
      .toEqual([])
    await expect.poll(() => upstream.running).toBe(0)
  }
  return { ...portal, upstream, lin, chat, id, expectNobodyBusy }
}

eachStorage((_name, storage) => {
  describe('while it is answered', () => {
    test('a conversation that is deleted gets its answer, and has it when it is taken back', async () => {
      const { lin, chat, id, upstream, expectNobodyBusy } = await answering(storage)
      await lin.result('DELETE', `/conv/${id}`)
      upstream.answer('hello')
      expect(await chat.until(frame => frame.type === 'finished')).toMatchObject({ outcome: 'finished', charged: true })
      expect(await lin.result('GET', '/conv')).toEqual([])
      await lin.result('POST', `/conv/${id}/restore`)
      const { mapping, current_node } = await lin.result<ConversationHistory>('GET', `/conv/${id}`)
      expect(textOf(mapping[current_node ?? ''] ?? { content: null })).toBe('first answer')
      await expectNobodyBusy()
    })

    test('a conversation that is renamed keeps its new name', async () => {
      const { lin, chat, id, upstream } = await answering(storage)
      await lin.result('PATCH', `/conv/${id}?title=renamed`)
      upstream.answer('hello')
      await chat.until(frame => frame.type === 'finished')
      expect(await lin.result('GET', '/conv')).toMatchObject([{ title: 'renamed' }])
    })

    test('a conversation that is removed for good leaves nothing behind, and its owner may ask again', async () => {
      const { lin, admin, app, chat, id, upstream, expectNobodyBusy } = await answering(storage)
      await admin.result('DELETE', `/conv/${id}/vanish`)
      upstream.answer('hello')
      expect((await chat.until(frame => frame.type === 'finished' || frame.type === 'error')).type).toBe('finished')
      const { database } = app.services.open
      expect(await database.selectFrom('messages').select('message_id').execute()).toEqual([])
      await expectNobodyBusy()
      upstream.letGo()
      expect((await lin.ask('again', { new_title: 'y' })).at(-1)).toMatchObject({
        type: 'finished',
        outcome: 'finished',
      })
    })

    test('a conversation that is given to somebody else is theirs to read, and the answer can be followed by who asked alone', async () => {
      const { lin, admin, person, id, chat, upstream } = await answering(storage)
      const mei = await person('mei')
      const runningFor = async (reader: Person) =>
        (await reader.result<ConversationHistory>('GET', `/conv/${id}`)).running_ask
      expect([await runningFor(lin), await runningFor(admin)]).toEqual([chat.frames[0]?.['ask_id'], null])
      await admin.result('PATCH', `/conv/${id}/assign/mei`)
      expect(await runningFor(mei)).toBe(null)
      upstream.answer('hello')
      await chat.closed
      const { mapping, current_node } = await mei.result<ConversationHistory>('GET', `/conv/${id}`)
      expect(textOf(mapping[current_node ?? ''] ?? { content: null })).toBe('first answer')
    })

    test('a person who is removed is told that it stopped, and the upstream is let go of', async () => {
      const { lin, admin, chat, expectNobodyBusy } = await answering(storage)
      await admin.result('DELETE', `/user/${lin.id}`)
      expect(await chat.until(frame => frame.type === 'finished')).toMatchObject({ outcome: 'stopped' })
      await expectNobodyBusy()
      expect(await lin.call('GET', '/conv')).toMatchObject({ code: 10401 })
    })

    test('a person who is switched off is signed out; what has arrived is kept', async () => {
      const { lin, admin, chat, id, expectNobodyBusy } = await answering(storage)
      await admin.result('PATCH', `/user/${lin.id}`, { is_active: false })
      expect((await chat.closed).code).toBe(1008)
      await expectNobodyBusy()
      const { mapping, current_node } = await admin.result<ConversationHistory>('GET', `/conv/${id}`)
      expect(mapping[current_node ?? '']).toMatchObject({
        content: { text: 'first ' },
        metadata: { ending: 'stopped' },
      })
    })

    test('a question in the same conversation is refused like any second one, and a reload finds the ask', async () => {
      const { lin, id, chat, upstream } = await answering(storage)
      const { running_ask, current_node } = await lin.result<ConversationHistory>('GET', `/conv/${id}`)
      expect(running_ask).toBe(chat.frames[0]?.['ask_id'])
      expect(await lin.result('GET', '/conv')).toEqual([expect.objectContaining({ conversation_id: id, running_ask })])
      const second = await lin.chat(
        question('and?', { new_conversation: false, conversation_id: id, parent: current_node }),
      )
      expect(await second.closed).toEqual({ code: 1008, reason: 'errors.cannotConnectMoreThanOneClient' })
      upstream.answer('hello')
      await chat.closed
      expect(await lin.result<ConversationHistory>('GET', `/conv/${id}`)).toMatchObject({ running_ask: null })
      expect(await lin.result('GET', '/conv')).toEqual([expect.not.objectContaining({ running_ask })])
    })
  })
})
