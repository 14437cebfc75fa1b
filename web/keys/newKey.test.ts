import { describe, expect, test } from 'vitest'
import { aKey } from './builders.testing.ts'
import { daysUntilEnd, draftOf, EMPTY_DRAFT, isSimple, type KeyDraft, toChanges, toNewKey } from './newKey.ts'

const NOW = new Date('2026-11-30T12:00:00.000Z')
const draft = { ...EMPTY_DRAFT, name: ' Laptop ' }

describe('a key that is made', () => {
  test('ends after 90 days, has no limit of its own, and may borrow', () => {
    expect(toNewKey(draft, NOW)).toMatchObject({
      ...{ name: 'Laptop', expires_at: '2027-02-28T12:00:00.000Z', limits: [], models: null, may_borrow: true },
    })
  })
  test('has no end, a limit and only some models where that is chosen', () => {
    expect(toNewKey({ ...draft, expiry: 'never', amount: '100', window: 'day', models: ['gpt_4'] }, NOW)).toMatchObject(
      {
        expires_at: null,
        limits: [{ source: 'openai_api', unit: 'asks', amount: 100, window: { kind: 'day' }, models: null }],
        models: ['gpt_4'],
      },
    )
  })
  test.each([{ name: ' ' }, { amount: '0' }, { amount: '1.5' }, { amount: 'many' }, { models: [] }])(
    'is not made of %j',
    change => {
      expect(toNewKey({ ...draft, ...change }, NOW)).toBe(null)
    },
  )
})

describe('a key that is changed', () => {
  const limit = { source: 'openai_api', unit: 'asks', amount: 20, window: { kind: 'day' }, models: null } as const
  const key = aKey({ expires_at: '2027-01-30T12:00:00.000Z', limits: [limit], models: ['gpt_4'] })
  const before = draftOf(key)
  const sent = (change: Partial<KeyDraft>) => toChanges(before, { ...before, ...change }, NOW)

  test('sends nothing of what stays', () => {
    expect(sent({})).toEqual({})
    expect(sent({ name: ` ${key.name} `, amount: ' 20 ', models: ['gpt_4'] })).toEqual({})
  })
  test.each<[Partial<KeyDraft>, object]>([
    [{ name: 'Desktop' }, { name: 'Desktop' }],
    [{ expiry: '30' }, { expires_at: '2026-12-30T12:00:00.000Z' }],
    [{ expiry: 'never' }, { expires_at: null }],
    [{ amount: '' }, { limits: [] }],
    [{ amount: '5' }, { limits: [{ ...limit, amount: 5 }] }],
    [{ window: 'month' }, { limits: [{ ...limit, window: { kind: 'month' } }] }],
    [{ models: null }, { models: null }],
    [{ mayBorrow: false }, { may_borrow: false }],
    [{ keepsConversations: true }, { keeps_conversations: true }],
  ])('sends of %j what is another', (change, changes) => {
    expect(sent(change)).toEqual(changes)
  })
  test('is not sent with what cannot be', () => {
    expect(sent({ name: ' ' })).toBe(null)
    expect(sent({ amount: '-1' })).toBe(null)
  })
  test('keeps limits that the form cannot show', () => {
    const limits = [limit, { ...limit, window: { kind: 'week' } as const }]
    expect([isSimple([]), isSimple([limit]), isSimple(limits)]).toEqual([true, true, false])
    expect(
      [{ unit: 'tokens' } as const, { amount: 0 }, { models: ['gpt_4'] }].filter(other =>
        isSimple([{ ...limit, ...other }]),
      ),
    ).toEqual([])
    const several = draftOf({ ...key, limits })
    expect(toChanges(several, { ...several, window: 'month', mayBorrow: false }, NOW)).toEqual({ may_borrow: false })
  })
})

test.each([
  [null, null],
  ['2027-01-30T12:00:00.000Z', null],
  ['2026-12-04T11:00:00.000Z', 4],
  ['2026-11-29T12:00:00.000Z', 0],
])('a key that ends at %s is marked by %s days', (expires_at, days) => {
  expect(daysUntilEnd(expires_at, NOW)).toBe(days)
})
