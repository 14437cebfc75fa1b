import { describe, expect, test } from 'vitest'
import { beginningOf, headline, lastOf, shortened } from './cutText.ts'

/** What a reader takes for one character, though it is several for a computer. */
const CHARACTERS = [
  '👍🏽',
  '👨‍👩‍👧‍👦',
  '🇲🇾',
  '🏴󠁧󠁢󠁷󠁬󠁳󠁿',
  'e\u0301',
  '1️⃣',
  '한'.normalize('NFD'),
  'நி',
  'क्षि',
  'กำ',
  '葛\u{E0100}',
  '❤️‍🔥',
  '\r\n',
]

describe('a text that is cut', () => {
  test.each(CHARACTERS)('ends before or behind %j, never within', character => {
    const text = `ab${character}cd`
    const whole = ['', 'a', 'ab', `ab${character}`, `ab${character}c`, text]
    for (let most = 0; most <= text.length; most++) {
      expect(whole).toContain(beginningOf(text, most))
      expect(beginningOf(text, most).length).toBeLessThanOrEqual(most)
      expect(text.slice(0, text.length - lastOf(text, most).length)).toBeOneOf([...whole, `ab${character}cd`])
    }
  })

  test('has as much as there is room for', () => {
    expect(beginningOf('x'.repeat(1000), 700)).toBe('x'.repeat(700))
    expect(lastOf(`${'x'.repeat(1000)}👍🏽`, 4)).toBe('👍🏽')
    expect(lastOf(`${'x'.repeat(1000)}👍🏽`, 3)).toBe('')
    expect(beginningOf('👨‍👩‍👧‍👦'.repeat(200), 1000)).toBe('👨‍👩‍👧‍👦'.repeat(90))
  })

  test('is cut within a character only where that has no end', () => {
    const heap = `e${'\u0301'.repeat(2000)}`
    expect(beginningOf(heap, 200)).toHaveLength(200)
    expect(lastOf(heap, 200)).toHaveLength(200)
    const emoji = `😀${'\u200D😀'.repeat(600)}`
    for (const most of [900, 901, 902]) expect(beginningOf(emoji, most).isWellFormed()).toBe(true)
  })

  test('has an ellipsis in place of what is left out', () => {
    expect(shortened('one two', 7)).toBe('one two')
    expect(shortened('one two!', 5)).toBe('one…')
    expect(shortened('ab👨‍👩‍👧‍👦cd', 8)).toBe('ab…')
    expect(headline('𠮷'.repeat(60), 60)).toBe('𠮷'.repeat(60))
    expect(headline('𠮷'.repeat(61), 60)).toBe(`${'𠮷'.repeat(59)}…`)
    expect(headline('👨‍👩‍👧‍👦'.repeat(20), 60)).toBe(`${'👨‍👩‍👧‍👦'.repeat(8)}…`)
  })
})
