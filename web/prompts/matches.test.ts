import { describe, expect, test } from 'vitest'
import { aPrompt } from './builders.testing.ts'
import { hitIn, matchingPrompts } from './matches.ts'

const LETTER = aPrompt()
const REPAIR = aPrompt({ id: 2, name: '物业报修信', short_name: '报修', is_shared: true })
const MINUTES = aPrompt({ id: 3, name: 'Minutes (short)', short_name: 'min', is_shared: true })

describe('what is typed after the slash', () => {
  test('finds by name and by short name, one’s own apart from everybody’s', () => {
    expect(matchingPrompts([LETTER, REPAIR, MINUTES], '信')).toEqual({ own: [LETTER], shared: [REPAIR] })
    expect(matchingPrompts([LETTER, REPAIR, MINUTES], 'MIN')).toEqual({ own: [], shared: [MINUTES] })
  })
  test('finds all when it is blank', () => {
    expect(matchingPrompts([LETTER, REPAIR], ' ')).toEqual({ own: [LETTER], shared: [REPAIR] })
  })
  test('finds first what begins with it', () => {
    const other = aPrompt({ id: 4, name: '回信', short_name: '回' })
    expect(matchingPrompts([other, LETTER], '信').own).toEqual([LETTER, other])
  })
  test('finds nothing that is switched off', () => {
    expect(matchingPrompts([{ ...REPAIR, is_active: false }], '').shared).toEqual([])
  })
  test('is text and no pattern', () => {
    expect(matchingPrompts([MINUTES], '(').shared).toEqual([MINUTES])
    expect(matchingPrompts([MINUTES], '.*[').shared).toEqual([])
  })
})

test('a hit is marked where it is', () => {
  expect(hitIn('Minutes (short)', 'SHO')).toEqual(['Minutes (', 'sho', 'rt)'])
  expect(hitIn('İstanbul mektubu', 'mektub')).toEqual(['İstanbul ', 'mektub', 'u'])
  expect(hitIn('信', '')).toBeNull()
  expect(hitIn('信', '书')).toBeNull()
})
