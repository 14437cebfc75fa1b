import { describe, expect, test } from 'vitest'
import { barPieces, longestRow, ownLeft, rowPieces } from './bar.ts'
import { aFamily, aMyShare, aPerson, aWindow } from './builders.testing.ts'

const kinds = (pieces: readonly { kind: string; amount: number }[]) => pieces.map(({ kind, amount }) => [kind, amount])

describe('the bar', () => {
  test('has what is used, mine first and others from the largest on, and then what is not', () => {
    const window = aWindow({ used: 35, mine: aMyShare({ used: 6, may_borrow: 4 }), people: aFamily() })
    expect(kinds(barPieces(window))).toEqual([
      ['mine', 6],
      ...[13, 5, 5, 3, 2, 1].map(amount => ['other', amount]),
      ['left', 2],
      ['kept', 9],
      ['free', 4],
    ])
  })
  test('names others where their names are shown, and nobody else', () => {
    const people = [
      aPerson({ is_me: true, name: '林小雨', used: 1 }),
      aPerson({ used: 2 }),
      aPerson({ name: null, used: 1 }),
    ]
    const pieces = barPieces(aWindow({ used: 4, mine: aMyShare({ used: 1 }), people }))
    expect(pieces.map(({ name }) => name)).toEqual([null, '陈建国', null, null, null])
  })
  test('has what I borrowed beside what is mine', () => {
    const window = aWindow({ used: 11, mine: aMyShare({ used: 11, borrowed: 3 }) })
    expect(kinds(barPieces(window))).toEqual([
      ['mine', 8],
      ['borrowed', 3],
      ['free', 39],
    ])
  })
  test('has all that is used, also by those who are no members any more', () => {
    const window = aWindow({ used: 10, mine: null, people: [aPerson({ used: 4 })] })
    expect(kinds(barPieces(window))).toEqual([
      ['other', 4],
      ['other', 6],
      ['free', 40],
    ])
  })
  test('promises no more than the account has left', () => {
    const window = aWindow({ used: 47, mine: aMyShare({ used: 2 }), people: [aPerson({ used: 45, kept: 8 })] })
    expect(kinds(barPieces(window))).toEqual([
      ['mine', 2],
      ['other', 45],
      ['left', 3],
    ])
  })
  test('is as long as what there is, whoever used it', () => {
    for (const used of [0, 17, 49.5, 50])
      for (const own of [0, 3, 8]) {
        const people = [aPerson({ used: used / 2, kept: 5 })]
        const pieces = barPieces(aWindow({ used: Math.max(used, own), mine: aMyShare({ used: own }), people }))
        expect(pieces.reduce((sum, { amount }) => sum + amount, 0)).toBeCloseTo(50)
      }
  })
  test('of five hundred has a piece for each of twelve, and one for all others', () => {
    const people = Array.from({ length: 500 }, (_, at) => aPerson({ user_id: at, used: 1 + at }))
    const window = aWindow({ capacity: 200_000, used: 125_250, mine: null, people })
    const others = barPieces(window).filter(({ kind }) => kind === 'other')
    expect(others).toHaveLength(13)
    expect(others.reduce((sum, { amount }) => sum + amount, 0)).toBe(125_250)
  })
})

describe('what is left of mine', () => {
  test('is not less for what was borrowed', () => {
    expect(ownLeft(aMyShare({ share: 8, used: 9, borrowed: 3 }))).toBe(2)
  })
  test('is nothing for whoever may not ask', () => {
    expect(ownLeft(null)).toBe(0)
  })
})

describe('the row of a person', () => {
  test('has used and kept, and goes on empty to the end of the scale', () => {
    expect(kinds(rowPieces(aPerson({ used: 5, kept: 3 }), 13))).toEqual([
      ['used', 5],
      ['left', 3],
      ['empty', 5],
    ])
  })
  test('has a mark where the share ends, and behind it what was borrowed', () => {
    expect(kinds(rowPieces(aPerson({ used: 13, borrowed: 5 }), 13))).toEqual([
      ['used', 8],
      ['mark', 0],
      ['borrowed', 5],
    ])
  })
  test('has what was lent, and what is free for others', () => {
    expect(kinds(rowPieces(aPerson({ lent: 5, kept: 1 }), 8))).toEqual([
      ['lent', 5],
      ['left', 1],
      ['free', 2],
    ])
  })
  test('has all that is left of mine as mine', () => {
    expect(kinds(rowPieces(aPerson({ is_me: true, used: 6, kept: 0 }), 8))).toEqual([
      ['used', 6],
      ['left', 2],
    ])
  })
  test('is on a scale of the longest row', () => {
    expect(longestRow(aFamily())).toBe(13)
    expect(longestRow([])).toBe(0)
  })
})
