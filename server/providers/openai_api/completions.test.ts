import type { IncomingMessage, ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { askingProvider, PROVIDERS, rawUpstream } from '#testing/upstream.ts'

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
