import { describe, expect, test } from 'vitest'
import { anEdge } from '#testing/edge.ts'

describe('the health of the process', () => {
  test('is there as long as it answers', async () => {
    const { call } = await anEdge({ ready: async () => false })
    expect(await call('/healthz')).toMatchObject({ status: 200, text: 'ok\n' })
    expect(await call('/healthz', { method: 'HEAD' })).toMatchObject({ status: 200, text: '' })
  })
  test('is ready when the database answers', async () => {
    expect(await (await anEdge()).call('/readyz')).toMatchObject({ status: 200, text: 'ready\n' })
  })
  test.each([
    async () => false,
    async () => {
      throw new Error('no database')
    },
  ])('is not ready when it does not', async ready => {
    expect(await (await anEdge({ ready })).call('/readyz')).toMatchObject({ status: 503, text: 'not ready\n' })
  })
})

describe('the metrics', () => {
  test('do not exist without a token', async () => {
    const { call } = await anEdge()
    expect((await call('/metrics', { headers: { authorization: 'Bearer null' } })).status).toBe(404)
  })
  test('are for who has the token', async () => {
    const { call } = await anEdge({ metricsToken: 'geheim' })
    for (const authorization of ['', 'Bearer ', 'Bearer geheim2', 'Basic geheim', 'geheim']) {
      expect((await call('/metrics', { headers: { authorization } })).status).toBe(401)
    }
    const { status, headers, text } = await call('/metrics', { headers: { authorization: 'Bearer geheim' } })
    expect(status).toBe(200)
    expect(headers.get('content-type')).toMatch(/^text\/plain/)
    expect(text).toContain('# TYPE commons_http_request_seconds histogram')
  })
  test('count requests by route and code, and hold nothing that a client sent', async () => {
    const { call } = await anEdge({ metricsToken: 'geheim' })
    await call('/api/thing/7?color=mauve', { as: 'ann' })
    await call('/api/thing/8', { as: 'ann' })
    await call('/api/thing/9')
    await call('/api/somewhere-else')
    const { text } = await call('/metrics', { headers: { authorization: 'Bearer geheim' } })
    expect(text).toContain('commons_http_request_seconds_count{method="GET",route="/thing/:id",code="200"} 2')
    expect(text).toContain('commons_http_request_seconds_count{method="GET",route="/thing/:id",code="10401"} 1')
    expect(text).not.toMatch(/mauve|somewhere-else/)
  })
})
