import { describe, expect, test } from 'vitest'
import type { ValueOrigin } from '#contract/plans.ts'
import type { StoredLimit } from '#server/foundation/database/schema/plans.ts'
import { limitKey, mergeLimits, olderFields, olderForm, sentLimit, storedLimit, withOrigin } from './limitList.ts'

const OWN: ValueOrigin = { from: 'own' }
const asks = (fields: Partial<StoredLimit> = {}): StoredLimit => ({
  source: 'openai_api',
  unit: 'asks',
  amount: 5,
  window: { kind: 'ever' },
  models: null,
  ...fields,
})
const rate = (seconds: number, amount: number) => asks({ window: { kind: 'rolling', seconds }, amount })

describe('a limit of a list', () => {
  test('is the same as another of its source, unit, window and models, whatever the amount and the order of models', () => {
    const one = asks({ models: ['a', 'b'], amount: 1 })
    expect(limitKey(one)).toBe(limitKey({ ...one, amount: 2, models: ['b', 'a'] } as StoredLimit))
    for (const other of [
      asks({ models: ['a'] }),
      asks({ models: null }),
      { ...one, unit: 'tokens' as const },
      { ...one, source: 'openai_web' as const },
      { ...one, window: { kind: 'day' as const } },
      { ...one, window: { kind: 'rolling' as const, seconds: 60 } },
      { ...one, window: { kind: 'from_first' as const, seconds: 60 } },
    ])
      expect(limitKey(other)).not.toBe(limitKey(one))
  })
  test('is stored in millionths where it is money, and sent as it came', () => {
    const sent = { ...asks(), unit: 'money' as const, amount: 20.000001, models: ['b', 'a', 'b'] }
    const stored = storedLimit(sent)
    expect(stored).toMatchObject({ amount: 20_000_001, models: ['a', 'b'] })
    expect(sentLimit(stored)).toEqual({ ...sent, models: ['a', 'b'] })
    expect(sentLimit(storedLimit({ ...sent, amount: -1 })).amount).toBe(-1)
  })
})

describe('two lists', () => {
  test('come to the limits of the near one, and those of the far one that it has not', () => {
    const merged = mergeLimits([rate(60, 3), asks({ amount: -1 })], [rate(60, 1), rate(3600, 9), asks({ amount: 2 })])
    expect(merged).toEqual([rate(60, 3), asks({ amount: -1 }), rate(3600, 9)])
  })
})

describe('the fields of the specification', () => {
  test('are asks for ever, in all or of one model, and asks within a rolling time', () => {
    expect(olderForm(asks())).toBe('total')
    expect(olderForm(asks({ models: ['gpt_4'] }))).toBe('model')
    expect(olderForm(rate(60, 1))).toBe('rate')
    for (const none of [
      asks({ models: ['gpt_4', 'gpt_3_5'] }),
      asks({ window: { kind: 'month' } }),
      asks({ unit: 'tokens' }),
      asks({ unit: 'money' }),
      { ...rate(60, 1), models: ['gpt_4'] },
      asks({ window: { kind: 'from_first', seconds: 60 } }),
    ])
      expect(olderForm(none)).toBeNull()
  })
  test('have the amounts of the list, and none of a rate that is lifted', () => {
    const list = [asks({ amount: 7 }), asks({ models: ['gpt_4'], amount: 2 }), rate(60, 3), rate(3600, -1)]
    expect(olderFields(list.map(limit => withOrigin(limit, OWN)))).toEqual({
      total_ask_allowed: 7,
      per_model_ask_allowed: new Map([['gpt_4', 2]]),
      rate_limits: [{ window_seconds: 60, max_requests: 3 }],
    })
    expect(olderFields([])).toMatchObject({ total_ask_allowed: -1, rate_limits: [] })
  })
})
