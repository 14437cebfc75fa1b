import { describe, expect, test } from 'vitest'
import { askingProvider, PROVIDERS, rawUpstream } from '#testing/upstream.ts'
import { keyHeaders } from './keyHeaders.ts'

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
