import { describe, expect, test } from 'vitest'
import { placesOf } from './searchWords.ts'

const marked = (text: string, words: string) => placesOf(text, words).map(([start, end]) => text.slice(start, end))

describe('the places of words in a text', () => {
  test('are all of them, Chinese included', () => {
    expect(marked('热泵四年回本，热泵好', '热泵')).toEqual(['热泵', '热泵'])
    expect(marked('the heat pump and the heater', 'heat pump')).toEqual(['heat', 'pump', 'heat'])
  })
  test('do not depend on case and width', () => {
    expect(marked('ＨＥＬＰ İstanbul Help', 'help')).toEqual(['ＨＥＬＰ', 'Help'])
  })
  test('that touch are one', () => {
    expect(placesOf('abcd', 'ab bc cd')).toEqual([[0, 4]])
  })
  test('take signs for what they are', () => {
    expect(marked('a.*b (c', '.* (')).toEqual(['.*', '('])
  })
  test('are none for words that are not there, and for no words', () => {
    expect([placesOf('text', 'other'), placesOf('text', ' '), placesOf('', 'x')]).toEqual([[], [], []])
  })
})
