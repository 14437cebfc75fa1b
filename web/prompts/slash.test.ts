import { describe, expect, test } from 'vitest'
import { slashAt } from './slash.ts'

describe('a slash', () => {
  test('at the start of the text or of a line begins what is looked for', () => {
    expect(slashAt('/信', 2)).toEqual({ start: 0, query: '信' })
    expect(slashAt('先\n/信', 4)).toEqual({ start: 2, query: '信' })
    expect(slashAt('／', 1)).toEqual({ start: 0, query: '' })
  })
  test('within a line is a slash', () => {
    expect(slashAt('1/2', 3)).toBeNull()
    expect(slashAt(' /', 2)).toBeNull()
  })
  test('is looked at from the caret alone', () => {
    expect(slashAt('/信\n', 3)).toBeNull()
    expect(slashAt('/信', 0)).toBeNull()
    expect(slashAt('', 0)).toBeNull()
    expect(slashAt('/信封', 2)).toEqual({ start: 0, query: '信' })
  })
  test('of a path or a sentence looks for nothing', () => {
    expect(slashAt(`/${'长'.repeat(60)}`, 61)).toBeNull()
  })
})
