import { describe, expect, test } from 'vitest'
import type { UsageRequest } from '#contract/usage.ts'
import { testClock } from '#testing/clock.ts'
import { eachStorage } from '#testing/database.ts'
import { startPortal } from '#testing/portal.ts'

const HOUR = 3_600_000

eachStorage((_name, storage) => {
  describe('what was granted', () => {
    test('raises every limit of its source and unit until its end, and is in the ledger, which it uses nothing of', async () => {
      const clock = testClock()
      const { person, admin } = await startPortal({ storage: await storage(), clock })
      const lin = await person('lin')
      await admin.result('PATCH', `/user/${lin.id}/setting`, {
        openai_api: {
          total_ask_count: 1,
          per_model_ask_count: { gpt_4: 1 },
          rate_limits: [{ window_seconds: 86_400, max_requests: 1 }],
        },
      })
      const outcome = async () => (await lin.ask('hello', { new_title: 'x' })).at(-1)?.type
      expect([await outcome(), await outcome()]).toEqual(['finished', 'error'])
      const { id } = await lin.result<UsageRequest>('POST', '/usage/request', {
        source: 'openai_api',
        unit: 'asks',
        amount: 1,
        until: new Date(clock.now() + HOUR).toISOString(),
      })
      await admin.result('PATCH', `/usage/requests/${id}`, { decision: 'granted' })
      const limits = async () => (await lin.result<{ limits: unknown[] }>('GET', '/usage/me')).limits
      expect(await limits()).toMatchObject([
        { models: ['gpt_4'], amount: 2, used: 1, left: 1 },
        { window: { kind: 'ever' }, amount: 2, left: 1 },
        { window: { kind: 'rolling' }, amount: 2, used: 1, left: 1 },
      ])
      // The administrator's own form shows what is set, not what was granted.
      expect(await admin.result('GET', `/user/${lin.id}`)).toMatchObject({
        setting: { openai_api: { total_ask_count: 0, rate_limits: [{ max_requests: 1 }] } },
      })
      expect([await outcome(), await outcome()]).toEqual(['finished', 'error'])
      expect(await lin.result('GET', '/usage/me/ledger')).toMatchObject({
        rows: [{ reason: 'settled' }, { reason: 'granted', asks: 1 }, { reason: 'settled' }],
        total: 3,
      })
      expect(await lin.result('GET', '/usage/me')).toMatchObject({ sum: { asks: 2 } })
      clock.pass(HOUR)
      expect(await limits()).toMatchObject([{ amount: 1, used: 2, left: 0 }, { amount: 1 }, { amount: 1 }])
    })
    test('lifts no source and no limit of another unit', async () => {
      const { person, admin } = await startPortal({ storage: await storage() })
      const lin = await person('lin')
      await admin.result('PATCH', `/user/${lin.id}/setting`, { openai_api: { total_ask_count: 0 } })
      for (const of of [
        { source: 'openai_web', unit: 'asks' },
        { source: 'openai_api', unit: 'tokens' },
      ]) {
        const { id } = await lin.result<UsageRequest>('POST', '/usage/request', { ...of, amount: 5 })
        await admin.result('PATCH', `/usage/requests/${id}`, { decision: 'granted' })
      }
      expect(await lin.ask('hello', { new_title: 'x' })).toMatchObject([{ type: 'error' }])
    })
  })
})
