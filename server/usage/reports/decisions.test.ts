import { describe, expect, test } from 'vitest'
import type { UsageRequest } from '#contract/usage.ts'
import { testClock } from '#testing/clock.ts'
import { eachStorage } from '#testing/database.ts'
import { startPortal } from '#testing/portal.ts'

const NOW = Date.parse('2028-02-10T05:00:00Z')
const HOUR = 3_600_000
const iso = (time: number) => new Date(time).toISOString()

eachStorage((_name, storage) => {
  async function start() {
    const clock = testClock(NOW)
    const portal = await startPortal({
      ...{ storage: await storage(), clock },
      environment: { COMMONS_PORTAL_TIME_ZONE: 'Asia/Kolkata', COMMONS_MONEY_CREDITS_AS_MONEY: 'true' },
    })
    const lin = await portal.person('lin')
    return {
      ...{ ...portal, clock, lin },
      request: (fields: object = {}) =>
        lin.result<UsageRequest>('POST', '/usage/request', {
          source: 'openai_api',
          unit: 'money',
          amount: 5,
          ...fields,
        }),
      decide: (id: number, body: object) => portal.admin.call('PATCH', `/usage/requests/${id}`, body),
      audit: () =>
        portal.app.services.open.database
          .selectFrom('audit')
          .selectAll()
          .where('action', 'in', ['usage.granted', 'usage.declined'])
          .orderBy('id')
          .execute(),
    }
  }

  describe('an answer to a request', () => {
    test('is in its unit: money has six decimals, others are whole; a wrong one leaves it open', async () => {
      const { request, decide, lin } = await start()
      const { id } = await request()
      for (const amount of [0.000_000_1, -1, 0, 1e10])
        expect(await decide(id, { decision: 'granted', amount }), `${amount}`).toMatchObject({ code: 422 })
      const asks = await request({ unit: 'asks' })
      expect(await decide(asks.id, { decision: 'granted', amount: 1.5 })).toMatchObject({ code: 422 })
      expect(await lin.result<UsageRequest[]>('GET', '/usage/requests?open=true')).toHaveLength(2)
      expect(await decide(id, { decision: 'granted', amount: 0.000_001 })).toMatchObject({ code: 200 })
      expect(await lin.result('GET', '/usage/requests?open=false')).toMatchObject([
        { id, amount: 5, granted_amount: 0.000_001, granted_until: '2028-02-29T18:30:00.000Z' },
      ])
    })

    test.each([-HOUR, 0, 367 * 24 * HOUR])('is not granted until a moment %d ms from now', async ahead => {
      const { request, decide, lin } = await start()
      const { id } = await request()
      expect(await decide(id, { decision: 'granted', until: iso(NOW + ahead) })).toMatchObject({ code: 422 })
      expect(await lin.result('GET', '/usage/me/ledger')).toMatchObject({ total: 0 })
    })

    test('is written down with who gave it, what was asked for and what was granted', async () => {
      const { request, decide, audit, lin, admin } = await start()
      const [money, asks] = [await request(), await request({ unit: 'asks' })]
      await decide(money.id, { decision: 'granted', amount: 2, until: iso(NOW + HOUR) })
      await decide(asks.id, { decision: 'declined', word: 'Not now' })
      expect(await audit()).toMatchObject([
        {
          ...{ action: 'usage.granted', actor_id: admin.id, subject_name: 'lin', before: { amount: 5_000_000 } },
          after: { unit: 'money', amount: 2_000_000, until: NOW + HOUR },
        },
        { action: 'usage.declined', subject_id: String(lin.id), after: null },
      ])
    })

    test('is no longer given to one that was withdrawn, and that to one that was answered not withdrawn', async () => {
      const { request, decide, lin } = await start()
      const [withdrawn, answered] = [await request(), await request({ unit: 'asks' })]
      await lin.result('DELETE', `/usage/requests/${withdrawn.id}`)
      expect(await decide(withdrawn.id, { decision: 'granted' })).toMatchObject({ code: 404 })
      await decide(answered.id, { decision: 'declined' })
      expect(await lin.call('DELETE', `/usage/requests/${answered.id}`)).toMatchObject({
        message: 'errors.usageRequestAnswered',
      })
    })
  })
})
