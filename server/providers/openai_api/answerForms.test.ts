import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { textOf } from '#contract/messages.ts'
import { askingProvider, PROVIDERS, rawUpstream, thoughtsOf } from '#testing/upstream.ts'

const ask = () => askingProvider(PROVIDERS[0]!)

type Sent = { status?: number; type?: string; body: string }

/** What is read of one answer. */
async function read({ status = 200, type = 'text/event-stream', body }: Sent) {
  const { reply } = await ask()
  const base_url = await rawUpstream((_request, response) => {
    response.writeHead(status, { 'content-type': type }).end(body)
  })
  const replied = await reply('hello', { base_url })
  return { ...replied, thoughts: thoughtsOf(replied.events), key: replied.refusal?.key ?? null }
}

const data = (...events: unknown[]) =>
  events.map(event => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join('')
const choice = (fields: object) => ({ choices: [{ index: 0, ...fields }] })
const delta = (content: string) => choice({ delta: { content } })
const message = (content: string, finish_reason: string | null = null) =>
  choice({ message: { role: 'assistant', content }, finish_reason })
const STOP = choice({ delta: {}, finish_reason: 'stop' })

describe('an answer that is one document', () => {
  const whole = {
    object: 'chat.completion',
    ...message('Hello **you**', 'stop'),
    usage: { prompt_tokens: 3, completion_tokens: 4 },
  }

  test.each(['application/json', 'application/json; charset=utf-8', 'text/plain', 'text/event-stream'])(
    'is read, whatever it is called (%s)',
    async type => {
      for (const body of [JSON.stringify(whole), JSON.stringify(whole, null, 2), `\n${JSON.stringify([whole])}`]) {
        const { text, key, last } = await read({ type, body })
        expect([text, key, last?.metadata]).toEqual([
          'Hello **you**',
          null,
          { source: 'openai_api', usage: whole.usage, finish_reason: 'stop' },
        ])
      }
    },
  )
  test('has its thoughts apart', async () => {
    expect(
      await read({
        type: 'application/json',
        body: JSON.stringify(choice({ message: { content: 'Hi', reasoning_content: 'hm' }, finish_reason: 'stop' })),
      }),
    ).toMatchObject({ text: 'Hi', thoughts: 'hm', key: null })
    expect(
      await read({ type: 'application/json', body: JSON.stringify(message('<think>hm</think>\nHi', 'stop')) }),
    ).toMatchObject({ text: 'Hi', thoughts: 'hm', key: null })
  })
  test('may be cut, or say why it is none', async () => {
    expect(await read({ type: 'application/json', body: JSON.stringify(message('Hello', 'error')) })).toMatchObject({
      text: 'Hello',
      key: 'openai.cutOff',
    })
    expect(
      await read({ type: 'application/json', body: JSON.stringify({ error: { message: 'Insufficient Balance' } }) }),
    ).toMatchObject({ text: '', key: 'openai.quota' })
    expect(
      await read({ type: 'application/json', body: JSON.stringify([{ error: { code: 503, message: 'x' } }]) }),
    ).toMatchObject({ key: 'openai.500' })
    expect(await read({ type: 'application/json', body: JSON.stringify({ detail: 'Internal error' }) })).toMatchObject({
      key: 'openai.cutOff',
    })
    expect(await read({ type: 'application/json', body: '{}' })).toMatchObject({ key: 'chatgptResponseError' })
    expect(
      await read({ type: 'application/json', body: JSON.stringify(message('Hello', 'stop')).slice(0, -9) }),
    ).toMatchObject({ text: '', key: expect.any(String) })
  })
  test('may be many, one on a line', async () => {
    const body = [delta('Hel'), delta('lo'), STOP].map(event => JSON.stringify(event)).join('\n')
    expect(await read({ type: 'application/x-ndjson', body })).toMatchObject({ text: 'Hello', key: null })
  })
  test('may come packed, and so may a refusal', async () => {
    const { reply } = await ask()
    const packed = (status: number, body: unknown) =>
      rawUpstream((_request, response) => {
        response
          .writeHead(status, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
          .end(gzipSync(JSON.stringify(body)))
      })
    expect(await reply('hello', { base_url: await packed(200, whole) })).toMatchObject({
      text: 'Hello **you**',
      refusal: null,
    })
    expect(
      await reply('hello', { base_url: await packed(400, { error: { code: 'context_length_exceeded' } }) }),
    ).toMatchObject({ refusal: { key: 'openai.contextTooLong' } })
  })
  test('has the time of a whole answer, however slowly it drips', async () => {
    const { reply } = await ask()
    const text = JSON.stringify(whole)
    const base_url = await rawUpstream((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write(text.slice(0, 5))
      setTimeout(() => response.end(text.slice(5)), 400)
    })
    expect(await reply('hello', { base_url, first_token_timeout: 0.1, read_timeout: 0.1 })).toMatchObject({
      text: 'Hello **you**',
      refusal: null,
    })
  })
})

describe('messages in a stream', () => {
  test.each<[string, unknown[], string]>([
    ['have the answer so far, each', [message('Hel'), message('Hello'), message('Hello', 'stop')], 'Hello'],
    ['have what is new, each', [message('ha'), message('ha'), message('!', 'stop')], 'haha!'],
    ['have all once more that was told in pieces', [delta('Hel'), delta('lo'), message('Hello', 'stop')], 'Hello'],
    ['have all and the end that was missing', [delta('Hel'), message('Hello you', 'stop')], 'Hello you'],
    ['have all in other words', [delta('Hello'), message('Bye', 'stop')], 'Hello'],
    [
      'have all, and the thoughts between tags',
      [delta('<think>hm</think>Hel'), delta('lo'), message('<think>hm</think>Hello', 'stop')],
      'Hello',
    ],
    ['have all of what was held back', [delta('<thin'), message('<thin', 'stop')], '<thin'],
    [
      'stand beside the news of the same',
      [
        choice({ delta: { content: 'Hel' }, message: { content: 'Hel' } }),
        choice({ delta: { content: 'lo' }, message: { content: 'Hello' } }),
        STOP,
      ],
      'Hello',
    ],
  ])('%s', async (_what, events, text) => {
    expect(await read({ body: data(...events) })).toMatchObject({ text, key: null })
  })
})

describe('thoughts in a stream', () => {
  const thought = (reasoning: string) => choice({ delta: { reasoning } })

  test('that come after the answer has begun join those before it, and have no place without any', async () => {
    const { text, thoughts, last, key } = await read({
      body: data(thought('one'), delta('Hel'), thought('t'), thought('wo'), delta('lo'), STOP),
    })
    expect([text, thoughts, key, textOf(last!)]).toEqual(['Hello', 'one\n\ntwo', null, 'Hello'])
    expect(await read({ body: data(delta('Hel'), thought('late'), delta('lo'), STOP) })).toMatchObject({
      text: 'Hello',
      thoughts: '',
      last: { parent: 'question' },
    })
  })
  test('that are nothing but white space are none', async () => {
    expect(await read({ body: data(thought(' \n'), delta('<think>\n\n</think>\n\nHi'), STOP) })).toMatchObject({
      text: 'Hi',
      thoughts: '',
      last: { parent: 'question' },
    })
  })
  test('between tags follow those beside the text', async () => {
    expect(await read({ body: data(thought('one '), delta('<think>two</think>Hi'), STOP) })).toMatchObject({
      text: 'Hi',
      thoughts: 'one two',
    })
  })
  test.each([
    ['stop', 'openai.thoughtsOnly'],
    ['length', 'openai.thoughtsOnly'],
    ['content_filter', 'openai.contentFilter'],
    ['error', 'openai.cutOff'],
  ])('alone, ended by %s, are no answer', async (finish_reason, expected) => {
    expect(await read({ body: data(thought('hm'), choice({ delta: {}, finish_reason })) })).toMatchObject({
      text: '',
      thoughts: 'hm',
      key: expected,
    })
  })
})

describe('several choices', () => {
  const of = (index: number, fields: object) => ({ choices: [{ index, ...fields }] })
  test('are one answer: that which brings text first, with its own end', async () => {
    const body = data(
      of(0, { delta: { role: 'assistant' }, finish_reason: 'stop' }),
      of(1, { delta: { content: 'Hel' } }),
      of(0, { delta: { content: 'other' } }),
      of(1, { delta: { content: 'lo' } }),
    )
    expect(await read({ body })).toMatchObject({ text: 'Hello', key: 'openai.cutOff' })
    expect(await read({ body: body + data(of(1, { delta: {}, finish_reason: 'length' })) })).toMatchObject({
      text: 'Hello',
      key: null,
      last: { metadata: { finish_reason: 'length' } },
    })
  })
})

describe('an end', () => {
  test.each<[string, unknown[], string | null]>([
    [
      'that is good is not mended by what follows',
      [delta('Hi'), choice({ delta: {}, finish_reason: 'error' }), STOP, '[DONE]'],
      'openai.cutOff',
    ],
    [
      'that is good is not one when an error follows',
      [delta('Hi'), STOP, { error: { message: 'x' } }],
      'openai.cutOff',
    ],
    [
      'of tool calls alone has no answer in it',
      [choice({ delta: { tool_calls: [{ index: 0 }] } }), choice({ delta: {}, finish_reason: 'tool_calls' }), '[DONE]'],
      'chatgptResponseError',
    ],
    ['behind the role alone is a cut', [choice({ delta: { role: 'assistant', content: '' } })], 'openai.cutOff'],
    [
      'behind the role alone, said to be one, has no answer in it',
      [choice({ delta: { role: 'assistant', content: '' } }), '[DONE]'],
      'chatgptResponseError',
    ],
    [
      'may have null or nothing as its reason all the while',
      [choice({ delta: { content: 'Hi' }, finish_reason: '' }), choice({ delta: {}, finish_reason: null }), '[DONE]'],
      null,
    ],
  ])('%s', async (_what, events, key) => {
    expect((await read({ body: data(...events) })).key).toBe(key)
  })
})

describe('silence after the first token', () => {
  const startedAnswer = (behave: (response: ServerResponse) => void) =>
    rawUpstream((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(data(delta('Hi')), () => behave(response))
    })

  test('ends it, and comments are a sign of life', async () => {
    const { reply } = await ask()
    expect(await reply('hello', { base_url: await startedAnswer(() => {}), read_timeout: 0.1 })).toMatchObject({
      text: 'Hi',
      refusal: { key: 'upstreamTimeout', values: { setting: 'openai_api.read_timeout' } },
    })
    const alive = await startedAnswer(response => {
      const comments = setInterval(() => response.write(': working\n\n'), 20)
      response.on('close', () => clearInterval(comments))
      setTimeout(() => response.end(data(delta(' you'), STOP)), 900)
    })
    expect(await reply('hello', { base_url: alive, read_timeout: 0.4 })).toMatchObject({
      text: 'Hi you',
      refusal: null,
    })
  })
})
