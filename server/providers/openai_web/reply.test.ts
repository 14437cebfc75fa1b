import { describe, expect, test } from 'vitest'
import { type Message, textOf, withText } from '#contract/messages.ts'
import { DEFAULT_MODEL_CODE_MAPPING } from '#contract/models.ts'
import type { Simulator } from '#simulator/simulator.ts'
import { connectProxy } from '#testing/connectProxy.ts'
import { type Asking, askingProvider, PROVIDERS, rawUpstream, type Replied } from '#testing/upstream.ts'
import { requirePort } from '../provider.ts'

const ask = () => askingProvider(PROVIDERS.find(({ source }) => source === 'openai_web')!)

const WEB = {
  team_account_id: null,
  wss_proxy: null,
  common_timeout: 5,
  model_code_mapping: DEFAULT_MODEL_CODE_MAPPING.openai_web,
}

function conversationOf({ events }: Replied): string {
  const ids = events.flatMap(event => (event.type === 'conversation' ? [event.upstream_conversation_id] : []))
  expect(ids).toHaveLength(1)
  return ids[0]!
}

/** The messages as a reader has them at the end. */
function messagesIn({ events }: Replied): Message[] {
  const messages = new Map<string, Message>()
  let latest: Message | undefined
  for (const event of events) {
    if (event.type === 'message') latest = event.message
    else if (event.type === 'text' && latest !== undefined)
      latest = { ...latest, content: withText(latest.content, textOf(latest) + event.text) }
    if (latest !== undefined) messages.set(latest.id, latest)
  }
  return [...messages.values()]
}

/** What the account keeps of the conversation that a reply has begun. */
async function kept({ provider, endpoint }: Asking, replied: Replied): Promise<readonly Message[]> {
  const read = requirePort(provider, 'readConversation')
  const { messages } = await read({ ...endpoint, web: WEB }, conversationOf(replied), new AbortController().signal)
  return messages
}

/**
 * Without what differs between a stream and what is kept: the links, of which a stream has none, and the time of the
 * question.
 */
const compared = (messages: readonly Message[]) =>
  messages
    .filter(({ role }) => role !== 'system')
    .map(({ id, role, author_name, model, content, metadata, create_time }) =>
      role === 'user' ? { id, role, content } : { id, role, author_name, model, content, metadata, create_time },
    )

const onSocket = (simulator: Simulator) => {
  simulator.web.transport = 'websocket'
}

describe('an answer of the web service', () => {
  test.each([
    'text',
    'several',
    'browsing',
    'plugins',
    'plugins-error',
    'interpreter',
    'interpreter-error',
    'dalle',
    'dalle-error',
    'files',
    'kinds',
    'kinds encoding=delta',
    'kinds encoding=delta transport=websocket',
    'browsing encoding=delta',
    'interpreter-error encoding=delta chunk=6',
  ])('is what the account keeps of it: %s', async shape => {
    const asking = await ask()
    const replied = await asking.reply(`/simulate shape=${shape}\nCompare five days.`, {
      model_name: 'gpt-4',
      web: WEB,
    })
    expect(replied.refusal).toBe(null)
    const streamed = messagesIn(replied)
    const stored = await kept(asking, replied)
    expect(compared(streamed)).toEqual(compared(stored))
    const parents = new Map(stored.map(({ id, parent }) => [id, parent]))
    for (const { id, parent } of streamed.slice(1)) expect(parent).toBe(parents.get(id))
    expect(streamed.at(-1)).toMatchObject({ model: 'gpt_4', metadata: { end_turn: true } })
  })
  test('comes with the title of a new conversation', async () => {
    const { reply } = await ask()
    const { events } = await reply('Compare five days.')
    expect(events).toContainEqual({ type: 'title', title: expect.stringMatching(/\S/) })
  })
  test('that shrinks in its middle is in the end what it is', async () => {
    const asking = await ask()
    asking.simulator.web.nextFault('ask', { kind: 'shrink', after_tokens: 20 })
    const replied = await asking.reply('/simulate tokens=60', { model_name: 'gpt-4', web: WEB })
    expect(replied.refusal).toBe(null)
    expect(compared(messagesIn(replied))).toEqual(compared(await kept(asking, replied)))
  })
  test('that shrinks to nothing is no answer', async () => {
    const { reply } = await ask()
    const base_url = await rawUpstream((_request, response) => {
      for (const [status, words] of [
        ['in_progress', 'Half'],
        ['finished_successfully', ''],
      ]) {
        const content = { content_type: 'text', parts: [words] }
        const message = { id: 'm', author: { role: 'assistant' }, content, status, end_turn: words === '' }
        response.write(`data: ${JSON.stringify({ message, conversation_id: 'c', error: null })}\n\n`)
      }
      response.end('data: [DONE]\n\n')
    })
    expect(await reply('hello', { base_url })).toMatchObject({ refusal: { key: 'chatgptResponseError' }, text: '' })
  })
  test('is read over what else comes between its events', async () => {
    const asking = await ask()
    for (const fault of [{ kind: 'odd' }, { kind: 'malformed', after_tokens: 3 }, { kind: 'huge_line' }] as const) {
      asking.simulator.web.nextFault('ask', fault)
      const { refusal, text } = await asking.reply('/simulate tokens=40')
      expect(refusal).toBe(null)
      expect(text).toContain(asking.simulator.journal.at(-1)?.sent.slice(0, 20))
    }
  })
  test('is whole where its last message says so and its end is lost', async () => {
    const { reply, simulator } = await ask()
    simulator.web.nextFault('ask', { kind: 'no_done' })
    expect(await reply('/simulate tokens=40')).toMatchObject({ refusal: null, text: simulator.journal[0]?.sent })
  })
  test('whose last message says that it was interrupted is not, nor is one that the service has blocked', async () => {
    const { reply } = await ask()
    const said = (more: object) => ({
      message: { id: 'm', author: { role: 'assistant' }, content: { content_type: 'text', parts: ['Half'] }, ...more },
      conversation_id: 'c',
      error: null,
    })
    const interrupted = said({ status: 'finished_successfully', metadata: { finish_details: { type: 'interrupted' } } })
    const blocked = {
      conversation_id: 'c',
      message_id: 'm',
      is_completion: true,
      moderation_response: { blocked: true },
    }
    for (const [events, refusal] of [
      [[interrupted], { key: 'openai.cutOff', values: { reason: 'finish_reason' } }],
      [[said({}), blocked], { key: 'openai.contentFilter' }],
    ] as const) {
      const base_url = await rawUpstream((_request, response) => {
        response.end([...events.map(event => `data: ${JSON.stringify(event)}\n\n`), 'data: [DONE]\n\n'].join(''))
      })
      expect(await reply('hello', { base_url })).toMatchObject({ refusal, text: 'Half' })
    }
  })
  test('is none where a page, another document or nothing comes in its place', async () => {
    const { reply, simulator } = await ask()
    for (const fault of [
      { kind: 'json', body: { hello: 'world' } },
      { kind: 'json', body: [] },
      { kind: 'json', body: { wss_url: 'ws://127.0.0.1:9/' } },
    ] as const) {
      simulator.web.nextFault('ask', fault)
      const { refusal, events } = await reply('hello')
      expect(refusal?.key).toBe('chatgptResponseError')
      expect(events).toEqual([])
    }
    for (const [status, key] of [
      [200, 'openai.webPage'],
      [401, 'openai.401'],
      [403, 'openai.webPage'],
    ] as const) {
      simulator.web.nextFault('ask', { kind: 'page', status })
      const { refusal } = await reply('hello')
      expect(refusal).toMatchObject({ key })
      expect(JSON.stringify(refusal)).not.toContain('secret-of-the-wall')
    }
  })
  test('is asked for in the name of the team, with the token of Arkose in both places', async () => {
    const { reply, simulator } = await ask()
    const web = { ...WEB, team_account_id: 'team-1' }
    await reply('hello', { web }, undefined, undefined, { extras: { arkose_token: 'arkose-1' } })
    const [entry] = simulator.journal
    expect(entry?.body).toMatchObject({ arkose_token: 'arkose-1', plugin_ids: null, timezone_offset_min: null })
    expect(entry?.web).toMatchObject({
      account_id: 'team-1',
      headers: {
        'openai-sentinel-arkose-token': 'arkose-1',
        'accept-language': 'en-US',
        authorization: 'Bearer test-key',
      },
    })
  })
})

describe('an answer by WebSocket', () => {
  test('is the same, acknowledged at every 11th frame and at the end; those of others are ignored', async () => {
    const asking = await ask()
    onSocket(asking.simulator)
    const replied = await asking.reply('/simulate tokens=60', { model_name: 'gpt-4', web: WEB })
    expect(replied.refusal).toBe(null)
    expect(compared(messagesIn(replied))).toEqual(compared(await kept(asking, replied)))
    const { web } = await asking.simulator.waitFor(
      entry => entry.ended === 'complete' && entry.path.endsWith('/conversation'),
    )
    const acknowledged = web?.acknowledged ?? []
    expect(acknowledged.slice(0, 3)).toEqual([11, 22, 33])
    expect(replied.text).not.toContain('not yours')
  })
  test('comes through the proxy that is named for it, which the question itself does not take', async () => {
    const { reply, simulator } = await ask()
    onSocket(simulator)
    const proxy = await connectProxy()
    const { refusal, text } = await reply('hello', { web: { ...WEB, wss_proxy: proxy.url } })
    expect([refusal, text]).toEqual([null, simulator.journal[0]?.sent])
    expect(proxy.asked).toEqual([new URL(simulator.webUrl).host])
  })
  test('is whole although frames of it never came, unless its end is one of them', async () => {
    const { reply, simulator } = await ask()
    onSocket(simulator)
    simulator.web.nextFault('ask', { kind: 'lost_frames', every: 5 })
    expect(await reply('/simulate tokens=60')).toMatchObject({ refusal: null, text: simulator.journal[0]?.sent })
    // All comes but the last state of its message.
    simulator.web.nextFault('ask', { kind: 'lost_frames', every: 2 })
    const halved = await reply('/simulate tokens=2 title=none')
    expect(halved.refusal).toMatchObject({ key: 'openai.cutOff', values: { reason: 'lost_frames' } })
  })
  test('has the time of an answer, ends when it is stopped, and fails where there is no WebSocket', async () => {
    const { reply, simulator } = await ask()
    onSocket(simulator)
    simulator.web.nextFault('ask', { kind: 'stall', after_tokens: 5 })
    const stalled = await reply('/simulate tokens=50', { ask_timeout: 1, web: { ...WEB, common_timeout: 0.2 } })
    expect(stalled).toMatchObject({
      refusal: { key: 'upstreamTimeout', values: { setting: 'openai_web.ask_timeout' } },
      text: simulator.journal[0]?.sent,
    })
    simulator.setPace(50)
    const stop = new AbortController()
    const stopped = await reply('/simulate tokens=5000', {}, stop.signal, event => {
      if (event.type === 'text') stop.abort('stopped')
    })
    expect(stopped.refusal).toBe(null)
    await simulator.waitFor(entry => entry.ended === 'aborted' && entry.id === simulator.journal.at(-1)?.id)
    simulator.setPace(0)
    const wss_url = simulator.webUrl.replace('http', 'ws')
    simulator.web.nextFault('ask', { kind: 'json', body: { conversation_id: 'c', wss_url } })
    expect((await reply('hello')).refusal).toMatchObject({ key: 'httpError' })
  })
  test('is looked for at the account’s own origin and in the internet alone', async () => {
    const { reply, simulator } = await ask()
    for (const wss_url of [
      'ws://127.0.0.1:9/',
      'wss://10.0.0.1/',
      'ws://93.184.216.34/',
      'file:///etc/passwd',
      'wss://localhost/',
    ]) {
      simulator.web.nextFault('ask', { kind: 'json', body: { conversation_id: 'c', wss_url } })
      expect((await reply('hello')).refusal).toMatchObject({ key: 'addressNotAllowed' })
    }
  })
})
