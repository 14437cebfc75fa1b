import { describe, expect, test } from 'vitest'
import { chunkStore, askStore } from '#server/asks/store.ts'
import { openLog } from '#server/foundation/logging.ts'
import { aRequestedAsk, anAnswer, storedAsk } from '#testing/asks.ts'
import { eachStorage, type NewStorage } from '#testing/database.ts'
import { aMessage, words } from '#testing/messages.ts'
import { startPortal } from '#testing/portal.ts'
import type { LiveReply } from './liveReply.ts'
import { openRemoteAsks } from './remoteAsks.ts'

async function aPortal(storage: NewStorage) {
  const portal = await startPortal({ storage: await storage() })
  const { open, bus } = portal.app.services
  const rows = async (table: 'conversations' | 'messages' | 'ask_chunks' | 'search_queue') =>
    open.database.selectFrom(table).selectAll().execute()
  return { ...portal, lin: await portal.person(), open, bus, rows }
}

async function end(reply: LiveReply) {
  const { signal } = new AbortController()
  while (reply.phase.at !== 'ended') await reply.changed(signal)
  return reply.phase
}

const EARLIER = [
  aMessage({ id: 'q', role: 'user', content: words('Who are you?') }),
  { ...anAnswer('a', 'A model.'), parent: 'q' },
]

eachStorage((_name, storage) => {
  describe('an ask without a conversation', () => {
    test('sends the messages that it brings along, and how it is to be answered', async () => {
      const { app, lin, simulator } = await aPortal(storage)
      const parameters = { temperature: 0.5, max_tokens: 200, reasoning_effort: 'low' } as const
      const asked = aRequestedAsk({ user_id: lin.id, conversation: null, earlier: EARLIER, text: 'And I?', parameters })
      expect(await end(await app.services.asking.ask(asked))).toMatchObject({ outcome: 'finished', charged: true })
      expect(simulator.journal.map(({ body }) => body)).toMatchObject([
        {
          ...parameters,
          messages: [
            { role: 'user', content: 'Who are you?' },
            { role: 'assistant', content: 'A model.' },
            { role: 'user', content: 'And I?' },
          ],
        },
      ])
    })

    test('leaves its row and its log, and no text', async () => {
      const { app, lin, open, rows } = await aPortal(storage)
      const reply = await app.services.asking.ask(aRequestedAsk({ user_id: lin.id, conversation: null }))
      expect(await end(reply)).toMatchObject({ stored: { messages: [], conversation: null } })
      expect(reply.hasText).toBe(true)
      const { database } = open
      expect(await askStore(database).find(reply.ask_id)).toMatchObject({ conversation_id: null, outcome: 'finished' })
      expect(await database.selectFrom('ask_logs').selectAll().execute()).toMatchObject([
        { conversation_id: null, answered: true, user_id: lin.id },
      ])
      for (const table of ['conversations', 'messages', 'ask_chunks', 'search_queue'] as const)
        expect(await rows(table), table).toEqual([])
      expect(await lin.result('GET', '/conv')).toEqual([])
    })

    test('is refused by the limits that others are refused by', async () => {
      const { app, lin, admin } = await aPortal(storage)
      await admin.result('PATCH', `/user/${lin.id}/setting`, { openai_api: { total_ask_count: 1 } })
      const ask = () => app.services.asking.ask(aRequestedAsk({ user_id: lin.id, conversation: null }))
      await end(await ask())
      await expect(ask()).rejects.toMatchObject({ key: 'noAvailableTotalAskCount' })
    })

    test('is closed as interrupted when its process has died, and charged for the text that had come', async () => {
      const { app, open, bus, lin } = await aPortal(storage)
      const { ask_id } = await storedAsk(open, { conversation_id: null, user_id: lin.id })
      const chunk_text = JSON.stringify([{ n: 1, type: 'message', message: anAnswer('m', 'Half of') }])
      await chunkStore(open.database).add({ ask_id, chunk_number: 1, chunk_text })
      await app.services.asking.begin()
      expect(await askStore(open.database).find(ask_id)).toMatchObject({ outcome: 'interrupted' })
      const followed = await openRemoteAsks({ open, bus, log: openLog('WARNING'), likelyQuiet: async () => null })(
        lin.id,
        ask_id,
      )
      expect(followed?.reply.conversation_id).toBe(null)
      expect(followed?.reply.phase).toMatchObject({ at: 'ended', outcome: 'interrupted', charged: true })
    })

    test('is not followed over the chat socket, which speaks of conversations', async () => {
      const { app, lin } = await aPortal(storage)
      const { ask_id } = await app.services.asking.ask(aRequestedAsk({ user_id: lin.id, conversation: null }))
      const chat = await lin.chat({ resume: ask_id, after: 0 })
      expect(await chat.until(({ type }) => type === 'error')).toMatchObject({ tip: 'errors.askNotFound' })
    })
  })

  describe('a caller', () => {
    test('that holds no longer is refused, whatever it is', async () => {
      const { app, lin } = await aPortal(storage)
      const caller = {
        user_id: lin.id,
        kind: 'key',
        id: '1',
        bounds: null,
        stillValid: () => Promise.resolve(false),
      } as const
      await expect(app.services.asking.ask(aRequestedAsk({ caller }))).rejects.toMatchObject({ key: 'keyRevoked' })
    })
  })
})
