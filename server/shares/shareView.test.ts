import { describe, expect, test } from 'vitest'
import type { Gift } from '#server/limits/shares/pool.ts'
import { aMember, aPool, aWindow, HOUR, lines, NOW } from '#server/limits/shares/pool.testing.ts'
import { idsToName, type PoolView, shareView } from './shareView.ts'

const NAMES = new Map([
  [1, '林小雨'],
  [2, '陈建国'],
  [3, '👩‍👩‍👧 家'],
])

function aView(given: Parameters<typeof aPool>[0] = {}, pool: Partial<PoolView['pool']> = {}): PoolView {
  return {
    facts: aPool({ members: [aMember(1), aMember(2)], ...given }),
    pool: {
      ...{ upstream_ids: [4, 3], sharing: 'shares', names: 'full', label: 'Main', reported: new Set<string>() },
      ...pool,
    },
  }
}

const seenBy = (viewer_id: number, view: PoolView, may_ask = true) =>
  shareView(view, { viewer_id, may_ask, source: 'openai_api', currency: 'EUR' }, NAMES)
const windowSeenBy = (viewer_id: number, view: PoolView) => {
  const [window] = seenBy(viewer_id, view).windows
  if (window === undefined) throw new Error('it has one')
  return window
}

describe('what one sees of a pool', () => {
  test('is one account, by the first of those that it is made of', () => {
    expect(seenBy(1, aView())).toMatchObject({ upstream_id: 3, upstream_ids: [4, 3], currency: 'EUR', is_owner: false })
  })
  test('says when the next of one’s own comes, to the moment, and how much', () => {
    const { mine } = windowSeenBy(1, aView({ lines: lines(1, 5) }))
    expect(mine).toMatchObject({ share: 5, used: 5, borrowed: 0, next_own: 1 })
    // The first of five, a minute apart, of which the last was an hour ago, leaves the window of five hours.
    expect(mine?.next_own_at).toBe(new Date(NOW - HOUR - 4 * 60_000 + 5 * HOUR).toISOString())
  })
  test('says nothing of the kind while some of one’s own is left', () => {
    expect(windowSeenBy(1, aView({ lines: lines(1, 4) })).mine).toMatchObject({ next_own_at: null, next_own: null })
  })
  test('has what could be borrowed now: what is left, but for what is mine and what is kept for others', () => {
    const settings = { keep: 'nothing' as const }
    expect(windowSeenBy(1, aView({ settings })).mine?.may_borrow).toBe(5)
    expect(windowSeenBy(1, aView({ settings: { keep: 'share' } })).mine?.may_borrow).toBe(0)
    const cautious = [aMember(1, { may_borrow: false }), aMember(2)]
    expect(windowSeenBy(1, aView({ settings, members: cautious })).mine?.may_borrow).toBe(0)
  })
  test('has oneself first, then others by what they used', () => {
    const members = [aMember(2), aMember(3), aMember(1)]
    const { people } = windowSeenBy(1, aView({ members, lines: [...lines(3, 2), ...lines(2, 1)] }))
    expect(people.map(({ user_id, used }) => [user_id, used])).toEqual([
      [1, 0],
      [3, 2],
      [2, 1],
    ])
  })
  test('has the owner, and what is kept for them', () => {
    const settings = { owner_id: 2, reserve_percent: 40, keep: 'nothing' as const }
    const { people } = windowSeenBy(1, aView({ settings }))
    expect(people.map(({ is_owner, share, kept }) => [is_owner, share, kept])).toEqual([
      [false, 3, 0],
      [true, 7, 4],
    ])
    expect(seenBy(2, aView({ settings })).is_owner).toBe(true)
  })
  test('has what was borrowed, and of whose share', () => {
    const borrowed = lines(1, 2, HOUR, { borrowed_key: 'window', lender_id: 2 })
    const { mine, people } = windowSeenBy(1, aView({ lines: [...lines(1, 5, 2 * HOUR), ...borrowed] }))
    expect(mine).toMatchObject({ used: 7, borrowed: 2 })
    expect(people.map(person => [person.borrowed, person.lent])).toEqual([
      [2, 0],
      [0, 2],
    ])
  })
  test('has what was given: all of it until its end, and then what was used of it', () => {
    const gift: Gift = { id: 1, from: 2, to: 1, window_key: 'window', amount: 3_000, used: 1_000, until: NOW + HOUR }
    expect(windowSeenBy(1, aView({ gifts: [gift] })).mine).toMatchObject({ share: 8, received: 3, given: 0 })
    expect(windowSeenBy(2, aView({ gifts: [gift] })).mine).toMatchObject({ share: 2, received: 0, given: 3 })
    const over = { ...gift, until: NOW - 1 }
    expect(windowSeenBy(1, aView({ gifts: [over] })).mine).toMatchObject({ share: 6, received: 1 })
  })
  test('counts money in the currency, and half asks as halves', () => {
    const money = aWindow({ unit: 'money', amount: 20_000_000 })
    expect(windowSeenBy(1, aView({ windows: [money] }))).toMatchObject({ capacity: 20, mine: { share: 10 } })
    const quiet = aView({ lines: lines(1, 1, HOUR, { charged: 500 }) })
    expect(windowSeenBy(1, quiet)).toMatchObject({ used: 1, mine: { used: 0.5 } })
  })
  test('has the numbers of five hundred people, and sums that hold', () => {
    const members = Array.from({ length: 500 }, (_, at) => aMember(at + 1))
    const window = aWindow({ asks: 5_000 })
    const { people, used } = windowSeenBy(7, aView({ windows: [window], members, lines: lines(9, 20) }))
    expect(people).toHaveLength(500)
    expect(people.reduce((sum, person) => sum + person.used, 0)).toBe(used)
    expect(people[0]?.is_me).toBe(true)
  })
})

describe('names', () => {
  test('are first letters where the account shows those, and one’s own in full', () => {
    const members = [aMember(1), aMember(2), aMember(3)]
    const { people } = windowSeenBy(1, aView({ members }, { names: 'initials' }))
    expect(people.map(({ name, user_id }) => [name, user_id])).toEqual([
      ['林小雨', 1],
      ['陈', null],
      ['👩‍👩‍👧', null],
    ])
  })
  test('are none but one’s own where the account shows none; then nobody else’s is read', () => {
    const view = aView({}, { names: 'none' })
    expect(windowSeenBy(1, view).people.map(({ name, user_id }) => [name, user_id])).toEqual([
      ['林小雨', 1],
      [null, null],
    ])
    expect(idsToName(view, 1)).toEqual([1])
    expect(idsToName(aView(), 1)).toEqual([1, 2])
  })
  test('are those of an account, whoever looks after it', () => {
    const { windows } = seenBy(9, aView({}, { names: 'none' }), false)
    expect(windows[0]).toMatchObject({ mine: null, people: [{ name: null }, { name: null }] })
  })
})
