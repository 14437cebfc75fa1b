import { describe, expect, test } from 'vitest'
import { Amount as PriceAmount, fromMillionths, PriceChange, toMillionths } from './prices.ts'
import { isMoney, LimitWindow, PlanLimit, PlanLimits } from './plans.ts'
import { decideUsageRequest, MAX_REASON, readStatement, requestUsage } from './usage.ts'

const ASKED = { source: 'openai_api', unit: 'asks', amount: 10 }
const LIMIT = { source: 'openai_api', unit: 'money', amount: 20, window: { kind: 'month' } }

describe('a request for more', () => {
  const takes = (fields: object) => requestUsage.body.safeParse({ ...ASKED, ...fields }).success
  test('says what of which source, and may say until when and why', () => {
    expect(requestUsage.body.parse(ASKED)).toEqual({ ...ASKED, reason: '' })
    expect(takes({ until: '2026-11-30T16:00:00Z', reason: 'x'.repeat(MAX_REASON) })).toBe(true)
    expect(takes({ until: null })).toBe(true)
    expect(takes({ reason: 'x'.repeat(MAX_REASON + 1) })).toBe(false)
  })
  test.each([
    ...[{ amount: 0 }, { amount: -1 }, { amount: 1_000_000_001 }, { amount: '10' }, { amount: Number.NaN }],
    ...[{ amount: Infinity }, { source: 'x' }, { unit: 'hours' }, { until: 'tomorrow' }, { until: '2026-11-30' }],
    ...[{ reason: null }],
  ])('is none with %j', wrong => {
    expect(takes(wrong)).toBe(false)
  })
  test('is granted or declined, and nothing else', () => {
    const decides = (body: object) => decideUsageRequest.body.safeParse(body).success
    expect([decides({ decision: 'granted' }), decides({ decision: 'declined', word: 'No' })]).toEqual([true, true])
    expect([decides({}), decides({ decision: 'maybe' }), decides({ decision: 'granted', amount: -5 })]).toEqual([
      ...[false, false, false],
    ])
  })
})

describe('the month of a statement', () => {
  test.each(['2026-01', '2026-12', '2099-02'])('is %s', month => {
    expect(readStatement.query.safeParse({ user_id: '1', month }).success).toBe(true)
  })
  test.each(['2026-00', '2026-13', '2026-1', '26-01', '1999-12', '2026-01-01', ''])('is not %j', month => {
    expect(readStatement.query.safeParse({ user_id: '1', month }).success).toBe(false)
  })
})

describe('an amount of money', () => {
  test('has six decimals at most', () => {
    for (const amount of [0, 0.000_001, 0.1, 19.99, 1_234.567_891, 999_999_999]) expect(isMoney(amount)).toBe(true)
    for (const amount of [0.000_000_1, 1.234_567_8, Math.PI]) expect(isMoney(amount)).toBe(false)
  })
  test('is the same after it was kept in millionths', () => {
    for (const amount of [0, 0.000_001, 0.07, 1.1, 4.35, 999_999.999_999])
      expect(fromMillionths(toMillionths(amount))).toBe(amount)
    for (const millionths of [0, 1, 999_999, 1_000_001, 999_999_999_999])
      expect(toMillionths(fromMillionths(millionths))).toBe(millionths)
  })
})

describe('a price', () => {
  test.each([0, 0.000_001, 2.5, 999_999.999_999, 1_000_000])('may be %d', amount => {
    expect(PriceAmount.safeParse(amount).success).toBe(true)
  })
  test.each([-0.01, 1_000_000.000_001, 123_456_789_012, 0.000_000_000_012, Number.NaN, Infinity, '1', null])(
    'may not be %j',
    amount => {
      expect(PriceAmount.safeParse(amount).success).toBe(false)
    },
  )
  test('has what is left out as not known, and is not free', () => {
    expect(PriceChange.parse({ model: 'gpt_4', input: 0 })).toEqual({
      ...{ model: 'gpt_4', input: 0, cached_input: null, output: null, picture: null, free: false },
    })
    for (const model of ['', 'x'.repeat(201)]) expect(PriceChange.safeParse({ model }).success).toBe(false)
  })
})

describe('a limit', () => {
  const takes = (fields: object) => PlanLimit.safeParse({ ...LIMIT, ...fields }).success
  test.each([{ amount: 0 }, { amount: -1 }, { amount: 0.000_001 }, { models: ['gpt_4'] }, { models: null }])(
    'may have %j',
    fields => {
      expect(takes(fields)).toBe(true)
    },
  )
  test.each([
    ...[{ amount: -2 }, { amount: 0.000_000_1 }, { amount: 1e12 }, { unit: 'asks', amount: 1.5 }, { amount: null }],
    ...[{ window: { kind: 'year' } }, { window: null }, { unit: 'hours' }, { source: 'x' }],
  ])('has not %j', fields => {
    expect(takes(fields)).toBe(false)
  })
  test('is in a list once, whatever its amount and the order of its models', () => {
    const [one, other] = [
      { ...LIMIT, models: ['a', 'b'] },
      { ...LIMIT, models: ['b', 'a'], amount: 5 },
    ]
    expect(PlanLimits.safeParse([one, { ...one, models: ['a'] }, { ...one, window: { kind: 'week' } }]).success).toBe(
      true,
    )
    expect(PlanLimits.safeParse([one, other]).success).toBe(false)
  })
})

describe('a window', () => {
  test('that rolls or begins with an ask has its seconds; others have none', () => {
    const takes = (window: object) => LimitWindow.safeParse(window).success
    for (const kind of ['rolling', 'from_first']) {
      expect([takes({ kind, seconds: 3_600 }), takes({ kind })]).toEqual([true, false])
      for (const seconds of [0, -1, 1.5, '60', null]) expect(takes({ kind, seconds }), `${seconds}`).toBe(false)
    }
    for (const kind of ['day', 'week', 'month', 'ever']) expect(takes({ kind })).toBe(true)
  })
})
