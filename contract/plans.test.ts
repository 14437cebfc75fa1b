import { describe, expect, test } from 'vitest'
import { MAX_INSTRUCTIONS } from './instructions.ts'
import { CommonValues, isMoney, limitText, type PlanLimit, PlanChanges, PlanLimits, PlanValues } from './plans.ts'

const ASKS = { source: 'openai_api', unit: 'asks', window: { kind: 'month' }, models: null } as const
const MONEY = { ...ASKS, unit: 'money' } as const
const TOKENS = { ...ASKS, unit: 'tokens' } as const
const rolling = (seconds: number) => ({ kind: 'rolling', seconds }) as const

const isTaken = (...limits: unknown[]): boolean => PlanLimits.safeParse(limits).success

/** The last that is taken, and the first that is not. */
const isBoundedAt = (limit: object, most: number, beyond: number): void => {
  expect(isTaken({ ...limit, amount: most }), `${most} of ${JSON.stringify(limit)}`).toBe(true)
  expect(isTaken({ ...limit, amount: beyond }), `${beyond} of ${JSON.stringify(limit)}`).toBe(false)
}

describe('the amount of a limit', () => {
  test('is at most as much as its unit can be', () => {
    isBoundedAt(ASKS, 1_000_000_000, 1_000_000_001)
    isBoundedAt(TOKENS, 1_000_000_000_000, 1_000_000_000_001)
    isBoundedAt(MONEY, 1_000_000_000, 1_000_000_000.01)
    isBoundedAt({ ...ASKS, window: rolling(60) }, 1_000_000, 1_000_001)
    isBoundedAt({ ...ASKS, window: rolling(60), models: ['gpt_4'] }, 1_000_000_000, 1_000_000_001)
    isBoundedAt({ ...TOKENS, window: rolling(60) }, 1_000_000_000_000, 1_000_000_000_001)
  })
  test('is nothing, or -1 for as much as one likes, and nothing else below zero', () => {
    for (const limit of [ASKS, TOKENS, MONEY]) {
      isBoundedAt(limit, 0, -0.5)
      isBoundedAt(limit, -1, -1.000001)
      isBoundedAt(limit, -1, -2)
    }
  })
  test('is whole, but of money', () => {
    isBoundedAt(ASKS, 1, 1.5)
    isBoundedAt(TOKENS, 1, 0.1)
    isBoundedAt(MONEY, 1.5, 1.000_000_5)
  })
  test('is a number', () => {
    for (const amount of ['5', null, undefined, Number.NaN, Infinity, -Infinity, [5], true])
      expect(isTaken({ ...ASKS, amount }), String(amount)).toBe(false)
  })
})

describe('money', () => {
  test('has at most six decimals, however it was computed', () => {
    for (const amount of [0, 0.000_001, 0.1, 19.99, 0.123_456, 123_456.123_456, 999_999_999.999_999, 1_000_000_000])
      expect(isMoney(amount), String(amount)).toBe(true)
    for (const amount of [0.000_000_1, 0.000_000_5, 1.123_456_7, 0.1 + 0.2]) expect(isMoney(amount)).toBe(false)
  })
  test('is not counted at a web account, which tells no tokens that are paid for', () => {
    expect(isTaken({ ...MONEY, amount: 5 })).toBe(true)
    expect(isTaken({ ...MONEY, source: 'openai_web', amount: 5 })).toBe(false)
    expect(isTaken({ ...TOKENS, source: 'openai_web', amount: 5 })).toBe(true)
  })
})

describe('the window of a limit', () => {
  test('has its seconds where it is a span, up to a leap year, and none where the calendar says it', () => {
    for (const kind of ['rolling', 'from_first']) {
      for (const seconds of [1, 3_600, 31_622_400])
        expect(isTaken({ ...ASKS, amount: 1, window: { kind, seconds } })).toBe(true)
      for (const seconds of [0, -1, 1.5, 31_622_401, '60', null, undefined])
        expect(isTaken({ ...ASKS, amount: 1, window: { kind, seconds } }), String(seconds)).toBe(false)
      expect(isTaken({ ...ASKS, amount: 1, window: { kind } })).toBe(false)
    }
    for (const kind of ['day', 'week', 'month', 'ever']) {
      expect(isTaken({ ...ASKS, amount: 1, window: { kind } })).toBe(true)
      expect(isTaken({ ...ASKS, amount: 1, window: { kind, seconds: 60 } })).toBe(false)
    }
    for (const window of [{ kind: 'year' }, {}, null, 'day', []])
      expect(isTaken({ ...ASKS, amount: 1, window }), JSON.stringify(window)).toBe(false)
  })
})

describe('a list of limits', () => {
  const limit = (fields: object = {}) => ({ ...ASKS, amount: 5, ...fields })
  test('has each limit once, whatever its amount and in whatever order its models are', () => {
    expect(isTaken(limit(), limit({ amount: 6 }))).toBe(false)
    expect(isTaken(limit({ models: ['a', 'b'] }), limit({ models: ['b', 'a', 'b'] }))).toBe(false)
    expect(isTaken(limit({ window: rolling(60) }), limit({ window: rolling(60), amount: -1 }))).toBe(false)
  })
  test('tells apart what differs in source, unit, window, seconds or models', () => {
    const all = [
      limit(),
      limit({ source: 'openai_web' }),
      limit({ unit: 'tokens' }),
      limit({ window: { kind: 'week' } }),
      limit({ window: rolling(60) }),
      limit({ window: rolling(61) }),
      limit({ window: { kind: 'from_first', seconds: 60 } }),
      limit({ models: ['a'] }),
      limit({ models: ['a', 'b'] }),
      limit({ models: ['a.b'] }),
    ]
    expect(isTaken(...all)).toBe(true)
    expect(new Set(all.map(each => limitText(each as PlanLimit))).size).toBe(all.length)
  })
  test('has models that can be, and all of them together where none is named', () => {
    const most = Array.from({ length: 200 }, (_, at) => `model-${at}`)
    expect(isTaken(limit({ models: most }))).toBe(true)
    expect(isTaken(limit({ models: [...most, 'one-more'] }))).toBe(false)
    for (const models of [[], [''], ['*'], ['a b'], ['a'.repeat(65)], 'a', [1]])
      expect(isTaken(limit({ models })), JSON.stringify(models)).toBe(false)
    const { models: _models, ...bare } = limit()
    expect(PlanLimits.parse([bare])).toEqual([limit()])
  })
  test('may be as long as what the settings can say of new people, and no longer', () => {
    const list = (length: number) => Array.from({ length }, (_, at) => limit({ models: [`model-${at}`] }))
    // Of each source: in all, 200 models and 20 rates.
    expect(isTaken(...list(2 * (1 + 200 + 20)))).toBe(true)
    expect(isTaken(...list(501))).toBe(false)
  })
})

describe('the values of a plan', () => {
  const takes = (values: unknown): boolean => PlanValues.safeParse(values).success
  test('are each inherited where they are null or missing', () => {
    expect(takes({})).toBe(true)
    const none = Object.fromEntries(Object.keys(CommonValues.shape).map(field => [field, null]))
    expect(takes({ ...none, openai_api: { allow_to_use: null, valid_days: null, available_models: null } })).toBe(true)
  })
  test('are within their bounds', () => {
    const bounds: [string, number, number][] = [
      ['max_upload_bytes', 0, 1_000_000_000_000_000],
      ['max_file_bytes', 0, 536_870_912],
      ['share_weight', 0, 1_000],
      ['max_keys', 0, 1_000],
      ['retention_days', -1, 36_500],
      ['deleted_retention_days', 0, 3_650],
    ]
    for (const [field, least, most] of bounds) {
      for (const value of [least, most]) expect(takes({ [field]: value }), `${field} ${value}`).toBe(true)
      for (const value of [least - 1, most + 1, 1.5, '1'])
        expect(takes({ [field]: value }), `${field} ${value}`).toBe(false)
    }
  })
  test('say of validity for how many days, or -1 for ever, and never none', () => {
    const days = (valid_days: unknown) => takes({ openai_web: { valid_days } })
    expect([-1, 1, 36_500].map(days)).toEqual([true, true, true])
    expect([0, -2, 36_501, 0.5].map(days)).toEqual([false, false, false, false])
  })
  test('have instructions without blanks around them, which may be blank to lift those that are inherited', () => {
    expect(CommonValues.parse({ instructions: '  Be short. \n' }).instructions).toBe('Be short.')
    expect(CommonValues.parse({ instructions: '   ' }).instructions).toBe('')
    expect(takes({ instructions: 'a'.repeat(MAX_INSTRUCTIONS + 1) })).toBe(false)
  })
})

describe('a change of a plan', () => {
  test('spares at most a thousand people, each until a moment', () => {
    const spared = (length: number, fields: object = {}) => ({
      spare: Array.from({ length }, (_, at) => ({ user_id: at + 1, until: '2027-01-15T12:00:00Z', ...fields })),
    })
    expect(PlanChanges.safeParse(spared(1_000)).success).toBe(true)
    expect(PlanChanges.safeParse(spared(1_001)).success).toBe(false)
    for (const fields of [{ until: null }, { until: 'soon' }, { user_id: 0 }, { user_id: 1e15 }])
      expect(PlanChanges.safeParse(spared(1, fields)).success, JSON.stringify(fields)).toBe(false)
  })
  test('has a name of something, of at most 64 letters', () => {
    for (const name of ['家人', 'x'.repeat(64)]) expect(PlanChanges.safeParse({ name }).success).toBe(true)
    for (const name of ['', '   ', 'x'.repeat(65), null]) expect(PlanChanges.safeParse({ name }).success).toBe(false)
  })
})
