import { describe, expect, test } from 'vitest'
import { Pages, pagesIn, rangesIn, textOfPages } from './pages.ts'

describe('pages', () => {
  test.each([
    ['3', [3]],
    ['1-3', [1, 2, 3]],
    ['1-3, 7', [1, 2, 3, 7]],
    ['7，2 – 3、3', [2, 3, 7]],
    ['4-99', [4, 5, 6, 7, 8, 9]],
    ['20', []],
  ])('%s are those of nine that there are', (text, numbers) => {
    expect(pagesIn(text, 9)).toEqual(numbers)
    expect(Pages.safeParse(text).success).toBe(true)
  })
  test.each(['', ' ', '0', '0-3', '3-1', '-3', '1-', '1-2-3', 'a', '1.5', '1e3', '1,,2', '5001', '1-99999', '１'])(
    '%j are none',
    text => {
      expect(rangesIn(text)).toBe(null)
      expect(Pages.safeParse(text).success).toBe(false)
    },
  )
  test('that are not named are all', () => {
    expect([pagesIn(null, 3), pagesIn(undefined, 2), pagesIn(null, 0)]).toEqual([[1, 2, 3], [1, 2], []])
  })
  test('are written with ranges, each once', () => {
    expect(textOfPages([3, 1, 2, 7, 7, 9, 10])).toBe('1-3, 7, 9-10')
    expect(textOfPages([])).toBe('')
  })
  test('are bounded, however they are written', () => {
    expect(rangesIn('1,'.repeat(10_000) + '1')).toBe(null)
  })
})
