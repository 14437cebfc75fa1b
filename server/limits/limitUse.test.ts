import { describe, expect, test } from 'vitest'
import type { LimitUnit, LimitWindow } from '#contract/plans.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { limitKey, type PolicyLimit } from '#server/policy/limitList.ts'
import { usageLedgerStore, windowStore } from '#server/usage/usageLedger.ts'
import { storedAsk } from '#testing/asks.ts'
import { eachDatabase } from '#testing/database.ts'
import { randomFrom } from '#testing/random.ts'
import { readLimitUse } from './limitUse.ts'
import { spanOf } from './windows.ts'

const NOW = Date.parse('2026-03-04T12:00:00.000Z')
const HOUR = 3_600_000

const aLimit = (unit: LimitUnit, amount: number, window: LimitWindow, models: string[] | null = null): PolicyLimit => ({
  ...{ source: 'openai_api', unit, amount, window, models, origin: { from: 'own' }, until: null },
})

type Line = { asked_time: number; model?: string; tokens?: number; cost?: number; credit_cost?: number }

async function spent({ database }: OpenDatabase, user_id: number, lines: readonly Line[]): Promise<void> {
  for (const { asked_time, model = 'gpt_4', tokens = 10, cost = 100, credit_cost = 0 } of lines)
    await usageLedgerStore(database).settle(
      {
        ...{ time: asked_time + 5, asked_time, user_id, source: 'openai_api', upstream_id: 1, model, ask_id: null },
        ...{ reason: 'settled', asks: 1, tokens, cost, credit_cost, input_tokens: tokens, cached_tokens: 0 },
        ...{ output_tokens: 0, estimated: false },
      },
      5,
    )
}

const use = (
  { database }: OpenDatabase,
  user_id: number,
  limits: PolicyLimit[],
  {
    now = NOW,
    time_zone = 'UTC',
    ...needed
  }: { now?: number; time_zone?: string } & Partial<Record<LimitUnit, number>> = {},
) =>
  readLimitUse(database, {
    ...{ user_id, source: 'openai_api', limits, now, time_zone },
    needed: { asks: 1, tokens: 1, money: 1, ...needed },
  })

eachDatabase((_name, open) => {
  describe('what is used of a limit', () => {
    test('is counted in its unit, of its models, within its window', async () => {
      const database = await open()
      await spent(database, 7, [
        { asked_time: NOW - 2 * HOUR, tokens: 30, cost: 500 },
        { asked_time: NOW - HOUR, model: 'gpt_3_5', tokens: 5, cost: 20 },
        { asked_time: NOW - 13 * HOUR, tokens: 1_000 },
      ])
      await spent(database, 8, [{ asked_time: NOW - HOUR }])
      const day = { kind: 'day' } as const
      const read = await use(database, 7, [
        aLimit('asks', 5, day),
        aLimit('tokens', 100, day),
        aLimit('money', 510, day),
        aLimit('tokens', 100, day, ['gpt_3_5', 'gpt_4_other']),
        aLimit('tokens', 2_000, { kind: 'ever' }),
        aLimit('asks', -1, day),
      ])
      expect(read.map(({ used, left }) => [used, left])).toEqual([
        [2, 3],
        [35, 65],
        [520, 0],
        [5, 95],
        [1_035, 965],
        [2, -1],
      ])
      expect(read.map(({ opens_at }) => opens_at)).toEqual([NOW, NOW, NOW + 12 * HOUR, NOW, NOW, NOW])
    })

    test('has what running asks may still use, and what credits paid has not', async () => {
      const database = await open()
      const reserved = {
        ...{ total: false, model: false },
        use: { tokens: 40, input_tokens: 4, cost: 400, credit_cost: 100, price: null, upstream_id: 1, windows: [] },
      }
      const { user_id } = await storedAsk(database, { create_time: NOW - HOUR, reserved })
      await spent(database, user_id, [{ asked_time: NOW - HOUR, cost: 70, credit_cost: 50 }])
      const [asks, tokens, money] = await use(database, user_id, [
        aLimit('asks', 2, { kind: 'day' }),
        aLimit('tokens', 60, { kind: 'day' }),
        aLimit('money', 1_000, { kind: 'rolling', seconds: 7_200 }),
      ])
      expect([asks?.used, tokens?.used, money?.used]).toEqual([2, 50, 320])
    })

    test('of a window that an ask opens is nothing before, and all from its opening on', async () => {
      const database = await open()
      const limit = aLimit('asks', 2, { kind: 'from_first', seconds: 18_000 })
      await spent(database, 7, [{ asked_time: NOW - HOUR }, { asked_time: NOW - 3 * HOUR }])
      expect(await use(database, 7, [limit])).toMatchObject([{ used: 0, left: 2, window: { ends: null } }])
      await windowStore(database.database).open({ user_id: 7, limit_key: limitKey(limit), opened_at: NOW - 2 * HOUR })
      expect(await use(database, 7, [limit])).toMatchObject([{ used: 1, left: 1, window: { ends: NOW + 3 * HOUR } }])
      await spent(database, 7, [{ asked_time: NOW - 60_000 }])
      expect(await use(database, 7, [limit])).toMatchObject([{ left: 0, opens_at: NOW + 3 * HOUR }])
      expect(await use(database, 7, [limit], { now: NOW + 3 * HOUR })).toMatchObject([{ used: 0, left: 2 }])
    })

    test('never comes back of one for ever, nor where more is needed than is allowed', async () => {
      const database = await open()
      await spent(database, 7, [{ asked_time: NOW - HOUR, tokens: 50 }])
      const limits = [aLimit('tokens', 50, { kind: 'ever' }), aLimit('tokens', 50, { kind: 'month' })]
      expect((await use(database, 7, limits, { tokens: 51 })).map(({ opens_at }) => opens_at)).toEqual([null, null])
      expect((await use(database, 7, limits)).map(({ opens_at }) => opens_at)).toEqual([
        null,
        Date.parse('2026-04-01T00:00:00Z'),
      ])
    })

    test('is what its lines are, at every moment, and comes back at the first moment at which enough is left', async () => {
      const database = await open()
      const random = randomFrom(20_260_304)
      const whole = (most: number) => random.below(most)
      const lines = Array.from({ length: 60 }, () => ({
        asked_time: NOW - whole(50 * HOUR),
        tokens: whole(100),
        model: random.percent(50) ? 'gpt_4' : 'gpt_3_5',
      }))
      await spent(database, 7, lines)
      const usedAt = (limit: PolicyLimit, now: number) => {
        const { starts } = spanOf(limit.window, { now, time_zone: 'UTC', opened_at: null })
        return lines
          .filter(({ asked_time, model }) => asked_time >= (starts ?? 0) && (limit.models?.includes(model) ?? true))
          .reduce((sum, { tokens }) => sum + tokens, 0)
      }
      for (let round = 0; round < 25; round++) {
        const window = { kind: 'rolling', seconds: 60 + whole(48 * 3_600) } as const
        const limit = aLimit('tokens', 20 + whole(1_500), window, random.percent(30) ? ['gpt_4'] : null)
        const need = 1 + whole(20)
        const now = NOW + whole(2 * HOUR)
        const [read] = await use(database, 7, [limit], { now, tokens: need })
        expect(read?.used).toBe(usedAt(limit, now))
        const opens_at = read?.opens_at ?? Number.NaN
        expect(limit.amount - usedAt(limit, opens_at)).toBeGreaterThanOrEqual(need)
        if (opens_at > now) expect(limit.amount - usedAt(limit, opens_at - 1)).toBeLessThan(need)
      }
    })

    test('is of the days of a zone with quarter hours', async () => {
      const database = await open()
      const midnight = Date.parse('2026-03-03T18:15:00.000Z')
      await spent(database, 7, [
        { asked_time: midnight - 1, tokens: 1 },
        { asked_time: midnight, tokens: 20 },
      ])
      await spent(database, 7, [{ asked_time: midnight + 20 * 60_000, tokens: 300 }])
      const limits = [aLimit('tokens', 1_000, { kind: 'day' })]
      expect(await use(database, 7, limits, { time_zone: 'Asia/Kathmandu' })).toMatchObject([{ used: 320 }])
    })
  })
})
