import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { newSecret } from '#server/keys/secret.ts'
import { eachStorage } from '#testing/database.ts'
import { A_CHAT, portalWithTool } from './gateway.testing.ts'

const PATHS = [
  '/v1/chat/completions',
  '/v1/responses',
  '/v1/messages',
  '/v1/messages/count_tokens',
  '/chat/completions',
]

/** Bodies that nobody means well with. */
const BODIES: readonly (string | Buffer)[] = [
  '',
  '{',
  'null',
  '[]',
  '"text"',
  '1e999',
  '[['.repeat(5_000),
  `{"a":${'['.repeat(200)}${']'.repeat(200)}}`,
  '{"__proto__":{"model":"gpt_4"},"model":"gpt_4"}',
  '{"constructor":{"prototype":{"n":1}},"model":"gpt_4","messages":[]}',
  '{"model":{"toString":"x"},"messages":[{}]}',
  '{"model":"gpt_4","messages":{"length":9}}',
  '{"model":"gpt_4","messages":[],"input":[],"stream":"true"}',
  '{"model":"gpt_4","messages":[{}],"input":"x","max_tokens":1e999,"max_output_tokens":1e999}',
  '{"model":"gpt_4","messages":[{}],"input":"x","max_tokens":-1,"max_output_tokens":-1}',
  '{"model":"gpt_4","messages":[{}],"input":"x","n":100,"background":true,"container":"c"}',
  '{"model":"gpt_4\\u0000","messages":[{"role":"user","content":"x"}],"input":"x"}',
  '{"model":"../../etc/passwd","messages":[{"role":"user","content":"x"}],"input":"x"}',
  `{"model":"${'x'.repeat(100_000)}","messages":[{}],"input":"x"}`,
  JSON.stringify({ model: 'gpt_9', messages: Array.from({ length: 5_000 }, () => ({ role: 'user' })), input: 'x' }),
  Buffer.from([0xff, 0xfe, 0x7b, 0x7d]),
  gzipSync(Buffer.alloc(5_000_000, 'a')),
]

const HEADERS: readonly Record<string, string>[] = [
  {},
  { 'content-encoding': 'gzip' },
  { 'content-encoding': 'zstd' },
  { 'content-type': 'text/plain' },
  { 'content-type': 'multipart/form-data; boundary=x' },
  { 'x-api-key': newSecret() },
  { authorization: `Bearer ${'x'.repeat(5_000)}` },
  { authorization: 'Bearer a b c' },
  { 'anthropic-version': 'x'.repeat(5_000), 'anthropic-beta': '\u00e9' },
  { 'x-forwarded-for': '1.2.3.4', 'x-forwarded-host': 'evil.example', host: 'evil.example' },
]

/** Each body by each path with some of the headers: more than 400 in all. */
const requests = PATHS.flatMap((path, first) =>
  BODIES.flatMap((body, second) =>
    [0, 1, 2, 3].map(more => ({ path, body, headers: HEADERS[(first + second + more * 3) % HEADERS.length] })),
  ),
)

eachStorage((_name, storage) => {
  describe('requests that mean no good', () => {
    test('are each refused in words, ask nothing and cost nothing', async () => {
      expect(requests.length).toBeGreaterThanOrEqual(400)
      const { send, simulator, app, admin } = await portalWithTool(await storage())
      await admin.result('PUT', '/system/config', { http: { requests_per_minute: 100_000 } })
      const asked = simulator.journal.length
      const odd: unknown[] = []
      for (const { path, body, headers = {} } of requests) {
        const response = await send(`${path}?key=x`, { body: body as string, headers })
        const text = await response.text()
        const isCount = path.endsWith('count_tokens') && response.status === 200
        const isRefused = response.status >= 400 && response.status < 500 && text.includes('"message"')
        if (!isCount && !isRefused)
          odd.push({
            path,
            body: String(body).slice(0, 80),
            headers,
            status: response.status,
            text: text.slice(0, 200),
          })
      }
      expect(odd).toEqual([])
      expect(simulator.journal.length).toBe(asked)
      const { database } = app.services.open
      for (const table of ['asks', 'usage_ledger'] as const)
        expect(await database.selectFrom(table).selectAll().execute(), table).toEqual([])
    })
    test('leave the next one as good as ever', async () => {
      const { send } = await portalWithTool(await storage())
      await send('/v1/chat/completions', { body: '[['.repeat(50_000) })
      expect((await send('/v1/chat/completions', { body: A_CHAT })).status).toBe(200)
    })
  })
})
