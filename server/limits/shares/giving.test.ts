import { describe, expect, test } from 'vitest'
import { givenSince, longestWindow, takenOfGifts } from './giving.ts'
import { aMember, anAsk, aPool, aWindow, DAY, HOUR, lines, NOW } from './pool.testing.ts'
import { shareVerdict } from './shareRule.ts'

const gift = { id: 1, from: 1, to: 2, window_key: 'window', amount: 2000, until: NOW + HOUR, used: 0 }

type PoolOptions = Parameters<typeof aPool>[0]

const taken = (given: PoolOptions, ask = anAsk(2), reserved = ask.need) => {
  const facts = aPool(given)
  return takenOfGifts(facts, ask, shareVerdict(facts, ask), reserved)
}

describe('the window that is given of', () => {
  test('is the longest of all models', () => {
    const windows = [
      aWindow({ key: 'month of one', window: { kind: 'month' }, models: ['gpt_4'] }),
      aWindow({ key: 'hours' }),
      aWindow({ key: 'week', window: { kind: 'week' } }),
      aWindow({ key: 'day', window: { kind: 'day' } }),
    ]
    expect(longestWindow({ windows })?.key).toBe('week')
    expect(longestWindow({ windows: windows.slice(0, 1) })?.key).toBe('month of one')
    expect(longestWindow({ windows: [] })).toBe(null)
  })

  test('began with the week, or its length ago where it rolls', () => {
    const { settings } = aPool({ windows: [aWindow({ window: { kind: 'week' } })] })
    expect(givenSince(settings, NOW)).toBe(NOW - 8 * HOUR)
    expect(givenSince(aPool().settings, NOW)).toBe(NOW - 5 * HOUR + 1)
    const fromFirst = [aWindow({ window: { kind: 'from_first', seconds: 86_400 } })]
    expect(givenSince(aPool({ windows: fromFirst }).settings, NOW)).toBe(NOW - DAY)
  })
})

describe('an ask', () => {
  test('takes nothing of a gift while some of one’s own is left', () => {
    expect(taken({ gifts: [gift], lines: lines(2, 4) })).toBe(null)
    expect(taken({ gifts: [gift], lines: lines(2, 9) }, anAsk(1))).toBe(null)
  })
  test('takes of the gift before it borrows', () => {
    expect(taken({ gifts: [gift], lines: lines(2, 5) })).toEqual({
      ...{ unit: 'asks', reserved: 1000, taken: [{ gift_id: 1, amount: 1000 }] },
    })
    const facts = aPool({ gifts: [{ ...gift, used: 2000 }], lines: lines(2, 7), settings: { keep: 'nothing' } })
    const verdict = shareVerdict(facts, anAsk(2))
    expect(verdict).toMatchObject({ may: true, borrowed: true })
    expect(takenOfGifts(facts, anAsk(2), verdict, anAsk(2).need)).toBe(null)
  })
  test('takes the rest of one and what is missing of the next, the first to end first', () => {
    const gifts = [
      { ...gift, id: 2, until: NOW + 2 * HOUR },
      { ...gift, used: 1400 },
    ]
    const used = [...lines(2, 6), ...lines(2, 1, HOUR, { charged: 400 })]
    expect(taken({ gifts, lines: used })?.taken).toEqual([
      { gift_id: 1, amount: 600 },
      { gift_id: 2, amount: 400 },
    ])
  })
  test('takes what it reserves beyond one’s own, and what is borrowed as well is given back before it', () => {
    const windows = [aWindow({ unit: 'tokens' })]
    const [need, reserved] = [
      { asks: 1000, tokens: 300, money: 0 },
      { asks: 1000, tokens: 9000, money: 0 },
    ]
    const used = lines(2, 1, HOUR, { tokens: 4000 })
    expect(taken({ windows, gifts: [gift], lines: used }, anAsk(2, { need }), reserved)).toEqual({
      ...{ unit: 'tokens', reserved: 3000, taken: [{ gift_id: 1, amount: 2000 }] },
    })
    const ofOneModel = [aWindow({ models: ['another'] })]
    expect(taken({ windows: ofOneModel, gifts: [gift] }, anAsk(2, { need }), reserved)).toBe(null)
  })
  test('for half takes half', () => {
    expect(taken({ gifts: [gift], lines: lines(2, 5) }, anAsk(2, { charged: 500 }))).toMatchObject({
      ...{ reserved: 500, taken: [{ amount: 500 }] },
    })
  })
  test('takes nothing of a gift that is over, or of somebody else’s', () => {
    const used = lines(2, 5)
    expect(taken({ gifts: [{ ...gift, until: NOW }], lines: used, settings: { keep: 'nothing' } })).toBe(null)
    const members = [aMember(1), aMember(2), aMember(3)]
    expect(taken({ gifts: [{ ...gift, to: 3 }], lines: used, members, settings: { keep: 'nothing' } })).toBe(null)
  })
})
