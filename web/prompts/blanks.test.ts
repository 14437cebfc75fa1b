import { describe, expect, test } from 'vitest'
import { blankRanges } from './blankRanges.ts'
import { nextBlank, putIn, withoutBlanks } from './blanks.ts'

describe('a prompt that is put in', () => {
  test('has its blanks, all required unless an administrator says otherwise', () => {
    expect(putIn({ text: '给[谁]写[什么]', blanks: { 什么: { value: '', is_required: false } } })).toEqual({
      text: '给[谁]写[什么]',
      required: ['谁'],
      optional: ['什么'],
    })
  })
  test('has what an administrator filled in as text, which is no pattern and no further blank', () => {
    const blanks = { 地址: { value: '$& [什么]', is_required: true } }
    expect(putIn({ text: '[地址]的[地址]', blanks })).toEqual({
      text: '$& [什么]的$& [什么]',
      required: [],
      optional: [],
    })
  })
  test('leaves names of links alone', () => {
    expect(putIn({ text: '[a](https://a.example)', blanks: {} })).toEqual({
      text: '[a](https://a.example)',
      required: [],
      optional: [],
    })
  })
})

describe('the blanks of a text', () => {
  test('are found in their order, and one that stands twice counts twice', () => {
    expect(blankRanges('[b] [a] [b] [b](x)', ['a', 'b'])).toEqual([
      [0, 3],
      [4, 7],
      [8, 11],
    ])
  })
  test('that need not be filled in are left out of what is sent', () => {
    expect(withoutBlanks('坏了[几天]。', ['几天'])).toBe('坏了。')
  })
})

describe('Tab', () => {
  const ranges = blankRanges('[a]--[b]', ['a', 'b'])
  test('goes to the next blank, and with Shift to the one before', () => {
    expect(nextBlank(ranges, [0, 3], false)).toEqual([5, 8])
    expect(nextBlank(ranges, [5, 8], true)).toEqual([0, 3])
    expect(nextBlank(ranges, [4, 4], false)).toEqual([5, 8])
  })
  test('begins again from the text behind the last one', () => {
    expect(nextBlank(ranges, [8, 8], false)).toEqual([0, 3])
    expect(nextBlank(ranges, [0, 0], true)).toEqual([5, 8])
  })
  test('leaves the field at the last one, and where there is none', () => {
    expect(nextBlank(ranges, [5, 8], false)).toBeNull()
    expect(nextBlank(ranges, [0, 3], true)).toBeNull()
    expect(nextBlank([], [0, 0], false)).toBeNull()
  })
})
