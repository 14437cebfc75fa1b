import { describe, expect, test } from 'vitest'
import { KeyChanges, MAX_KEY_LIMITS, MAX_KEY_NAME, NewKey } from './keys.ts'

const WEEK = { source: 'openai_api', unit: 'asks', window: { kind: 'week' }, models: null, amount: 5 } as const
const isTaken = (fields: object): boolean => NewKey.safeParse({ name: 'Laptop', ...fields }).success

describe('a new key', () => {
  test('is its name alone: it has no end, no limits, every model, and borrows', () => {
    expect(NewKey.parse({ name: ' Laptop ' })).toEqual({
      ...{ name: 'Laptop', expires_at: null, limits: [], models: null },
      ...{ may_borrow: true, quiet_only: false, keeps_conversations: false },
    })
  })
  test('has a name that fits', () => {
    expect(isTaken({ name: '名'.repeat(MAX_KEY_NAME) })).toBe(true)
    for (const name of ['', '  ', 'x'.repeat(MAX_KEY_NAME + 1), 5, null]) expect(isTaken({ name })).toBe(false)
  })
  test('has limits as plans have them, in asks, tokens and money', () => {
    for (const limit of [
      WEEK,
      { ...WEEK, amount: 0 },
      { ...WEEK, unit: 'tokens', window: { kind: 'rolling', seconds: 18_000 } },
      { ...WEEK, unit: 'money', amount: 2.5, models: ['gpt_4'] },
    ])
      expect(isTaken({ limits: [limit] }), JSON.stringify(limit)).toBe(true)
  })
  test('has no limit without an amount, of the web service, or twice', () => {
    for (const limits of [[{ ...WEEK, amount: -1 }], [{ ...WEEK, source: 'openai_web' }], [WEEK, WEEK]])
      expect(isTaken({ limits }), JSON.stringify(limits)).toBe(false)
  })
  test('has so many limits at most', () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => ({ ...WEEK, models: [`model_${at}`] }))
    expect(isTaken({ limits: many(MAX_KEY_LIMITS) })).toBe(true)
    expect(isTaken({ limits: many(MAX_KEY_LIMITS + 1) })).toBe(false)
  })
})

describe('a change of a key', () => {
  test('is of what is sent', () => {
    expect(KeyChanges.parse({})).toEqual({})
    expect(KeyChanges.parse({ name: 'Desk', expires_at: null })).toEqual({ name: 'Desk', expires_at: null })
    expect(KeyChanges.parse({ rotate: true })).toEqual({ rotate: true })
  })
  test('is of whether it keeps conversations, and never has it ask only when it is quiet: that is what it was made for', () => {
    expect(KeyChanges.parse({ quiet_only: false, keeps_conversations: true })).toEqual({ keeps_conversations: true })
  })
  test('rotates or does not', () => {
    for (const rotate of [false, null, 1, 'true']) expect(KeyChanges.safeParse({ rotate }).success).toBe(false)
  })
})
