import { describe, expect, onTestFinished, test } from 'vitest'
import { openOutbound } from '#server/foundation/outbound/outbound.ts'
import { fakeEndpoint } from '#testing/fakeEndpoint.ts'
import { listed } from './documentedEndpoint.testing.ts'
import { LM_STUDIO_LISTS, OLLAMA_SHOWS } from './localEndpoints.testing.ts'
import { readModels } from './modelList.ts'

async function read(given: Parameters<typeof fakeEndpoint>[0], path = '/v1', key: string | null = null) {
  const endpoint = await fakeEndpoint(given)
  const outbound = openOutbound()
  onTestFinished(() => outbound.close())
  const at = { base_url: `${endpoint.url}${path}`, key, key_header: null, proxy: null, addresses: 'any' } as const
  const models = await readModels(outbound, at, new AbortController().signal)
  return { models, requests: endpoint.received.map(({ url, body }) => [url, body?.['model'] ?? null]), endpoint }
}

describe('the models of Ollama', () => {
  const models = listed('library', 'qwen3:8b', 'nomic-embed-text:latest', 'gemma3:4b')

  test('are asked about one by one, but for those that do not chat', async () => {
    const answer = await read({ models, native: { '/api/show': OLLAMA_SHOWS } }, '/v1', 'sk-1')
    expect(answer.requests).toEqual([
      ['/v1/models', null],
      ['/api/show', 'qwen3:8b'],
      ['/api/show', 'gemma3:4b'],
    ])
    expect(answer.models.map(({ id, uses_tools, context_length }) => [id, uses_tools, context_length])).toEqual([
      ['qwen3:8b', true, 40_960],
      ['nomic-embed-text:latest', null, null],
      ['gemma3:4b', true, 40_960],
    ])
    expect(answer.endpoint.received.every(({ headers }) => headers.authorization === 'Bearer sk-1')).toBe(true)
  })
  test('are as they are listed where a gateway answers in its place: one request finds out', async () => {
    const { models: known, requests } = await read({ models })
    expect(requests.map(([url]) => url)).toEqual(['/v1/models', '/api/show'])
    expect(known).toMatchObject([{ id: 'qwen3:8b', uses_tools: null }, {}, {}])
  })
  test('are found behind a path', async () => {
    const { requests } = await read({ models, native: { '/ollama/api/show': OLLAMA_SHOWS } }, '/ollama/v1')
    expect(requests.map(([url]) => url)).toEqual(['/ollama/v1/models', '/ollama/api/show', '/ollama/api/show'])
  })
  test('are not asked about at an address without /v1', async () => {
    const { requests } = await read({ models }, '/api/chat/completions')
    expect(requests.map(([url]) => url)).toEqual(['/api/models'])
  })
})

test('the models of LM Studio are read with one request', async () => {
  const models = listed('organization_owner', 'qwen2-vl-7b-instruct', 'another')
  const answer = await read({ models, native: { '/api/v0/models': LM_STUDIO_LISTS } })
  expect(answer.requests.map(([url]) => url)).toEqual(['/v1/models', '/api/v0/models'])
  expect(answer.models).toMatchObject([
    { id: 'qwen2-vl-7b-instruct', takes_pictures: true, context_length: 32_768 },
    { id: 'another', takes_pictures: null, context_length: null },
  ])
})

test('nobody else is asked for more than a list', async () => {
  const { requests } = await read({ models: listed('openai', 'gpt-4o') })
  expect(requests.map(([url]) => url)).toEqual(['/v1/models'])
})
