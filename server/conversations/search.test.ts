import { describe, expect, test } from 'vitest'
import { excerpt } from './search.ts'

describe('an excerpt', () => {
  test('is the whole of a short text, on one line', () => {
    expect(excerpt('one\n\ntwo', 'two')).toBe('one two')
  })
  test('has none of the marks that only lay out a text', () => {
    expect(excerpt('## A `title`\n\n**four** __years__ # of\n```python\nx\n```', 'four')).toBe(
      'A title four years # of x',
    )
  })
  test('shows some words around the first hit', () => {
    const text = `${'a '.repeat(100)}needle ${'b '.repeat(100)}`
    const shown = excerpt(text, 'needle')
    expect(shown).toContain('needle')
    expect(shown.startsWith('…')).toBe(true)
    expect(shown.endsWith('…')).toBe(true)
    expect(shown.length).toBeLessThan(140)
  })
  test('finds the first hit of a long text', () => {
    expect(excerpt(`${'a '.repeat(30_000)}kubectl`, 'kube')).toMatch(/^….*kubectl$/)
  })
  test('shows where a word begins, not where another one holds it', () => {
    expect(excerpt(`party ${'b '.repeat(100)}art`, 'art')).toMatch(/art$/)
  })
  test('begins at the beginning when no word stands there as it was looked for', () => {
    expect(excerpt(`${'a '.repeat(100)}`, 'b').startsWith('a a')).toBe(true)
  })
  test('finds the place whatever the width of its letters', () => {
    expect(excerpt(`${'a '.repeat(100)}Ｈｅｌｌｏ`, 'hello')).toContain('Ｈｅｌｌｏ')
  })
  test('holds no half of a character', () => {
    for (let length = 0; length < 8; length++)
      expect(excerpt(`${'x'.repeat(length)}${'👩‍🚀'.repeat(60)}needle${'👩‍🚀'.repeat(60)}`, 'needle').isWellFormed()).toBe(
        true,
      )
  })
})
