import { describe, expect, test } from 'vitest'
import type { ConversationSync, ListingEnd } from '#contract/conversationSync.ts'
import { partialListings, kindOf, sumOf, timeLeft } from './SyncStrip.tsx'

type SyncResult = NonNullable<ConversationSync['last']>

const account = (listing: ListingEnd, fields: object = {}): SyncResult['accounts'][number] => ({
  ...{ upstream_id: 1, label: 'One', seen: 10, added: 2, renamed: 1, back: 0, gone: 1 },
  listing,
  message: null,
  ...fields,
})
const resultOf = (outcome: SyncResult['outcome'], ...accounts: SyncResult['accounts']): SyncResult => ({
  ...{ outcome, started_by: null, start_time: '2026-11-28T10:00:00.000Z', end_time: '2026-11-28T10:05:00.000Z' },
  failure: null,
  accounts,
})

describe('the result of a sync', () => {
  test('adds the accounts up', () => {
    expect(sumOf([account('whole'), account('short', { seen: 5, added: 0, gone: 0 })])).toEqual({
      seen: 15,
      added: 2,
      gone: 1,
    })
  })
  test('is broken where the run failed or an account could not be read', () => {
    expect(kindOf(resultOf('finished', account('whole'), account('short')))).toBe('done')
    expect(kindOf(resultOf('finished', account('whole'), account('failed')))).toBe('broke')
    expect(kindOf(resultOf('failed'))).toBe('broke')
    expect(kindOf(resultOf('stopped', account('stopped')))).toBe('stopped')
  })
  test('says something of the accounts whose listing cannot be relied on', () => {
    const accounts = (['whole', 'stopped', 'short', 'empty'] as const).map(listing => account(listing))
    expect(partialListings(accounts).map(({ listing }) => listing)).toEqual(['short', 'empty'])
  })
})

describe('the time that is left', () => {
  const start_time = '2026-11-28T10:00:00.000Z'
  const now = Date.parse(start_time) + 60_000
  test('follows from what was done so far', () => {
    expect(timeLeft({ start_time, done: 100, total: 300 }, now)).toBe(120_000)
  })
  test('is not known at the beginning, without a total, or beyond it', () => {
    for (const [done, total] of [
      [0, 300],
      [100, null],
      [300, 300],
    ] as const)
      expect(timeLeft({ start_time, done, total }, now)).toBe(null)
    expect(timeLeft({ start_time: null, done: 1, total: 3 }, now)).toBe(null)
  })
})
