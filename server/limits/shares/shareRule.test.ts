import { describe, expect, test } from 'vitest'
import { aLine, aMember, anAsk, aPool, aWindow, DAY, HOUR, lines, NOW, whoAsks } from './pool.testing.ts'
import { firstComeVerdict, memberShares, nextOwn, poolShares, shareVerdict } from './shareRule.ts'

const OWN = { may: true, borrowed: false, lender_id: null, window_key: null }
const sharesOf = (...given: Parameters<typeof aPool>) =>
  memberShares(aPool(...given), 'window').map(({ share }) => share / 1000)

describe('a share', () => {
  test('is an equal part of what the account has', () => {
    expect(sharesOf()).toEqual([5, 5])
  })
  test('is larger by the weight of the person', () => {
    expect(sharesOf({ members: [aMember(1, { weight: 4 }), aMember(2)] })).toEqual([8, 2])
  })
  test('is nothing at a weight of 0', () => {
    expect(sharesOf({ members: [aMember(1, { weight: 0 }), aMember(2, { weight: 1000 })] })).toEqual([0, 10])
  })
  test('is everything for one person alone', () => {
    expect(sharesOf({ members: [aMember(1)] })).toEqual([10])
  })
  test('is of those who asked in the last fourteen days, and of whoever asks now', () => {
    const members = [aMember(1), aMember(2, { asked_at: NOW - 14 * DAY }), aMember(3, { asked_at: null })]
    expect(sharesOf({ members })).toEqual([10])
    expect(sharesOf({ members, running: [aLine(3, 0)] })).toEqual([5, 5])
    expect(shareVerdict(aPool({ members, lines: lines(1, 5) }), anAsk(3))).toEqual(OWN)
  })
  test('never adds up to more than there is', () => {
    const members = [aMember(1), aMember(2), aMember(3)]
    expect(sharesOf({ members })).toEqual([3.333, 3.333, 3.333])
  })
  test('is parted from what the owner has not reserved, in whole asks', () => {
    const settings = { owner_id: 1, reserve_percent: 15 }
    expect(sharesOf({ settings })).toEqual([6, 4])
  })
})

describe('an ask within one’s share', () => {
  test('is answered while the account has something', () => {
    expect(shareVerdict(aPool({ lines: [...lines(1, 4), ...lines(2, 5)] }), anAsk(1))).toEqual(OWN)
  })
  test('is refused only when the account has nothing, and then has a claim', () => {
    const verdict = shareVerdict(aPool({ lines: lines(2, 10) }), anAsk(1))
    expect(verdict).toMatchObject({ may: false, reason: 'empty', within_share: true })
  })
  test('may be asked again as soon as the oldest ask has left the window', () => {
    const verdict = shareVerdict(aPool({ lines: lines(2, 10, HOUR) }), anAsk(1))
    expect(verdict).toMatchObject({ opens_at: NOW - HOUR - 9 * 60_000 + 5 * HOUR })
  })
})

describe('borrowing', () => {
  test('is of what nobody uses or keeps', () => {
    const facts = aPool({ lines: lines(1, 5), settings: { keep: 'nothing' } })
    expect(shareVerdict(facts, anAsk(1))).toEqual({ may: true, borrowed: true, lender_id: 2, window_key: 'window' })
  })
  test('ends at what is kept for others', () => {
    const verdict = shareVerdict(aPool({ lines: lines(1, 5) }), anAsk(1))
    expect(verdict).toMatchObject({ may: false, reason: 'kept', window_key: 'window', within_share: false })
  })
  test('is of whoever has most that is unused and not lent yet', () => {
    const members = [aMember(1), aMember(2), aMember(3, { weight: 2 })]
    const settings = { keep: 'nothing' as const }
    const lender = (...given: ReturnType<typeof lines>) =>
      shareVerdict(aPool({ windows: [aWindow({ asks: 20 })], members, settings, lines: given }), anAsk(1))
    expect(lender(...lines(1, 5))).toMatchObject({ lender_id: 3 })
    const lent = lines(1, 6, HOUR, { borrowed_key: 'window', lender_id: 3 })
    expect(lender(...lines(1, 5, 2 * HOUR), ...lent)).toMatchObject({ lender_id: 2 })
  })
  test('is of nobody where everybody has used their share', () => {
    const windows = [aWindow({ asks: 11 })]
    const members = [aMember(1), aMember(2, { weight: 0 })]
    expect(shareVerdict(aPool({ windows, members }), anAsk(2))).toMatchObject({ may: false, reason: 'kept' })
    const asleep = [aMember(1, { weight: 0 }), aMember(2, { weight: 0 })]
    expect(shareVerdict(aPool({ windows, members: asleep }), anAsk(2))).toMatchObject({ may: true, lender_id: 0 })
  })
  test('is refused to whoever may not', () => {
    const members = [aMember(1, { may_borrow: false }), aMember(2)]
    const facts = aPool({ members, lines: lines(1, 5), settings: { keep: 'nothing' } })
    const opens_at = NOW - HOUR - 4 * 60_000 + 5 * HOUR
    expect(shareVerdict(facts, anAsk(1))).toMatchObject({ may: false, reason: 'no_borrowing', opens_at })
  })
  test('opens when somebody who is asleep has no share any more', () => {
    const members = [aMember(1), aMember(2, { asked_at: NOW - 14 * DAY + HOUR })]
    expect(shareVerdict(aPool({ members, lines: lines(1, 5) }), anAsk(1))).toMatchObject({ opens_at: NOW + HOUR })
  })
})

describe('what is kept for somebody', () => {
  const keptOf = (...given: Parameters<typeof aPool>) => memberShares(aPool(...given), 'window')[1]?.kept
  const day = [aWindow({ window: { kind: 'day' } })]
  test('is all that is left of their share, or nothing, by the setting of the account', () => {
    expect(keptOf({ lines: lines(2, 2) })).toBe(3000)
    expect(keptOf({ lines: lines(2, 2), settings: { keep: 'nothing' } })).toBe(0)
  })
  test('is what they usually use until the window ends, and of the rest the part of the window that is to come', () => {
    const members = [aMember(1), aMember(2, { usual: whoAsks(2, NOW + HOUR, day) })]
    const settings = { keep: 'usual' as const }
    expect(keptOf({ windows: day, members, settings })).toBe(3800)
    expect(keptOf({ windows: day, members, settings, now: NOW + 4 * HOUR })).toBe(2250)
    expect(keptOf({ windows: day, members, settings, now: NOW + 16 * HOUR - 1 })).toBe(1)
  })
  test('is whole asks', () => {
    const members = [aMember(1), aMember(2), aMember(3)]
    expect(keptOf({ members })).toBe(3000)
  })
  test('is nothing of less than an ask: nobody waits for what nobody can use', () => {
    const members = [1, 2, 3, 4, 5].map(user_id => aMember(user_id))
    const facts = aPool({ windows: [aWindow({ asks: 3 })], members })
    expect(shareVerdict(facts, anAsk(1))).toMatchObject({ may: true, borrowed: true })
  })
  test('is one ask at least for whoever found the account empty', () => {
    const claims = new Map([[2, { time: NOW - HOUR, need: anAsk(2).need }]])
    expect(keptOf({ claims, settings: { keep: 'nothing' } })).toBe(1000)
    expect(keptOf({ claims, settings: { keep: 'nothing' }, now: NOW + 23 * HOUR })).toBe(0)
  })
  test('is the reserve of the owner, awake or asleep', () => {
    const settings = { owner_id: 3, reserve_percent: 50, keep: 'nothing' as const }
    const verdict = shareVerdict(aPool({ settings, lines: lines(1, 5) }), anAsk(1))
    expect(verdict).toMatchObject({ may: false, reason: 'kept' })
  })
})

describe('several windows', () => {
  const windows = [aWindow(), aWindow({ key: 'week', asks: 8, window: { kind: 'rolling', seconds: 604_800 } })]
  test('must all allow it, and the one that stays closed longest is named', () => {
    const verdict = shareVerdict(aPool({ windows, lines: lines(2, 8, 2 * HOUR) }), anAsk(1))
    const opens_at = NOW - 2 * HOUR - 7 * 60_000 + 7 * DAY
    expect(verdict).toMatchObject({ may: false, reason: 'empty', window_key: 'week', opens_at })
  })
  test('of other models do not matter', () => {
    const other = [aWindow({ key: 'other', asks: 0, models: ['gpt_5'] }), aWindow()]
    expect(shareVerdict(aPool({ windows: other }), anAsk(1))).toEqual(OWN)
    expect(shareVerdict(aPool({ windows: other }), anAsk(1, { model: 'gpt_5' }))).toMatchObject({ opens_at: null })
  })
  test('in tokens count what an ask may use', () => {
    const tokens = [aWindow({ unit: 'tokens', amount: 10_000 })]
    const need = { asks: 1000, tokens: 6_000, money: 0 }
    const facts = aPool({ windows: tokens, settings: { keep: 'nothing' }, lines: [aLine(2, HOUR, { tokens: 3_000 })] })
    expect(shareVerdict(facts, anAsk(1, { need }))).toMatchObject({ may: true, borrowed: true })
    expect(shareVerdict(facts, anAsk(1, { need: { ...need, tokens: 8_000 } }))).toMatchObject({ reason: 'empty' })
    expect(shareVerdict(facts, anAsk(1, { need: { ...need, tokens: 10_001 } }))).toMatchObject({ opens_at: null })
  })
})

describe('an ask when it is quiet', () => {
  const quiet = { quiet: true, charged: 500 }
  test('has only what nobody keeps, also within one’s share, and makes no claim', () => {
    expect(shareVerdict(aPool({ lines: lines(1, 4) }), anAsk(1, quiet))).toEqual(OWN)
    const verdict = shareVerdict(aPool({ lines: lines(1, 7, HOUR, { charged: 500 }) }), anAsk(1, quiet))
    expect(verdict).toMatchObject({ may: false, reason: 'kept', within_share: false })
  })
  test('costs the account one and its person half', () => {
    const shares = poolShares(aPool({ lines: lines(1, 4, HOUR, { charged: 500 }) }), 'window')
    expect(shares).toMatchObject({ used: 4000, nobody: 2000, members: [{ used: 2000 }, { used: 0 }] })
  })
})

describe('a gift', () => {
  const gift = { id: 1, from: 1, to: 2, window_key: 'window', amount: 2000, until: NOW + HOUR, used: 500 }
  test('moves a part of a share to somebody until a moment, and what was used of it for good', () => {
    expect(sharesOf({ gifts: [gift] })).toEqual([3, 7])
    expect(sharesOf({ gifts: [gift], now: NOW + HOUR })).toEqual([4.5, 5.5])
  })
  test('is never more than the giver has', () => {
    expect(sharesOf({ gifts: [{ ...gift, amount: 6000 }, gift] })).toEqual([0, 10])
  })
  test('of the reserve is the owner’s to give also while they are asleep, and the rest stays theirs', () => {
    const settings = { owner_id: 1, reserve_percent: 40 }
    const members = [aMember(1, { asked_at: null }), aMember(2), aMember(3)]
    const gifts = [{ ...gift, used: 0 }]
    expect(sharesOf({ settings, members })).toEqual([3, 3])
    expect(sharesOf({ settings, members, gifts })).toEqual([5, 3])
    const kept = { settings, members, gifts, lines: [...lines(2, 5), ...lines(3, 3)] }
    expect(shareVerdict(aPool(kept), anAsk(3))).toMatchObject({ may: false, reason: 'kept' })
  })
  test('of everybody is taken before shares are parted', () => {
    expect(sharesOf({ gifts: [{ ...gift, from: 0 }] })).toEqual([4, 6])
    expect(sharesOf({ gifts: [{ ...gift, from: 0 }], now: NOW + HOUR })).toEqual([4.75, 5.25])
  })
  test('to oneself, or of somebody who is not there, is none', () => {
    expect(
      sharesOf({
        gifts: [
          { ...gift, to: 1 },
          { ...gift, from: 9 },
        ],
      }),
    ).toEqual([5, 5])
  })
})

describe('first come, first served', () => {
  test('asks only whether the account has enough', () => {
    expect(firstComeVerdict(aPool({ lines: lines(1, 9) }), anAsk(1))).toEqual(OWN)
    const opens_at = NOW + 4 * HOUR - 9 * 60_000
    expect(firstComeVerdict(aPool({ lines: lines(1, 10) }), anAsk(2))).toMatchObject({ reason: 'empty', opens_at })
  })
})

describe('the next of one’s own', () => {
  test('comes when one’s own use leaves the window', () => {
    const facts = aPool({ lines: lines(1, 6) })
    expect(nextOwn(facts, 'window', 1)).toEqual({ at: NOW + 4 * HOUR - 4 * 60_000, amount: 1000 })
    expect(nextOwn(facts, 'window', 2)).toBe(null)
  })
})

test('what one could borrow is what nobody uses or keeps', () => {
  const shares = memberShares(aPool({ lines: lines(1, 5), settings: { keep: 'nothing' } }), 'window')
  expect(shares.map(({ may_borrow }) => may_borrow)).toEqual([5000, 0])
  expect(memberShares(aPool(), 'nothing of the kind')).toEqual([])
})
