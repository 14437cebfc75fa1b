import { describe, expect, test } from 'vitest'
import type { LimitUnit, LimitWindow } from '#contract/plans.ts'
import type { Database } from '#server/foundation/database/open.ts'
import { withOrigin } from '#server/policy/limitList.ts'
import { type UsageLine, usageLedgerStore, windowStore } from '#server/usage/usageLedger.ts'
import { eachDatabase } from '#testing/database.ts'
import { randomFrom } from '#testing/random.ts'
import { keyOfWindow, readLimitUse, windowKey } from './limitUse.ts'

const NOW = Date.parse('2027-01-15T08:00:00.000Z')
const HOUR = 3_600_000
const LIN = 7
const KEYS = [1, 2, null] as const
const UNITS: readonly LimitUnit[] = ['asks', 'tokens', 'money']
const rolling = (hours: number): LimitWindow => ({ kind: 'rolling', seconds: hours * 3_600 })

const aLine = (fields: Partial<UsageLine>): UsageLine => ({
  ...{ time: NOW, asked_time: NOW, user_id: LIN, source: 'openai_api', upstream_id: 1, model: 'gpt_4' },
  ...{ ask_id: null, reason: 'settled', asks: 1, tokens: 30, cost: 50, credit_cost: 0 },
  ...{ input_tokens: 10, cached_tokens: 0, output_tokens: 20, estimated: false },
  ...fields,
})

const aLimit = (unit: LimitUnit, amount: number, window: LimitWindow, models: string[] | null = null) =>
  withOrigin({ source: 'openai_api', unit, amount, window, models }, { from: 'own' })

const usedBy = (database: Database, key_id: number | null, limits: ReturnType<typeof aLimit>[], now = NOW) =>
  readLimitUse(database, { user_id: LIN, source: 'openai_api', limits, now, time_zone: 'UTC', key_id })

/** What the person pays of a line, in the unit. */
function paid(line: UsageLine, unit: LimitUnit): number {
  const amount = { asks: line.asks, tokens: line.tokens, money: line.cost }[unit]
  return unit === 'asks'
    ? amount * ((line.charged ?? 1_000) / 1_000)
    : Math.ceil((amount * (line.charged ?? 1_000)) / 1_000)
}
const sum = (lines: readonly UsageLine[], unit: LimitUnit) => lines.reduce((all, line) => all + paid(line, unit), 0)

eachDatabase((_name, open) => {
  describe('what a key has used', () => {
    test.each([1, 2, 3])('is the sum of its own lines within the window, whatever they are (%d)', async seed => {
      const { database } = await open()
      const random = randomFrom(seed)
      const lines = Array.from({ length: 60 }, () =>
        aLine({
          key_id: KEYS[random.below(KEYS.length)] ?? null,
          asked_time: NOW - random.below(40 * HOUR),
          model: random.below(2) === 0 ? 'gpt_4' : 'o1',
          tokens: random.below(500),
          cost: random.below(900) * 2,
          charged: random.below(3) === 0 ? 500 : 1_000,
        }),
      )
      for (const line of lines) await usageLedgerStore(database).settle(line, 0)
      for (const key_id of [1, 2])
        for (const hours of [1, 5, 24])
          for (const models of [null, ['o1']]) {
            const inside = lines.filter(
              line =>
                line.key_id === key_id &&
                line.asked_time >= NOW - hours * HOUR &&
                (models === null || models.includes(line.model)),
            )
            const limits = UNITS.map(unit => aLimit(unit, 1_000_000, rolling(hours), models))
            const used = (await usedBy(database, key_id, limits)).map(each => each.used)
            expect(used, `key ${key_id}, ${hours} h`).toEqual(UNITS.map(unit => sum(inside, unit)))
          }
    })
    test('counts what credits paid, unlike that of its owner', async () => {
      const { database } = await open()
      await usageLedgerStore(database).settle(aLine({ key_id: 1, cost: 100, credit_cost: 40 }), 0)
      const limits = [aLimit('money', 1_000, { kind: 'month' })]
      expect(await usedBy(database, 1, limits)).toMatchObject([{ used: 100, left: 900, key_id: 1 }])
      expect(await usedBy(database, null, limits)).toMatchObject([{ used: 60, left: 940, key_id: null }])
    })
  })

  test('what somebody used who is forgotten names no key of theirs', async () => {
    const { database } = await open()
    await usageLedgerStore(database).settle(aLine({ key_id: 1 }), 0)
    await usageLedgerStore(database).forget(LIN)
    const lines = await database.selectFrom('usage_ledger').select(['user_id', 'key_id', 'asks']).execute()
    expect(lines).toEqual([{ user_id: 0, key_id: null, asks: 1 }])
  })

  describe('a full window of a key', () => {
    test('opens to the millisecond when enough of its own asks have left it', async () => {
      const { database } = await open()
      const times = [NOW - 4 * HOUR, NOW - 3 * HOUR - 7, NOW - 2 * HOUR]
      for (const asked_time of times) await usageLedgerStore(database).settle(aLine({ key_id: 1, asked_time }), 0)
      await usageLedgerStore(database).settle(aLine({ key_id: 2, asked_time: NOW - 4.5 * HOUR }), 0)
      const opening = async (amount: number) =>
        (await usedBy(database, 1, [aLimit('asks', amount, rolling(5))]))[0]?.opens_at
      expect(await opening(4)).toBe(NOW)
      expect(await opening(3)).toBe(NOW + HOUR)
      expect(await opening(2)).toBe(NOW + 2 * HOUR - 7)
      expect(await opening(1)).toBe(NOW + 3 * HOUR)
      expect(await opening(0)).toBe(null)
    })
    test('that begins with the first ask is its own', async () => {
      const { database } = await open()
      const limit = aLimit('asks', 1, { kind: 'from_first', seconds: 7_200 })
      for (const [key_id, ago] of [
        [null, 60_000],
        [1, HOUR],
      ] as const) {
        const opened_at = NOW - ago
        await windowStore(database).open({ user_id: LIN, limit_key: windowKey(limit, key_id), opened_at })
        await usageLedgerStore(database).settle(aLine({ key_id, asked_time: opened_at }), 0)
      }
      expect(await usedBy(database, 1, [limit])).toMatchObject([{ used: 1, opens_at: NOW + HOUR }])
      expect(await usedBy(database, 2, [limit])).toMatchObject([{ used: 0, opens_at: NOW }])
      expect(await usedBy(database, null, [limit])).toMatchObject([{ used: 1, opens_at: NOW + 2 * HOUR - 60_000 }])
    })
    test('has a name that says whose it is', () => {
      const limit = aLimit('asks', 1, { kind: 'day' })
      expect(keyOfWindow(windowKey(limit, 12))).toBe(12)
      expect(keyOfWindow(windowKey(limit, null))).toBe(null)
    })
  })
})
