import { describe, expect, test } from 'vitest'
import type { UpstreamRead } from '#contract/upstreams.ts'
import { eachStorage } from '#testing/database.ts'
import { startPortal } from '#testing/portal.ts'
import { rawUpstream } from '#testing/upstream.ts'

type Answers = Record<string, [status: number, body: string]>
const LACKS = '{"error":{"message":"model is required"}}'

/** An endpoint that lists one model, and answers what is posted as it is told. */
function anEndpoint(answers: Answers) {
  return rawUpstream((request, response) => {
    if (request.method === 'GET') return void response.end('{"object":"list","data":[{"id":"gpt-4","object":"model"}]}')
    const [status, body] = answers[request.url?.split('/').at(-1) ?? ''] ?? [404, '{}']
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  })
}

eachStorage((_name, storage) => {
  async function added(answers: Answers, fields: Partial<UpstreamRead> = {}) {
    const { app, admin } = await startPortal({ storage: await storage() })
    const given = { source: 'openai_api', label: 'Second', base_url: await anEndpoint(answers), ...fields }
    const upstream = await admin.result<UpstreamRead>('POST', '/system/upstreams', given)
    return { admin, upstream, spoken: () => app.services.upstreams.find(upstream.id)?.dialects }
  }

  describe('the dialects of an upstream', () => {
    test('are those in which a request that lacks everything is refused as such', async () => {
      const { upstream, spoken } = await added({ completions: [400, LACKS], messages: [422, LACKS] })
      expect(upstream).toMatchObject({ dialects: null, last_test: { dialects: ['chat', 'messages'] } })
      expect(spoken()).toEqual(['chat', 'messages'])
    })

    test('are chat completions alone where nothing was found out', async () => {
      const { upstream, spoken } = await added({ completions: [500, ''], responses: [400, '<html>no</html>'] })
      expect(upstream.last_test?.dialects).toBe(null)
      expect(spoken()).toEqual(['chat'])
    })

    test('are what an administrator sets, until that is taken back', async () => {
      const { admin, upstream, spoken } = await added({ completions: [400, LACKS] }, { dialects: ['messages'] })
      expect(upstream.dialects).toEqual(['messages'])
      expect(spoken()).toEqual(['messages'])
      const address = `/system/upstreams/${upstream.id}`
      expect(await admin.result('PATCH', address, { dialects: ['chat', 'responses'] })).toMatchObject({
        dialects: ['chat', 'responses'],
      })
      expect(await admin.result('PATCH', address, { dialects: null })).toMatchObject({ dialects: null })
      expect(spoken()).toEqual(['chat'])
      expect(await admin.call('PATCH', address, { dialects: ['latin'] })).toMatchObject({ code: 422 })
    })

    test('may be set of the account of the settings, which sets all else elsewhere', async () => {
      const { app, admin } = await startPortal({ storage: await storage() })
      const { id } = app.services.upstreams.ofSettings('openai_api')
      await admin.result('PATCH', `/system/upstreams/${id}`, { dialects: ['chat', 'messages'] })
      expect(app.services.upstreams.find(id)?.dialects).toEqual(['chat', 'messages'])
    })
  })
})
