import { describe, expect, test } from 'vitest'
import type { AccountWindow } from '#contract/shares.ts'
import type { ReportedLimit } from '#server/providers/reportedLimits.ts'
import { type FollowedAccount, followed, fullWindow, isNews } from './following.ts'
import type { ReportedRow } from './pools.ts'

const NOW = 1_800_000_000_000
const HOUR = 3_600
const HOURS: AccountWindow = {
  unit: 'asks',
  amount: 50,
  window: { kind: 'from_first', seconds: 5 * HOUR },
  models: null,
}
const WEEK: AccountWindow = { unit: 'asks', amount: 600, window: { kind: 'week' }, models: null }
const TOKENS: AccountWindow = { unit: 'tokens', amount: 90_000, window: { kind: 'day' }, models: null }
const OF_GPT_4: AccountWindow = {
  ...HOURS,
  amount: 40,
  window: { kind: 'rolling', seconds: 3 * HOUR },
  models: ['gpt_4'],
}
const [HOURS_KEY, WEEK_KEY, TOKENS_KEY] = ['asks from_first 18000 *', 'asks week  *', 'tokens day  *']

const limit = (fields: Partial<ReportedLimit>): ReportedLimit => ({
  ...{ unit: 'asks', limit: 50, used: 12, used_part: null, resets_in: HOUR, length: null },
  ...fields,
})
const before = (fields: Partial<ReportedRow> = {}): ReportedRow => ({
  ...{ upstream_id: 1, window_key: HOURS_KEY, capacity: 50_000, used_then: 12_000, ends_at: NOW + HOUR * 1000 },
  ...{ reported_at: NOW - 60_000, pending_capacity: null, ...fields },
})
const account = (windows: readonly AccountWindow[] = [HOURS, WEEK, TOKENS], reports: readonly ReportedRow[] = []) => ({
  ...{ id: 1, windows, reports },
})
const after = (limits: readonly ReportedLimit[], given: FollowedAccount = account(), model = 'gpt_4') =>
  followed(given, { limits, model, now: NOW })
const keys = (limits: readonly ReportedLimit[], given?: FollowedAccount, model?: string) =>
  after(limits, given, model).map(({ window_key }) => window_key)

describe('what an account says of a limit', () => {
  test('speaks for the window of the same unit and as much, and says when it ends', () => {
    expect(after([limit({})])).toEqual([before({ reported_at: NOW })])
    expect(keys([limit({ limit: 600 })])).toEqual([WEEK_KEY])
    expect(keys([limit({ unit: 'tokens', limit: 90_000 })])).toEqual([TOKENS_KEY])
    expect(keys([limit({ unit: 'tokens' })])).toEqual([])
  })
  test('speaks for the window of the length that it says, within a tenth', () => {
    for (const [length, spoken] of [
      [5 * HOUR, [HOURS_KEY]],
      [5.4 * HOUR, [HOURS_KEY]],
      [5.6 * HOUR, []],
      [7 * 24 * HOUR, [WEEK_KEY]],
      [24 * HOUR, []],
    ] as const)
      expect([length, keys([limit({ limit: 70, length })])]).toEqual([length, spoken])
    expect(keys([limit({ unit: null, limit: null, used: null, used_part: 0.5, length: 5 * HOUR })])).toEqual([
      HOURS_KEY,
    ])
  })
  test('speaks for the window that has just begun and resets after its length', () => {
    expect(keys([limit({ limit: 80, used: 1, resets_in: 5 * HOUR - 2 })])).toEqual([HOURS_KEY])
    expect(keys([limit({ limit: 80, used: 9, resets_in: 5 * HOUR - 2 })])).toEqual([])
  })
  test('speaks for the window of which it spoke before, however much that has become', () => {
    const given = account([HOURS], [before()])
    expect(after([limit({ limit: 80, used: 20, resets_in: HOUR - 9 })], given)).toMatchObject([
      { window_key: HOURS_KEY, capacity: 80_000, used_then: 20_000 },
    ])
    expect(keys([limit({ limit: 80, used: 20, resets_in: 3 * HOUR })], given)).toEqual([])
  })
  test('speaks for no window that is shorter than its reset, and for those of the model alone that was asked', () => {
    expect(keys([limit({ resets_in: 6 * HOUR })], account([HOURS]))).toEqual([])
    const given = account([OF_GPT_4])
    expect(keys([limit({ limit: 40 })], given)).toHaveLength(1)
    expect(keys([limit({ limit: 40 })], given, 'gpt_3_5')).toEqual([])
  })
  test('leaves each window one word', () => {
    expect(keys([limit({}), limit({ used: 3 }), limit({ limit: 600 })])).toEqual([HOURS_KEY, WEEK_KEY])
  })
})

describe('how much there is', () => {
  const become = (said: Partial<ReportedLimit>, capacity: number | null = 50_000) =>
    after([limit(said)], account([HOURS], [before({ capacity })]))[0]
  test('is believed as the account says, also where it is less', () => {
    expect(become({ limit: 99 })).toMatchObject({ capacity: 99_000, pending_capacity: null })
    expect(become({ limit: 10, used: 3 })).toMatchObject({ capacity: 10_000, used_then: 3_000, pending_capacity: null })
  })
  test('wants a yes where it doubles or vanishes, and stays what it was until then', () => {
    expect(become({ limit: 100 })).toMatchObject({ capacity: 50_000, pending_capacity: 100_000, used_then: 12_000 })
    expect(become({ limit: 500 }, null)).toMatchObject({ capacity: null, pending_capacity: 500_000 })
    expect(become({ limit: 0, used: 0 })).toMatchObject({ capacity: 50_000, pending_capacity: 0, used_then: null })
  })
  test('is asked about no more once the account says what it said before', () => {
    const given = account([HOURS], [before({ pending_capacity: 100_000 })])
    expect(after([limit({})], given)[0]).toMatchObject({ capacity: 50_000, pending_capacity: null })
  })
  test('is what is set where it says a part alone', () => {
    const said = limit({ unit: null, limit: null, used: null, used_part: 0.24, resets_in: null, length: 5 * HOUR })
    expect(after([said])[0]).toMatchObject({ capacity: null, used_then: 12_000, ends_at: null })
  })
})

describe('a refusal that says until when', () => {
  const full = (seconds: number, of_model = false, windows = [WEEK, HOURS]) =>
    fullWindow(account(windows), { seconds, model: 'gpt_4', of_model, now: NOW })
  test('says that the shortest window is full that can take so long', () => {
    expect(full(2 * HOUR)).toMatchObject({ window_key: HOURS_KEY, used_then: 50_000, ends_at: NOW + 2 * HOUR * 1000 })
    expect(full(6 * HOUR)).toMatchObject({ window_key: WEEK_KEY, used_then: 600_000 })
    expect(full(60 * 24 * HOUR)).toBe(null)
  })
  test('of a minute says nothing of a window, and of one model nothing of those of all', () => {
    expect(full(60)).toBe(null)
    expect(full(2 * HOUR, true)).toBe(null)
    expect(full(2 * HOUR, true, [HOURS, OF_GPT_4])).toMatchObject({ used_then: 40_000 })
  })
})

describe('news', () => {
  const said = (fields: Partial<ReportedRow>) => before({ reported_at: NOW, ...fields })
  test('is what was never said, another amount, another end, and that nothing is left', () => {
    expect(isNews(said({}), undefined, HOURS, 1)).toBe(true)
    expect(isNews(said({ capacity: 60_000 }), before(), HOURS, 0)).toBe(true)
    expect(isNews(said({ pending_capacity: 0 }), before(), HOURS, 0)).toBe(true)
    expect(isNews(said({ ends_at: null }), before(), HOURS, 0)).toBe(true)
    expect(isNews(said({ ends_at: NOW + 3 * HOUR * 1000 }), before(), HOURS, 0)).toBe(true)
    expect(isNews(said({ used_then: 50_000 }), before({ used_then: 49_000 }), HOURS, 1)).toBe(true)
    expect(isNews(said({ used_then: 1_000 }), before(), HOURS, 1)).toBe(true)
  })
  test('is no ask that everybody knows of, and no second more or less', () => {
    expect(isNews(said({ used_then: 15_000, ends_at: NOW + HOUR * 1000 + 900 }), before(), HOURS, 3)).toBe(false)
  })
  test('is what others used elsewhere, at most every five seconds', () => {
    expect(isNews(said({ used_then: 17_000 }), before(), HOURS, 1)).toBe(true)
    expect(isNews(said({ used_then: 17_000 }), before({ reported_at: NOW - 4_999 }), HOURS, 1)).toBe(false)
  })
})
