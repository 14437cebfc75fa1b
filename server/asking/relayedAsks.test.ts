import { describe, expect, test } from 'vitest'
import type { Relay } from '#server/asks/ask.ts'
import { askStore, chunkStore } from '#server/asks/store.ts'
import { aRequestedAsk, storedAsk } from '#testing/asks.ts'
import { eachStorage, type NewStorage } from '#testing/database.ts'
import { startPortal } from '#testing/portal.ts'
import { aRelay, aTool } from '#testing/relay.ts'
import { until } from '#testing/until.ts'
import type { LiveReply } from './liveReply.ts'

const CONCURRENCY_1 = { COMMONS_OPENAI_API_MAX_COMPLETION_CONCURRENCY: '1' }

async function aPortal(storage: NewStorage, environment = {}) {
  const portal = await startPortal({ storage: await storage(), environment })
  const lin = await portal.person()
  const { open, asking } = portal.app.services
  const ask = (relay: Relay, user_id = lin.id) =>
    asking.ask(aRequestedAsk({ user_id, text: '', conversation: null, relay }))
  const logs = () => open.database.selectFrom('ask_logs').selectAll().execute()
  return { ...portal, lin, open, asking, ask, logs }
}

async function end(reply: LiveReply) {
  const { signal } = new AbortController()
  while (reply.phase.at !== 'ended') await reply.changed(signal)
  return reply.phase
}

eachStorage((_name, storage) => {
  describe('a request of another tool', () => {
    test('is sent on as it came, but for the name of the model and the usage', async () => {
      const { simulator, ask } = await aPortal(storage)
      const { to } = aTool()
      const body = {
        tools: [{ type: 'function', function: { name: 'f' } }],
        stream: true,
        messages: [{ role: 'user', content: 'Hi' }],
        unknown: { a: [1] },
      }
      await end(await ask(aRelay(to, { body })))
      expect(simulator.journal.map(entry => entry.body)).toEqual([
        { ...body, model: 'gpt-4', stream_options: { include_usage: true } },
      ])
    })

    test('gets the answer byte for byte', async () => {
      const { simulator, ask } = await aPortal(storage)
      const { to, got } = aTool()
      simulator.nextAnswer('Good day, 你好.')
      const ended = await end(await ask(aRelay(to)))
      expect(ended).toMatchObject({ outcome: 'finished', charged: true, failure: null })
      expect(got.head).toMatchObject({ status: 200, content_type: expect.stringContaining('text/event-stream') })
      const direct = await fetch(`${simulator.url}chat/completions`, {
        method: 'POST',
        body: JSON.stringify({
          model: 'gpt-4',
          stream: true,
          stream_options: { include_usage: true },
          messages: [{ role: 'user', content: 'Hello' }],
        }),
      })
      const shape = (text: string) => text.split('\n\n').map(event => event.slice(0, 30).replace(/simulated-.*/, ''))
      expect(shape(got.text)[0]).toBe(shape(await direct.text())[0])
      expect(got.text.endsWith('data: [DONE]\n\n')).toBe(true)
    })

    test('leaves its tokens in the log as the upstream counts them, and no text anywhere', async () => {
      const { simulator, ask, logs, open } = await aPortal(storage)
      simulator.nextAnswer('Secret words of an answer.')
      const reply = await ask(aRelay(aTool().to))
      expect(await end(reply)).toMatchObject({ stored: { messages: [], conversation: null } })
      expect(await logs()).toMatchObject([
        { conversation_id: null, answered: true, outcome: 'finished', tokens_estimated: false },
      ])
      expect((await logs())[0]?.prompt_tokens).toBeGreaterThan(0)
      for (const table of ['conversations', 'messages', 'ask_chunks', 'search_queue'] as const)
        expect(await open.database.selectFrom(table).selectAll().execute(), table).toEqual([])
    })

    test('is refused by the limits that others are refused by', async () => {
      const { lin, admin, ask } = await aPortal(storage)
      await admin.result('PATCH', `/user/${lin.id}/setting`, { openai_api: { total_ask_count: 1 } })
      await end(await ask(aRelay(aTool().to)))
      await expect(ask(aRelay(aTool().to))).rejects.toMatchObject({ key: 'noAvailableTotalAskCount' })
    })

    test('whose request is wrong sees what the upstream says, and is not charged', async () => {
      const { simulator, ask, logs } = await aPortal(storage)
      simulator.nextFault({ kind: 'status', status: 400, body: '{"error":{"message":"Too hot","secret":"test-key"}}' })
      const { to, got } = aTool()
      expect(await end(await ask(aRelay(to)))).toMatchObject({ outcome: 'failed', charged: false })
      expect(got).toMatchObject({
        head: null,
        refused: { status: 400, text: '{"error":{"message":"Too hot","secret":"…"}}' },
      })
      expect(await logs()).toMatchObject([{ answered: false, failure_key: 'openai.400' }])
    })

    test('that its account refuses is told nothing of the account', async () => {
      const { simulator, ask } = await aPortal(storage)
      simulator.nextFault({ kind: 'status', status: 401 })
      const { to, got } = aTool()
      expect(await end(await ask(aRelay(to)))).toMatchObject({ failure: { key: 'openai.401' } })
      expect(got).toMatchObject({ head: null, refused: null, text: '' })
    })

    test('that is stopped ends its upstream, and keeps the counts of what had come', async () => {
      const { simulator, ask, asking, logs } = await aPortal(storage)
      simulator.setPace(50)
      simulator.nextAnswer('word '.repeat(2_000))
      const first = Promise.withResolvers<void>()
      const { to } = aTool(text => {
        if (text.includes('word')) first.resolve()
        return null
      })
      const reply = await ask(aRelay(to, {}, { input_tokens: 77 }))
      await first.promise
      await asking.stop(reply.ask_id)
      expect(await end(reply)).toMatchObject({ outcome: 'stopped', charged: true })
      await simulator.waitFor(({ ended }) => ended === 'aborted')
      expect(await logs()).toMatchObject([{ prompt_tokens: 77, tokens_estimated: true, answered: true }])
      expect((await logs())[0]?.completion_tokens).toBeGreaterThan(0)
    })

    test('that waits for its turn is answered when the one before it has ended', async () => {
      const { simulator, ask, asking, person } = await aPortal(storage, CONCURRENCY_1)
      simulator.setPace(50)
      simulator.nextAnswer('word '.repeat(2_000))
      const [one, two] = [aTool(), aTool()]
      const first = await ask(aRelay(one.to))
      const second = await ask(aRelay(two.to), (await person()).id)
      expect(second.phase).toMatchObject({ at: 'queueing' })
      simulator.setPace(0)
      await asking.stop(first.ask_id)
      expect(await end(second)).toMatchObject({ outcome: 'finished' })
      expect(two.got.text).toContain('[DONE]')
    })

    test('whose dialect no account speaks is refused before anything is reserved', async () => {
      const { ask, logs } = await aPortal(storage)
      await expect(ask(aRelay(aTool().to, { dialect: 'messages' }))).rejects.toMatchObject({ key: 'dialectNotSpoken' })
      expect((await logs()).every(({ answered }) => !answered)).toBe(true)
    })

    test('is closed as interrupted when its process has died, and charged by the counts that were stored', async () => {
      const { asking, open, lin, logs } = await aPortal(storage)
      const { ask_id } = await storedAsk(open, { conversation_id: null, user_id: lin.id })
      const metered = {
        has_output: true,
        input_tokens: null,
        cached_tokens: null,
        output_tokens: null,
        counted_tokens: 33,
        sent_tokens: 12,
      }
      await chunkStore(open.database).add({ ask_id, chunk_number: 4, chunk_text: JSON.stringify([{ n: 0, metered }]) })
      await asking.begin()
      expect(await askStore(open.database).find(ask_id)).toMatchObject({ outcome: 'interrupted' })
      expect(await logs()).toMatchObject([
        { prompt_tokens: 12, completion_tokens: 33, tokens_estimated: true, answered: true, outcome: 'interrupted' },
      ])
    })

    test('has only counts in the chunks that are stored while it grows', async () => {
      const { simulator, ask, asking, open } = await aPortal(storage)
      simulator.setPace(50)
      simulator.nextAnswer('secret '.repeat(2_000))
      const reply = await ask(aRelay(aTool().to))
      const chunks = () => open.database.selectFrom('ask_chunks').selectAll().execute()
      const [chunk] = await until(async () => {
        const found = await chunks()
        expect(found).not.toEqual([])
        return found
      })
      expect(JSON.parse(chunk?.chunk_text ?? '')).toMatchObject([{ n: 0, metered: { has_output: true } }])
      expect(chunk?.chunk_text).not.toContain('secret')
      await asking.stop(reply.ask_id)
      await end(reply)
      expect(await chunks()).toEqual([])
    })
  })
})
