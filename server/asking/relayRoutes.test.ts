import { describe, expect, test } from 'vitest'
import type { Dialect } from '#contract/gateway.ts'
import { planStore } from '#server/policy/planStore.ts'
import { aRequestedAsk } from '#testing/asks.ts'
import { eachStorage, type NewStorage } from '#testing/database.ts'
import { aForm, aTool } from '#testing/relay.ts'
import { startWithTwo } from '#testing/twoUpstreams.ts'
import type { LiveReply } from './liveReply.ts'

async function end(reply: LiveReply) {
  const { signal } = new AbortController()
  while (reply.phase.at !== 'ended') await reply.changed(signal)
  return reply.phase
}

const BODIES: Record<Dialect, object> = {
  chat: { messages: [{ role: 'user', content: 'Hello' }], stream: true },
  responses: { input: 'Hello', stream: true },
  messages: { messages: [{ role: 'user', content: 'Hello' }], max_tokens: 50, stream: true },
}

/** The second upstream speaks these dialects, the first chat completions alone. */
async function aPortal(storage: NewStorage, dialects: Dialect[]) {
  const two = await startWithTwo({ storage: await storage() }, { dialects })
  const lin = await two.person()
  const asked = () =>
    two.simulators.map(({ journal }) =>
      journal.filter(({ body }) => body !== null && Object.hasOwn(Object(body), 'stream')).map(({ path }) => path),
    )
  async function ask(...forms: Dialect[]) {
    return askAgain(null, ...forms)
  }
  async function askAgain(last_upstream_id: number | null, ...forms: Dialect[]) {
    const tools = forms.map(() => aTool())
    const relay = {
      forms: forms.map((dialect, at) => aForm(tools[at]!.to, { dialect, body: { ...BODIES[dialect] } })),
      ...{ streamed: true, input_tokens: 10, max_output: 500, last_upstream_id },
    }
    const asked = aRequestedAsk({ user_id: lin.id, text: '', conversation: null, relay })
    const reply = await two.app.services.asking.ask(asked)
    return { reply, phase: await end(reply), got: tools.map(({ got }) => got) }
  }
  return { ...two, lin, asked, ask, askAgain }
}

eachStorage((_name, storage) => {
  describe('where a request of another tool goes', () => {
    test('is to an upstream that speaks its dialect, although the other is as free', async () => {
      const { ask, asked, upstreams } = await aPortal(storage, ['chat', 'messages'])
      const { reply, phase, got } = await ask('messages', 'chat')
      expect(phase).toMatchObject({ outcome: 'finished', charged: true })
      expect(asked()).toEqual([[], ['/v1/messages']])
      expect(got[0]?.text).toContain('message_stop')
      expect(got[1]).toMatchObject({ head: null, text: '' })
      expect(reply.upstream_id).toBe(upstreams[1])
    })

    test('is in its next form to another, where none that speaks the first may be asked', async () => {
      const { ask, asked, admin, upstreams } = await aPortal(storage, ['responses'])
      await admin.result('POST', `/system/upstreams/${upstreams[1]}/pause`)
      const { got } = await ask('responses', 'chat')
      expect(asked()).toEqual([['/v1/chat/completions'], []])
      expect(got[1]?.text).toContain('[DONE]')
    })

    test('stays where its conversation was, as long as that is healthy', async () => {
      const { askAgain, admin, asked, upstreams } = await aPortal(storage, ['chat'])
      for (const _time of [1, 2, 3]) await askAgain(upstreams[1], 'chat')
      expect(asked().map(({ length }) => length)).toEqual([0, 3])
      await admin.result('POST', `/system/upstreams/${upstreams[1]}/pause`)
      await askAgain(upstreams[1], 'chat')
      expect(asked().map(({ length }) => length)).toEqual([1, 3])
    })

    test('is nowhere, when nobody speaks any of its forms', async () => {
      const { ask, asked } = await aPortal(storage, ['chat', 'messages'])
      await expect(ask('responses')).rejects.toMatchObject({ key: 'dialectNotSpoken' })
      expect(asked()).toEqual([[], []])
    })
  })

  describe('a limit of tokens', () => {
    test('reserves what is sent and asked for, lowers what is asked for, and settles what was used', async () => {
      const { ask, lin, simulators, app } = await aPortal(storage, ['messages'])
      await planStore(app.services.open.database).setOf(lin.id, {
        own_limits: [
          { source: 'openai_api', unit: 'tokens', amount: 40, window: { kind: 'day' }, models: null, until: null },
        ],
      })
      expect((await ask('messages')).phase).toMatchObject({ outcome: 'finished' })
      expect(simulators[1].journal.at(-1)?.body).toMatchObject({ max_tokens: 30 })
      const lines = await app.services.open.database.selectFrom('usage_ledger').selectAll().execute()
      expect(lines).toMatchObject([{ reason: 'settled', estimated: false }])
      expect(lines[0]?.tokens).toBe((lines[0]?.input_tokens ?? 0) + (lines[0]?.output_tokens ?? 0))
    })
  })
})
