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
    const body = await json(request) as Body
    asked.push(body)
    if (!refuse(body, response)) response.end('data: {"choices":[{"delta":{"content":"hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n')
  })
  return { base_url, asked, usageAsked: () => asked.map(body => body.stream_options !== undefined) }
}

const refusing = (status: number, text: string) => (body: Body, response: ServerResponse): boolean => {
  if (body.stream_options === undefined) return false
  response.writeHead(status).end(text)
  return true
}

describe('the number of tokens', () => {
  test.each([
    [400, '{"error":{"message":"Unrecognized request argument supplied: stream_options"}}'],
    [422, '{"detail":[{"type":"extra_forbidden","loc":["body","stream_options"],"msg":"Extra inputs are not permitted"}]}'],
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
    for (const text of ['one', 'two']) expect(await reply(text, { base_url: strict.base_url })).toMatchObject({ refusal: { key: 'openai.400' } })
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
