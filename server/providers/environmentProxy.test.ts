import { describe, expect, test } from 'vitest'
import { fakeEndpoint, listOf } from '#testing/fakeEndpoint.ts'
import { startPortal } from '#testing/portal.ts'

describe('a proxy that the environment names', () => {
  test('is used for the shared endpoint, said at the start, and never for people’s own', async () => {
    // A proxy is given the whole address, and answers for whoever is meant.
    const proxy = await fakeEndpoint({ models: listOf('far-model') })
    const own = await fakeEndpoint()
    const lines: string[] = []
    const { admin, person } = await startPortal({
      log: line => {
        lines.push(line)
      },
      environment: {
        OPENAI_BASE_URL: 'http://models.example.org/v1',
        HTTP_PROXY: proxy.url,
        COMMONS_AUTH_ALLOW_PRIVATE_CUSTOM_URLS: '["127.0.0.1"]',
      },
    })
    expect(lines.filter(line => line.includes('HTTP_PROXY is used'))).toHaveLength(1)
    expect(await admin.result('POST', '/system/action/read-models')).toMatchObject({
      listed: 1,
      models: [{ code: 'far-model' }],
    })
    const lin = await person()
    await admin.result('PATCH', `/user/${lin.id}/setting`, {
      openai_api: { allow_custom_openai_api: true, custom_openai_api_settings: { url: own.url, key: 'own-key' } },
    })
    await lin.ask('hello', { model: 'far-model', new_title: 'x' })
    expect(own.received).toMatchObject([{ url: '/v1/chat/completions', headers: { authorization: 'Bearer own-key' } }])
    expect(proxy.received.map(({ url }) => url)).toEqual(['http://models.example.org/v1/models'])
  })
  test('is said not to be used for an endpoint of this machine', async () => {
    const lines: string[] = []
    const { simulator, person } = await startPortal({
      log: line => {
        lines.push(line)
      },
      environment: { HTTP_PROXY: 'http://127.0.0.1:1' },
    })
    expect(lines.filter(line => line.includes('HTTP_PROXY is not used'))).toHaveLength(1)
    await (await person()).ask('hello', { new_title: 'x' })
    expect(simulator.journal).toHaveLength(1)
  })
})
