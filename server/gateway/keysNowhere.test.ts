import { describe, expect, test } from 'vitest'
import type { Database } from '#server/foundation/database/open.ts'
import { tables } from '#server/foundation/database/schema/schema.ts'
import { withKeys } from '#server/keys/keys.testing.ts'
import { newSecret } from '#server/keys/secret.ts'
import { eachStorage, type NewStorage } from '#testing/database.ts'
import { startPortal } from '#testing/portal.ts'
import { rawRequest } from '#testing/rawRequest.ts'
import { DIALECTS, questionIn } from './gateway.testing.ts'

const [, A_CHAT] = questionIn.chat('Hello')

type Placed = { path?: string; headers?: Record<string, string>; body?: object | string }

/** Where people put keys, rightly or not. */
const MISPLACED: readonly ((key: string) => Placed)[] = [
  key => ({ headers: { authorization: `Bearer ${key}` } }),
  key => ({ headers: { authorization: key } }),
  key => ({ headers: { authorization: `Basic ${btoa(`user:${key}`)}` } }),
  key => ({ headers: { 'x-api-key': key } }),
  key => ({ headers: { 'api-key': key, 'x-goog-api-key': key } }),
  key => ({ headers: { authorization: `Bearer ${key}`, 'x-api-key': newSecret() } }),
  key => ({ headers: { cookie: `key=${key}` } }),
  key => ({ headers: { 'user-agent': key } }),
  key => ({
    headers: { 'x-session-id': key, origin: `https://${key}.example`, 'x-forwarded-for': key, 'x-request-id': key },
  }),
  key => ({ path: `/v1/chat/completions?key=${key}&api_key=${key}` }),
  key => ({ path: `/v1/${key}/chat/completions` }),
  key => ({ path: `/v1/models/${key}` }),
  key => ({ body: { ...A_CHAT, model: key } }),
  key => ({ body: { ...A_CHAT, [key]: true, tools: [{ type: key }] } }),
  key => ({ body: { ...A_CHAT, user: key, api_key: key, metadata: { key }, n: key } }),
  key => ({ body: questionIn.chat(`My key is ${key}`)[1] }),
  key => ({ body: `key=${key}` }),
]

async function opened(storage: NewStorage) {
  const lines: string[] = []
  const portal = await startPortal({ storage: await storage(), log: line => void lines.push(line) })
  const { make, lin, admin, ...more } = await withKeys(portal)
  await admin.result('PUT', '/system/config', { http: { requests_per_minute: 100_000 } })
  const [good, revoked] = [await make(), await make()]
  await lin.result('DELETE', `/user/me/keys/${revoked.id}`)
  const keys = [good.key, revoked.key, newSecret(), `${good.key.slice(0, -1)}-`]
  return { ...more, admin, lines, keys, good: good.key }
}

/** All that is stored. A key itself is not: its hash is. */
const rowsIn = (database: Database) =>
  Promise.all(
    (Object.keys(tables) as (keyof typeof tables)[]).map(table => database.selectFrom(table).selectAll().execute()),
  )

eachStorage((_name, storage) => {
  describe('a key, be it good, revoked, unknown or mistyped, and wherever it is sent', () => {
    test('is in no answer, no line of the log, no metric and nothing that is stored', async () => {
      const { url, lines, keys, good, app, admin, simulator } = await opened(storage)
      const answers: string[] = []
      const send = async (path: string, body: object | string, headers: Record<string, string>, method = 'POST') => {
        const text = typeof body === 'string' ? body : JSON.stringify(body)
        const given = { 'content-type': 'application/json', ...headers }
        const answer = await rawRequest(url, { method, path, headers: given, ...(method === 'POST' && { body: text }) })
        expect(answer.status).toBeLessThan(500)
        answers.push(answer.text)
      }
      const byGood = { authorization: `Bearer ${good}` }
      for (const key of keys) {
        for (const { path = '/v1/chat/completions', body = A_CHAT, headers = {} } of MISPLACED.map(sent => sent(key)))
          // Once as it is, and once beside a good one, so that more of it is read.
          for (const more of [headers, { ...byGood, ...headers }])
            for (const method of ['POST', 'GET']) await send(path, body, more, method)
        for (const [path, body] of DIALECTS.map(dialect => questionIn[dialect]('Hello'))) {
          simulator.nextFault({ kind: 'status', status: 400, body: `{"error":{"message":"no ${key}"}}` })
          await send(path, body, byGood)
        }
      }
      const kept = {
        ...{ answers, lines, rows: await rowsIn(app.services.open.database) },
        metrics: await app.services.metrics.registry.metrics(),
        log: await admin.result('GET', '/system/asks'),
      }
      expect([answers, lines, kept.rows.flat()].every(({ length }) => length > 0)).toBe(true)
      for (const [where, found] of Object.entries(kept)) {
        const text = JSON.stringify(found)
        // A key that was cut is one as well.
        for (const key of keys) {
          const at = text.indexOf(key.slice(0, 16))
          expect(at < 0 ? '' : text.slice(Math.max(0, at - 200), at + 16), where).toBe('')
        }
      }
    })
  })
})
