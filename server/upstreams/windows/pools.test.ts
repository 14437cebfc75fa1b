import { describe, expect, test } from 'vitest'
import type { AccountWindow } from '#contract/shares.ts'
import { poolAt, type ReportedRow } from './pools.ts'
import type { SharedRow } from './sharing.ts'

const HOUR = 3_600_000
const NOW = 1_000 * HOUR
const HOURS: AccountWindow = { unit: 'asks', amount: 50, window: { kind: 'from_first', seconds: 18_000 }, models: null }
const WEEK: AccountWindow = { unit: 'asks', amount: 600, window: { kind: 'week' }, models: null }
const MONEY: AccountWindow = { unit: 'money', amount: 20.5, window: { kind: 'month' }, models: null }
const KEY = 'asks from_first 18000 *'

const account = (id: number, fields: Partial<SharedRow> = {}): SharedRow =>
  ({
    ...{ id, source: 'openai_api', user_id: null, label: `account ${id}`, enabled: true },
    ...{ windows: [HOURS], sharing: 'shares', keep: 'usual', reserve_percent: 0, member_names: 'full' },
    ...{ owner_id: null, pool: null, ...fields },
  }) as SharedRow // of which only these are looked at
const said = (fields: Partial<ReportedRow> = {}): ReportedRow => ({
  ...{ upstream_id: 1, window_key: KEY, capacity: 40_000, used_then: 12_000, ends_at: NOW + HOUR },
  ...{ reported_at: NOW - HOUR, pending_capacity: null, ...fields },
})
const pool = (id: number, rows: readonly SharedRow[], reports: readonly ReportedRow[] = []) =>
  poolAt(id, { rows, reports, time_zone: 'Asia/Shanghai', now: NOW })

describe('the pool of an account', () => {
  test('is none without windows, switched off, of a person, or where there is no such account', () => {
    expect(pool(1, [account(1, { windows: null })])).toBe(null)
    expect(pool(1, [account(1, { enabled: false })])).toBe(null)
    expect(pool(1, [account(1, { user_id: 7 })])).toBe(null)
    expect(pool(2, [account(1)])).toBe(null)
  })
  test('has its windows, the shortest first, in thousandths of an ask and millionths of money', () => {
    const found = pool(1, [account(1, { windows: [MONEY, WEEK, HOURS], reserve_percent: 12, owner_id: 3 })])
    expect(found).toMatchObject({
      ...{ upstream_ids: [1], key: '1', sharing: 'shares', names: 'full', label: 'account 1' },
      settings: { keep: 'usual', reserve_percent: 12, owner_id: 3, time_zone: 'Asia/Shanghai' },
    })
    expect(found?.settings.windows).toEqual([
      { key: KEY, unit: 'asks', amount: 50_000, window: HOURS.window, models: null, reported: null },
      { key: 'asks week  *', unit: 'asks', amount: 600_000, window: WEEK.window, models: null, reported: null },
      { key: 'money month  *', unit: 'money', amount: 20_500_000, window: MONEY.window, models: null, reported: null },
    ])
  })
  test('keeps nothing for an owner who is gone', () => {
    expect(pool(1, [account(1, { reserve_percent: 12 })])?.settings.reserve_percent).toBe(0)
  })
  test('may have nothing, or one ask', () => {
    for (const amount of [0, 1])
      expect(pool(1, [account(1, { windows: [{ ...HOURS, amount }] })])?.settings.windows[0]?.amount).toBe(
        amount * 1000,
      )
  })
})

describe('accounts of one pool', () => {
  const others = [
    account(2, { pool: 'lab', windows: [WEEK, { ...HOURS, amount: 30 }], sharing: 'first_come', keep: 'share' }),
    account(3, { pool: 'lab', windows: [{ ...HOURS, amount: 20 }] }),
    account(4, { pool: 'lab', source: 'openai_web' }),
    account(5, { pool: 'lab', enabled: false }),
    account(6, { pool: 'else' }),
    account(7, { pool: 'lab', user_id: 8 }),
  ]
  test('have together what each has of the same window, with the settings of the first', () => {
    const found = pool(3, others)
    expect(found).toMatchObject({ upstream_ids: [2, 3], key: '2', sharing: 'first_come', settings: { keep: 'share' } })
    expect(found?.settings.windows.map(({ key, amount }) => [key, amount])).toEqual([
      [KEY, 50_000],
      ['asks week  *', 600_000],
    ])
    expect(pool(2, others)).toEqual(found)
  })
  test('have what those say that say something, and are set as the others are', () => {
    const first = pool(2, others, [said({ upstream_id: 3, capacity: 25_000 })])
    expect([first?.settings.windows[0]?.amount, first?.reported.size]).toEqual([55_000, 0])
    const both = pool(2, others, [said({ upstream_id: 2 }), said({ upstream_id: 3, capacity: 25_000 })])
    expect(both?.settings.windows[0]).toMatchObject({ amount: 65_000, reported: null })
    expect(both?.reported).toEqual(new Set([KEY]))
  })
})

describe('what an account says of its window', () => {
  const windowAfter = (fields: Partial<ReportedRow>, window: AccountWindow = HOURS) =>
    pool(1, [account(1, { windows: [window] })], [said(fields)])?.settings.windows[0]
  test('is believed: how much there is, how much is used, when it ends', () => {
    const found = pool(1, [account(1)], [said()])
    expect(found?.reported).toEqual(new Set([KEY]))
    expect(found?.settings.windows[0]).toMatchObject({
      amount: 40_000,
      reported: { used: 12_000, ends_at: NOW + HOUR, at: NOW - HOUR },
    })
  })
  test('says nothing of another window', () => {
    expect(windowAfter({ window_key: 'tokens week  *' })).toMatchObject({ amount: 50_000, reported: null })
  })
  test('says nothing of what is used once the window has ended; how much there is, it still has', () => {
    expect(windowAfter({ ends_at: NOW })).toMatchObject({
      amount: 40_000,
      reported: { used: null, ends_at: NOW, at: NOW - HOUR },
    })
    expect(windowAfter({ ends_at: null, reported_at: NOW - 5 * HOUR })).toMatchObject({
      amount: 40_000,
      reported: null,
    })
    expect(windowAfter({ ends_at: null, reported_at: NOW - 4 * HOUR })?.reported?.used).toBe(12_000)
  })
  test('is not believed where it wants a yes', () => {
    expect(windowAfter({ capacity: null, pending_capacity: 900_000 })?.amount).toBe(50_000)
  })
})
