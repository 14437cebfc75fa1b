import { describe, expect, test } from 'vitest'
import { chosenPages } from './PageRange.tsx'

describe('typed pages', () => {
  test('are those of the document, written once', () => {
    expect(chosenPages('3, 1-2，9', 24)).toBe('1-3, 9')
  })
  test('are all of them when nothing is typed, or every one', () => {
    expect([chosenPages(' ', 24), chosenPages('1–24', 24)]).toEqual([null, null])
  })
  test.each(['0', '25', '3-2', 'a', '1-', '1.5'])('are none as %s', text => {
    expect(chosenPages(text, 24)).toBe(undefined)
  })
})
