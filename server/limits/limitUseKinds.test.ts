import { describe, expect, test } from 'vitest'
import type { LimitUnit, LimitWindow } from '#contract/plans.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { limitKey, type PolicyLimit } from '#server/policy/limitList.ts'
import { usageLedgerStore, windowStore } from '#server/usage/usageLedger.ts'
import { storedAsk } from '#testing/asks.ts'
import { eachDatabase } from '#testing/database.ts'
import { readLimitUse } from './limitUse.ts'

const at = (text: string) => Date.parse(text)
const HOUR = 3_600_000

const aLimit = (window: LimitWindow, fields: Partial<PolicyLimit> = {}): PolicyLimit => ({
  ...{ source: 'openai_api', unit: 'asks', amount: 1, models: null, origin: { from: 'own' }, until: null },
  window,
  ...fields,
})

async function asked({ database }: OpenDatabase, ...times: number[]): Promise<void> {
  for (const asked_time of times)
    await usageLedgerStore(database).settle(
      {
        ...{ time: asked_time, asked_time, user_id: 7, source: 'openai_api', upstream_id: 1, model: 'gpt_4' },
        ...{ ask_id: null, reason: 'settled', asks: 1, tokens: 10, cost: 100, credit_cost: 0 },
        ...{ input_tokens: 10, cached_tokens: 0, output_tokens: 0, estimated: false },
      },
      0,
    )
}

type Query = { now: number; time_zone?: string; user_id?: number; needed?: Record<LimitUnit, number> }

async function readUse({ database }: OpenDatabase, limit: PolicyLimit, query: Query) {
  const [use] = await readLimitUse(database, {
    ...{ user_id: 7, source: 'openai_api', limits: [limit], time_zone: 'UTC' },
    ...query,
  })
  if (use === undefined) throw new Error('each limit has its use')
  return use
}

/** Kind, zone, the first moment of the window, and the first of the next one. */
const CALENDAR = [
  ['day', 'UTC', '2026-03-04T00:00:00Z', '2026-03-05T00:00:00Z'],
  ['day', 'Asia/Kolkata', '2026-03-03T18:30:00Z', '2026-03-04T18:30:00Z'],
  ['day', 'America/St_Johns', '2026-03-04T03:30:00Z', '2026-03-05T03:30:00Z'],
  ['day', 'Europe/Berlin', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z'],
  ['week', 'Europe/Berlin', '2026-03-22T23:00:00Z', '2026-03-29T22:00:00Z'],
  ['week', 'Europe/Berlin', '2026-10-18T22:00:00Z', '2026-10-25T23:00:00Z'],
  ['week', 'Asia/Shanghai', '2026-11-29T16:00:00Z', '2026-12-06T16:00:00Z'],
  ['month', 'UTC', '2026-02-01T00:00:00Z', '2026-03-01T00:00:00Z'],
  ['month', 'UTC', '2028-02-01T00:00:00Z', '2028-03-01T00:00:00Z'],
  ['month', 'Asia/Kathmandu', '2026-03-31T18:15:00Z', '2026-04-30T18:15:00Z'],
  ['month', 'Australia/Lord_Howe', '2026-03-31T13:00:00Z', '2026-04-30T13:30:00Z'],
  ['month', 'Asia/Shanghai', '2026-11-30T16:00:00Z', '2026-12-31T16:00:00Z'],
] as const

eachDatabase((_name, openDatabase) => {
  describe('a limit of a calendar', () => {
    test('counts from the first moment to the last one of its window, and opens with the next', async () => {
      for (const [kind, time_zone, first, next] of CALENDAR) {
        const open = await openDatabase()
        const [starts, ends] = [at(first), at(next)]
        const limit = aLimit({ kind }, { amount: 2 })
        await asked(open, starts - 1, starts, ends - 1, ends)
        const during = await readUse(open, limit, { now: ends - 1, time_zone })
        const said = `${kind} ${time_zone} ${first}`
        expect(during, said).toMatchObject({ used: 2, left: 0, window: { starts, ends }, opens_at: ends })
        expect(await readUse(open, limit, { now: starts, time_zone }), said).toMatchObject({ used: 2, opens_at: ends })
        expect(await readUse(open, limit, { now: ends, time_zone }), said).toMatchObject({ used: 1, left: 1 })
        expect(await readUse(open, limit, { now: starts - 1, time_zone }), said).toMatchObject({ used: 1, left: 1 })
      }
    })
  })

  describe('a limit that rolls', () => {
    test('opens when the oldest ask has left it, and for more when more have', async () => {
      const open = await openDatabase()
      const now = at('2026-03-04T12:00:00Z')
      await asked(open, now - 50 * 60_000, now - 20 * 60_000, now - 10 * 60_000)
      const limit = aLimit({ kind: 'rolling', seconds: 3_600 }, { amount: 3 })
      const opens = async (asks: number) =>
        (await readUse(open, limit, { now, needed: { asks, tokens: 0, money: 0 } })).opens_at
      expect(await opens(1)).toBe(now + 10 * 60_000)
      expect(await opens(2)).toBe(now + 40 * 60_000)
      expect(await opens(3)).toBe(now + 50 * 60_000)
      expect(await opens(4)).toBeNull()
      expect(await readUse(open, limit, { now: now + 10 * 60_000 - 1 })).toMatchObject({ used: 3, left: 0 })
      expect(await readUse(open, limit, { now: now + 10 * 60_000 })).toMatchObject({ used: 2, left: 1 })
    })

    test('whose asks all run opens when they have left it at the latest', async () => {
      const open = await openDatabase()
      const now = at('2026-03-04T12:00:00Z')
      const { user_id } = await storedAsk(open, { create_time: now - HOUR / 2 })
      const use = await readUse(open, aLimit({ kind: 'rolling', seconds: 3_600 }), { now, user_id })
      expect(use).toMatchObject({ used: 1, left: 0, opens_at: now + HOUR })
    })
  })

  describe('a limit from the first ask on', () => {
    test('is closed until an ask opens it, opens with its end, and is told apart from others', async () => {
      const open = await openDatabase()
      const now = at('2026-03-04T12:00:00Z')
      const limit = aLimit({ kind: 'from_first', seconds: 7_200 })
      await asked(open, now - HOUR)
      expect(await readUse(open, limit, { now })).toMatchObject({ used: 0, left: 1, opens_at: now })
      await windowStore(open.database).open({ user_id: 7, limit_key: limitKey(limit), opened_at: now - HOUR })
      expect(await readUse(open, limit, { now })).toMatchObject({ used: 1, left: 0, opens_at: now + HOUR })
      for (const other of [
        aLimit({ kind: 'from_first', seconds: 7_201 }),
        aLimit({ kind: 'from_first', seconds: 7_200 }, { unit: 'tokens', amount: 5 }),
        aLimit({ kind: 'from_first', seconds: 7_200 }, { models: ['gpt_4'] }),
      ])
        expect(await readUse(open, other, { now })).toMatchObject({ used: 0, window: { starts: null } })
      expect(await readUse(open, limit, { now: now + HOUR })).toMatchObject({ used: 0, left: 1, opens_at: now + HOUR })
    })
  })

  describe('a limit for ever', () => {
    test('counts everything, and does not open by waiting', async () => {
      const open = await openDatabase()
      const now = at('2026-03-04T12:00:00Z')
      await asked(open, 0, now - 400 * 24 * HOUR, now)
      const use = await readUse(open, aLimit({ kind: 'ever' }, { amount: 3 }), { now })
      expect(use).toMatchObject({ used: 3, left: 0, window: { starts: null, ends: null }, opens_at: null })
    })
  })

  describe('a limit of some models', () => {
    test('counts those alone, also of asks that run', async () => {
      const open = await openDatabase()
      const now = at('2026-03-04T12:00:00Z')
      const { user_id } = await storedAsk(open, { create_time: now, model: 'gpt_4' })
      const used = async (models: string[] | null) =>
        (await readUse(open, aLimit({ kind: 'day' }, { models, amount: 9 }), { now, user_id })).used
      expect([await used(['gpt_4', 'o1']), await used(['o1']), await used(null)]).toEqual([1, 0, 1])
    })
  })

  describe('a limit of nothing', () => {
    test('leaves nothing and never opens, and one without an end leaves all', async () => {
      const open = await openDatabase()
      const now = at('2026-03-04T12:00:00Z')
      expect(await readUse(open, aLimit({ kind: 'day' }, { amount: 0 }), { now })).toMatchObject({
        left: 0,
        opens_at: null,
      })
      expect(await readUse(open, aLimit({ kind: 'day' }, { amount: -1 }), { now })).toMatchObject({
        left: -1,
        opens_at: now,
      })
      expect(
        await readLimitUse(open.database, {
          ...{ user_id: 7, source: 'openai_api', limits: [], now },
          time_zone: 'UTC',
        }),
      ).toEqual([])
    })
  })
})
