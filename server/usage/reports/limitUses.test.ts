import { describe, expect, test } from 'vitest'
import type { LimitUnit, LimitWindow } from '#contract/plans.ts'
import type { MyUsage, UsageNotice, UsageRequest } from '#contract/usage.ts'
import { planStore } from '#server/policy/planStore.ts'
import { firstUpstream } from '#testing/asks.ts'
import { testClock } from '#testing/clock.ts'
import { eachStorage } from '#testing/database.ts'
import { startPortal } from '#testing/portal.ts'

const NOON = Date.parse('2026-03-25T12:00:00.000Z') // a Wednesday
const HOUR = 3_600_000

type Limit = { unit: LimitUnit; amount: number; window: LimitWindow; models?: string[] }

eachStorage((_name, storage) => {
  async function start() {
    const clock = testClock(NOON)
    const portal = await startPortal({
      ...{ storage: await storage(), clock },
      environment: { COMMONS_PORTAL_TIME_ZONE: 'Asia/Kolkata' },
    })
    const { database } = portal.app.services.open
    const lin = await portal.person('lin')
    const upstream = await firstUpstream(database)
    await portal.admin.result('PUT', `/system/upstreams/${upstream}/prices`, {
      prices: [{ model: 'gpt_4', input: 0, output: 1_000 }],
    })
    return {
      ...{ ...portal, clock, lin },
      limit: (...limits: Limit[]) =>
        planStore(database).setOf(lin.id, {
          own_limits: limits.map(({ models = null, ...limit }) => ({
            ...{ ...limit, source: 'openai_api' as const, models: models === null ? null : [...models] },
            until: null,
          })),
        }),
      ask: async (text = '/simulate tokens=4\nhi') => (await lin.ask(text, { new_title: 'x' })).at(-1),
      limits: async () => (await lin.result<MyUsage>('GET', '/usage/me')).limits,
      notices: async () => {
        const { notices } = await lin.result<{ notices: UsageNotice[] }>('POST', '/usage/me/notices')
        return notices.map(notice => (notice.kind === 'limit' ? notice.level : notice.kind))
      },
    }
  }

  describe('what is left of one’s limits', () => {
    test('is shown for each, with what is used and when it comes back', async () => {
      const { limit, ask, limits, clock } = await start()
      await limit(
        { unit: 'asks', amount: 3, window: { kind: 'day' } },
        { unit: 'asks', amount: 30, window: { kind: 'week' } },
        { unit: 'money', amount: 20_000_000, window: { kind: 'month' } },
        { unit: 'asks', amount: 9, window: { kind: 'rolling', seconds: 7_200 }, models: ['gpt_4'] },
        { unit: 'asks', amount: 5, window: { kind: 'from_first', seconds: 18_000 } },
        { unit: 'tokens', amount: 9_000, window: { kind: 'ever' } },
        { unit: 'asks', amount: 7, window: { kind: 'day' }, models: ['gpt_3_5'] },
        { unit: 'tokens', amount: -1, window: { kind: 'day' } },
      )
      const found = async (unit: LimitUnit, kind: string) =>
        (await limits()).find(each => each.unit === unit && each.window.kind === kind)
      expect(await limits()).toHaveLength(7)
      expect(await found('asks', 'day')).toMatchObject({ used: 0, left: 3, opens_at: null })
      await ask()
      clock.pass(HOUR)
      const own = { origin: { from: 'own' } }
      expect(await found('asks', 'day')).toMatchObject({
        ...own,
        used: 1,
        left: 2,
        opens_at: '2026-03-25T18:30:00.000Z',
      })
      expect(await found('asks', 'week')).toMatchObject({ used: 1, left: 29, opens_at: '2026-03-29T18:30:00.000Z' })
      expect(await found('money', 'month')).toMatchObject({
        ...{ amount: 20, used: 0.004, left: 19.996, opens_at: '2026-03-31T18:30:00.000Z' },
      })
      expect(await found('asks', 'rolling')).toMatchObject({
        used: 1,
        opens_at: new Date(NOON + 2 * HOUR).toISOString(),
      })
      expect(await found('asks', 'from_first')).toMatchObject({
        ...{ used: 1, left: 4, opens_at: new Date(NOON + 5 * HOUR).toISOString() },
      })
      expect(await found('tokens', 'ever')).toMatchObject({ opens_at: null })
      expect((await limits()).find(({ models }) => models?.includes('gpt_3_5'))).toMatchObject({ used: 0, left: 7 })
    })

    test('is what was granted more until its moment, and from it on what it was, with what was used', async () => {
      const { limit, ask, limits, clock, lin, admin } = await start()
      await limit({ unit: 'asks', amount: 1, window: { kind: 'day' } })
      await ask()
      expect(await ask()).toMatchObject({ tip: 'errors.limitReached' })
      const { id } = await lin.result<UsageRequest>('POST', '/usage/request', {
        ...{ source: 'openai_api', unit: 'asks', amount: 9, until: new Date(NOON + HOUR).toISOString() },
      })
      await admin.result('PATCH', `/usage/requests/${id}`, { decision: 'granted', amount: 2, word: 'Two' })
      expect(await limits()).toMatchObject([{ amount: 3, used: 1, left: 2 }])
      expect(await ask()).toMatchObject({ type: 'finished' })
      clock.pass(HOUR - 1)
      expect(await ask()).toMatchObject({ type: 'finished' })
      clock.pass(1)
      expect(await limits()).toMatchObject([{ amount: 1, used: 3, left: 0 }])
      expect(await ask()).toMatchObject({ tip: 'errors.limitReached', values: { amount: 1 } })
    })

    test('is not changed by what was declined', async () => {
      const { limit, limits, lin, admin } = await start()
      await limit({ unit: 'asks', amount: 1, window: { kind: 'day' } })
      const { id } = await lin.result<UsageRequest>('POST', '/usage/request', {
        ...{ source: 'openai_api', unit: 'asks', amount: 9 },
      })
      await admin.result('PATCH', `/usage/requests/${id}`, { decision: 'declined', amount: 9 })
      expect(await limits()).toMatchObject([{ amount: 1, left: 1 }])
      expect(await lin.result('GET', '/usage/me/ledger')).toMatchObject({ total: 0 })
    })
  })

  describe('a limit that is nearly full', () => {
    test('is told once at 80 % and once at its end, and anew the next day', async () => {
      const { limit, ask, notices, clock } = await start()
      await limit({ unit: 'asks', amount: 5, window: { kind: 'day' } })
      const shown = []
      for (let count = 0; count < 5; count++) {
        await ask()
        shown.push(await notices(), await notices())
      }
      expect(shown).toEqual([[], [], [], [], [], [], [80], [], [100], []])
      clock.pass(24 * HOUR)
      expect(await notices()).toEqual([])
      for (let count = 0; count < 4; count++) await ask()
      expect([await notices(), await notices()]).toEqual([[80], []])
    })

    test('is told to the person whose it is alone', async () => {
      const { limit, ask, person, notices } = await start()
      await limit({ unit: 'asks', amount: 1, window: { kind: 'day' } })
      await ask()
      const mei = await person('mei')
      expect(await mei.result('POST', '/usage/me/notices')).toMatchObject({ notices: [] })
      expect(await notices()).toEqual([100])
    })
  })
})
