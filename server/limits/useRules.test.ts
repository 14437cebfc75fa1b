import { describe, expect, test } from 'vitest'
import type { LimitUnit, LimitWindow } from '#contract/plans.ts'
import type { LimitUse } from './limitUse.ts'
import { budgetReached, limitReached, modelHasNoPrice, tokensReached, type UseFacts } from './useRules.ts'

const NOW = 1_000_000
type Use = { unit?: LimitUnit; amount?: number; window?: LimitWindow; opens_at?: number | null }

const aUse = ({ unit = 'asks', amount = 10, window = { kind: 'day' }, opens_at = null }: Use): LimitUse => ({
  limit: { source: 'openai_api', unit, amount, window, models: null, origin: { from: 'own' }, until: null },
  key_id: null,
  used: amount,
  left: 0,
  window: { starts: null, ends: null },
  opens_at,
})
const facts = (uses: Use[], more: Partial<UseFacts> = {}): UseFacts => ({
  ...{ now: NOW, model: 'gpt_4', limit_use: uses.map(aUse), has_price: true, currency: 'EUR' },
  ...more,
})

describe('a limit of a list', () => {
  test('refuses by the rule of its unit alone', () => {
    const rules = [limitReached, tokensReached, budgetReached]
    const keys = (unit: LimitUnit) => rules.map(rule => rule(facts([{ unit }]))?.key ?? null)
    expect(keys('asks')).toEqual(['limitReached', null, null])
    expect(keys('tokens')).toEqual([null, 'tokensReached', null])
    expect(keys('money')).toEqual([null, null, 'budgetReached'])
  })
  test('refuses nothing of what is left now', () => {
    expect(limitReached(facts([{ opens_at: NOW }]))).toBeNull()
    expect(limitReached(facts([{ opens_at: NOW + 1 }]))).toMatchObject({ opens_at: NOW + 1 })
    expect(limitReached(facts([]))).toBeNull()
  })
  test('names of several full ones the one that stays full longest, and one for ever before all', () => {
    const uses: Use[] = [
      { amount: 1, opens_at: NOW + 5 },
      { amount: 2, opens_at: NOW + 50 },
      { amount: 3, opens_at: NOW },
    ]
    expect(limitReached(facts(uses))).toMatchObject({ values: { amount: 2 }, opens_at: NOW + 50 })
    expect(limitReached(facts([...uses, { amount: 4 }]))).toMatchObject({ values: { amount: 4 }, opens_at: null })
  })
  test('says its amount and window; that of money in the currency of the portal', () => {
    const rolling: LimitWindow = { kind: 'rolling', seconds: 3_600 }
    expect(limitReached(facts([{ window: rolling }]))?.values).toEqual({
      ...{ unit: 'asks', amount: 10, window: 'rolling', seconds: 3_600 },
    })
    expect(budgetReached(facts([{ unit: 'money', amount: 20_500_000, window: { kind: 'month' } }]))?.values).toEqual({
      ...{ unit: 'money', amount: 20.5, window: 'month', currency: 'EUR' },
    })
  })
})

describe('a model without a price', () => {
  test('is refused under a limit in money alone', () => {
    const without = { has_price: false }
    expect(modelHasNoPrice(facts([{ unit: 'money' }], without))).toEqual({
      ...{ key: 'modelHasNoPrice', values: { model: 'gpt_4' }, opens_at: null },
    })
    expect(modelHasNoPrice(facts([{ unit: 'tokens' }, { unit: 'asks' }], without))).toBeNull()
    expect(modelHasNoPrice(facts([{ unit: 'money' }]))).toBeNull()
  })
})
