import * as z from 'zod/mini'
import { describe, expect, test } from 'vitest'
import type { Allowance } from '#contract/allowance.ts'
import type { ShareLedger } from '#contract/shareLedger.ts'
import type { AccountWindow, Share } from '#contract/shares.ts'
import type { MyUsage } from '#contract/usage.ts'
import { planStore } from '#server/policy/planStore.ts'
import { firstUpstream } from '#testing/asks.ts'
import { answeredCalls } from '#testing/calls.ts'
import { eachStorage } from '#testing/database.ts'
import type { Person } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'
import { askQuietly, hasEnded, waits } from '#testing/quietAsks.ts'
import { changeSharing } from '#testing/sharedAccount.ts'

const DAY = { kind: 'rolling', seconds: 86_400 } as const
const PRICES = [{ model: 'gpt_4', input: 1, output: 4 }]
const TOKENS = 200
const OF_ALL_UNITS = [
  { unit: 'asks', amount: 10 },
  { unit: 'tokens', amount: 10_000 },
  { unit: 'money', amount: 1 },
] as const

eachStorage((_name, storage) => {
  /** A portal whose account has windows of all units, and one person's asks of it. */
  async function start(windows: readonly Pick<AccountWindow, 'unit' | 'amount'>[]) {
    const portal = await startPortal({ storage: await storage() })
    const upstream_id = await firstUpstream(portal.app.services.open.database)
    await portal.admin.result('PUT', `/system/upstreams/${upstream_id}/prices`, { prices: PRICES })
    const all = windows.map(window => ({ ...window, window: DAY, models: null }))
    await changeSharing(portal.app, upstream_id, { windows: all, sharing: 'shares' })
    const lin = await portal.person()
    const share = async () => (await lin.result<Share[]>('GET', '/shares'))[0]
    return { ...portal, upstream_id, lin, share }
  }
  const whole = (person: Person) => person.ask(`/simulate tokens=${TOKENS}`, { new_title: 'x' })
  const quiet = async (person: Person, text = `/simulate tokens=${TOKENS}`) =>
    (await askQuietly(person, text, { new_title: 'x' })).until(hasEnded)

  describe('an ask when it is quiet, of an account of which everybody has a share', () => {
    test('is charged half in windows of asks, tokens and money, and counts whole for the account', async () => {
      const { lin, share, upstream_id } = await start(OF_ALL_UNITS)
      const used = async () =>
        (await share())?.windows.map(window => ({ unit: window.unit, all: window.used, mine: window.mine?.used ?? 0 }))
      await whole(lin)
      const before = (await used()) ?? []
      for (const { all, mine } of before) expect(mine).toBe(all)
      expect(await quiet(lin)).toMatchObject({ outcome: 'finished' })
      for (const [at, { unit, all, mine }] of ((await used()) ?? []).entries()) {
        const first = before[at]?.all ?? 0
        expect([unit, all]).toEqual([unit, 2 * first])
        // Rounded up, to a token or a millionth.
        expect(mine - 1.5 * first).toBeCloseTo(0, unit === 'money' ? 5 : -1)
        expect(mine).toBeLessThan(2 * first)
      }
      const ledger = await lin.result<ShareLedger>('GET', `/shares/${upstream_id}/ledger`)
      expect(ledger.lines.map(line => [line.is_quiet, line.change])).toEqual(
        expect.arrayContaining([[true, expect.any(Number)]]),
      )
    })

    test('fits twice into a capacity of two, and a third one waits', async () => {
      const { lin, share } = await start([{ unit: 'asks', amount: 2 }])
      for (const mine of [0.5, 1]) {
        expect(await quiet(lin)).toMatchObject({ outcome: 'finished' })
        expect((await share())?.windows[0]).toMatchObject({ used: 2 * mine, mine: { used: mine, share: 2 } })
      }
      const third = await askQuietly(lin, 'third')
      expect(await third.until(waits)).toMatchObject({ quiet: { until: expect.any(String) } })
      third.send({ stop: true })
      await third.until(hasEnded)
    })
  })

  describe('an ask when it is quiet, by limits of its person', () => {
    test('is half of one in counts, rates, tokens and money, as all calls say that tell of it', async () => {
      const { lin, admin, app, share } = await start(OF_ALL_UNITS)
      const limits = [
        { unit: 'tokens', amount: 50_000 },
        { unit: 'money', amount: 5_000_000 },
      ] as const
      await planStore(app.services.open.database).setOf(lin.id, {
        own_limits: limits.map(limit => ({ ...limit, source: 'openai_api', window: DAY, models: null, until: null })),
      })
      await admin.result('PATCH', `/user/${lin.id}/setting`, {
        openai_api: {
          ...{ total_ask_count: 20, per_model_ask_count: { gpt_4: 20 } },
          rate_limits: [{ window_seconds: 3600, max_requests: 20 }],
        },
      })
      for (let asked = 0; asked < 3; asked++) await quiet(lin)
      const { sources } = await lin.result<Allowance>('GET', '/user/me/allowance')
      const api = sources.find(({ source }) => source === 'openai_api')
      expect(api).toMatchObject({ total: { used: 1.5, remaining: 18.5 } })
      expect(api?.models.find(({ model }) => model === 'gpt_4')).toMatchObject({ count: { used: 1.5 } })
      // A rate counts whole asks: two halves are one.
      expect(api?.windows).toMatchObject([{ used: 1 }])
      const { sum, limits: left } = await lin.result<MyUsage>('GET', '/usage/me')
      expect(sum.asks).toBe(1.5)
      for (const { unit, used } of (await share())?.windows ?? []) {
        const paid = left.find(limit => limit.unit === unit)?.used ?? sum[unit]
        expect(paid - used / 2).toBeCloseTo(0, unit === 'money' ? 5 : -1)
        expect(paid).toBeGreaterThan(0)
      }
      const wrong: unknown[] = []
      for (const { name, call } of answeredCalls(app.http.answered)) {
        if (call.method !== 'GET' || call.path.includes(':') || call.resultKind === 'file') continue
        for (const person of [lin, admin]) {
          const { code, result } = await person.call('GET', call.path)
          const checked = code === 200 ? z.safeParse(call.result, result) : { success: true as const, error: undefined }
          if (!checked.success) wrong.push({ name, error: z.prettifyError(checked.error as never) })
        }
      }
      expect(wrong).toEqual([])
    })
  })
})
