import type { IncomingMessage, ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import type { Message } from '#contract/messages.ts'
import { aMessage, words } from '#testing/messages.ts'
import { askingProvider, PROVIDERS, rawUpstream } from '#testing/upstream.ts'
import { keyHeaders } from '../endpoint.ts'
import { toUpstream } from './upstreamMessages.ts'

const ask = () => askingProvider(PROVIDERS[0]!)

type Body = { stream_options?: unknown; messages: unknown }

/** An endpoint that refuses what it is asked, or answers. */
async function endpoint(refuse: (body: Body, response: ServerResponse) => boolean) {
  const asked: Body[] = []
  const base_url = await rawUpstream(async (request: IncomingMessage, response) => {
    const body = (await json(request)) as Body
    asked.push(body)
    if (!refuse(body, response))
      response.end('data: {"choices":[{"delta":{"content":"hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n')
  })
  return { base_url, asked, usageAsked: () => asked.map(body => body.stream_options !== undefined) }
}

const refusing =
  (status: number, text: string) =>
  (body: Body, response: ServerResponse): boolean => {
    if (body.stream_options === undefined) return false
    response.writeHead(status).end(text)
    return true
  }

describe('the number of tokens', () => {
  test.each([
    [400, '{"error":{"message":"Unrecognized request argument supplied: stream_options"}}'],
    [
      422,
      '{"detail":[{"type":"extra_forbidden","loc":["body","stream_options"],"msg":"Extra inputs are not permitted"}]}',
    ],
  ])('is not asked for again where that is not understood (%i)', async (status, text) => {
    const { reply } = await ask()
    const { base_url, asked, usageAsked } = await endpoint(refusing(status, text))
    expect(await reply('one', { base_url })).toMatchObject({ text: 'hi', refusal: null })
    expect(await reply('two', { base_url })).toMatchObject({ text: 'hi', refusal: null })
    expect(usageAsked()).toEqual([true, false, false])
    expect(asked[1]?.messages).toEqual(asked[0]?.messages)
  })

  test('is asked for elsewhere, and with every ask where something else is not understood', async () => {
    const { reply } = await ask()
    const old = await endpoint(refusing(400, 'stream_options?'))
    const strict = await endpoint(refusing(400, 'too hot'))
    await reply('one', { base_url: old.base_url })
    for (const text of ['one', 'two'])
      expect(await reply(text, { base_url: strict.base_url })).toMatchObject({ refusal: { key: 'openai.400' } })
    expect(strict.usageAsked()).toEqual([true, true])
  })

  test('was not the reason when the endpoint refuses without that question too', async () => {
    const { reply } = await ask()
    const { base_url, usageAsked } = await endpoint((_body, response) => {
      response.writeHead(400).end('stream_options and more')
      return true
    })
    expect(await reply('one', { base_url })).toMatchObject({ refusal: { key: 'openai.400' } })
    expect(usageAsked()).toEqual([true, false])
  })

  test('is no reason to read on and on in a refusal', async () => {
    const { reply } = await ask()
    const { base_url, usageAsked } = await endpoint((_body, response) => {
      response.writeHead(400).write('x'.repeat(100_000)) // and never ends
      return true
    })
    expect(await reply('one', { base_url })).toMatchObject({ refusal: { key: 'openai.400' } })
    expect(usageAsked()).toEqual([true])
  })
})

describe('a stream', () => {
  type Whole = { stream?: boolean }
  const whole = '{"choices":[{"index":0,"message":{"role":"assistant","content":"hi"},"finish_reason":"stop"}]}'

  /** Refuses to stream in these words, and answers whole. */
  async function unstreaming(status: number, text: string) {
    const streams: (boolean | undefined)[] = []
    const base_url = await rawUpstream(async (request: IncomingMessage, response) => {
      const { stream } = (await json(request)) as Whole
      streams.push(stream)
      if (stream === true) response.writeHead(status).end(text)
      else response.writeHead(200, { 'content-type': 'application/json' }).end(whole)
    })
    return { base_url, streams }
  }

  test.each([
    [400, '{"error":{"message":"stream is not supported"}}'],
    [404, 'Streaming is not available here'],
    [405, '{"detail":"STREAM"}'],
    [422, '{"detail":[{"loc":["body","stream"],"msg":"Input should be False"}]}'],
    [501, 'no streaming'],
    [
      400,
      '{"error":{"message":"Unsupported value: \'stream\' does not support true with this model.","param":"stream","code":"unsupported_value"}}',
    ],
  ])('is not asked for again where it is refused (%i %s)', async (status, text) => {
    const { reply } = await ask()
    const { base_url, streams } = await unstreaming(status, text)
    for (const question of ['one', 'two'])
      expect(await reply(question, { base_url })).toMatchObject({ text: 'hi', refusal: null })
    expect(streams).toEqual([true, false, false])
  })

  test('is asked for of other models there', async () => {
    const { reply } = await ask()
    const { base_url, streams } = await unstreaming(400, 'this model does not stream')
    for (const model_name of ['whole', 'other'])
      expect(await reply('one', { base_url, model_name })).toMatchObject({ text: 'hi' })
    expect(streams).toEqual([true, false, true, false])
  })

  test.each([
    [400, 'the upstream is away'],
    [500, 'streaming failed'],
    [429, 'too many streams'],
  ])('is no reason for another refusal (%i %s)', async (status, text) => {
    const { reply } = await ask()
    const { base_url, streams } = await unstreaming(status, text)
    expect(await reply('one', { base_url })).toMatchObject({ text: '', refusal: { values: { status } } })
    expect(streams).toEqual([true])
  })
})

const message = (role: Message['role'], content: Message['content'], more: Partial<Message> = {}) =>
  aMessage({ role, content, ...more })
const said = (role: Message['role'], text: string, more: Partial<Message> = {}) => message(role, words(text), more)

describe('a thread on its way to the endpoint', () => {
  test('keeps roles and text', () => {
    expect(
      toUpstream([
        message('user', { content_type: 'text', text: '你好' }),
        message('assistant', { content_type: 'text', parts: ['Hi', '!'] }),
      ]),
    ).toEqual([
      { role: 'user', content: '你好' },
      { role: 'assistant', content: 'Hi!' },
    ])
  })
  test('has the sides take turns', () => {
    const thread = [
      said('system', 's'),
      said('user', 'unanswered'),
      said('user', 'again'),
      said('assistant', 'one'),
      said('tool', 'two'),
      message('user', null),
      said('assistant', 'three'),
    ]
    expect(toUpstream(thread)).toEqual([
      { role: 'system', content: 's' },
      { role: 'user', content: 'unanswered\n\nagain' },
      { role: 'assistant', content: 'one\n\ntwo\n\nthree' },
    ])
  })
  test('has no pictures of an answer, and a question keeps its words', () => {
    const picture = `![](data:image/png;base64,${'A'.repeat(5_000)})`
    const thread = [
      said('user', `what is ${picture}?`),
      said('assistant', `Here: ${picture} and data:text/plain,short`),
      said('assistant', picture),
    ]
    expect(toUpstream(thread)).toEqual([
      { role: 'user', content: `what is ${picture}?` },
      { role: 'assistant', content: 'Here:  and data:text/plain,short' },
    ])
  })
  test('leaves out what has no text', () => {
    expect(toUpstream([message('assistant', null), message('user', { content_type: 'text', text: '' })])).toEqual([])
  })
  test('has one system message and that in front; what stands between the sides was a note', () => {
    const thread = [
      said('system', 'be brief'),
      said('system', 'be kind'),
      said('user', 'hi'),
      said('system', 'Thought for 4 seconds'),
      said('user', 'there?'),
      said('assistant', 'yes'),
      said('system', ''),
    ]
    expect(toUpstream(thread)).toEqual([
      { role: 'system', content: 'be brief\n\nbe kind' },
      { role: 'user', content: 'hi\n\nthere?' },
      { role: 'assistant', content: 'yes' },
    ])
    expect(toUpstream([said('assistant', 'welcome'), said('system', 'late')])).toEqual([
      { role: 'assistant', content: 'welcome' },
    ])
  })
  test('has no thoughts, and the answers around them are one', () => {
    const thoughts = message('assistant', { content_type: 'thoughts', text: 'let me see', seconds: 4 })
    expect(
      toUpstream([said('user', 'q'), thoughts, said('assistant', 'half'), thoughts, said('assistant', 'whole')]),
    ).toEqual([
      { role: 'user', content: 'q' },
      { role: 'assistant', content: 'half\n\nwhole' },
    ])
  })
  test('has none of the notes that an import brought', () => {
    const notes = [
      said('system', 'what it was told about the person', {
        metadata: { source: 'openai_web', is_visually_hidden_from_conversation: true },
      }),
      said('tool', 'anything', { author_name: 'canmore.update_textdoc' }),
      said('tool', 'Model set context updated.', { author_name: 'a8km123' }),
      said('tool', "Successfully created text document with textdoc_id: '1'"),
      said('tool', 'DALL·E displayed 1 images.', { author_name: 'dalle.text2im' }),
      said('assistant', '{"updates":[]}', { metadata: { source: 'openai_web', recipient: 'canmore.update_textdoc' } }),
      said('assistant', '{"query":"tea"}', { metadata: { source: 'openai_web', recipient: 'web_search' } }),
      said('assistant', 'Has a cat.', { metadata: { source: 'openai_web', recipient: 'bio' } }),
    ]
    expect(toUpstream([...notes, said('user', 'q'), ...notes, said('assistant', 'a')])).toEqual([
      { role: 'user', content: 'q' },
      { role: 'assistant', content: 'a' },
    ])
  })
  test('has what a tool found, and people may write what tools report', () => {
    const code = message(
      'assistant',
      { content_type: 'code', text: '6*7' },
      { metadata: { source: 'openai_web', recipient: 'python' } },
    )
    const run = message('tool', { content_type: 'execution_output', text: '42' }, { author_name: 'python' })
    expect(toUpstream([said('user', 'Model set context updated.'), code, run])).toEqual([
      { role: 'user', content: 'Model set context updated.' },
      { role: 'assistant', content: '6*7\n\n42' },
    ])
  })
})

const ANSWER = 'data: {"choices":[{"delta":{"content":"hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'

describe('the key', () => {
  test('goes as a bearer token unless a header is named, and no header goes without a key', () => {
    expect(keyHeaders({ key: 'k', key_header: null })).toEqual({ authorization: 'Bearer k' })
    expect(keyHeaders({ key: 'k', key_header: 'Api-Key' })).toEqual({ 'api-key': 'k' })
    expect(keyHeaders({ key: 'k', key_header: 'Authorization' })).toEqual({ authorization: 'k' })
    expect(keyHeaders({ key: null, key_header: 'api-key' })).toEqual({})
  })
  test('reaches the endpoint in the named header alone, at a path that stands before the query', async () => {
    const received: unknown[] = []
    const url = await rawUpstream(({ url: path, headers }, response) => {
      received.push([path, headers['api-key'], headers.authorization])
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(ANSWER)
    })
    const [openaiApi] = PROVIDERS
    const { reply } = await askingProvider(openaiApi!)
    const base_url = url.replace('/v1/', '/openai/deployments/gpt-4o?api-version=2024-10-21')
    expect((await reply('hello', { base_url, key: 'azure-key', key_header: 'api-key' })).text).toBe('hi')
    expect(received).toEqual([
      ['/openai/deployments/gpt-4o/chat/completions?api-version=2024-10-21', 'azure-key', undefined],
    ])
  })
})
