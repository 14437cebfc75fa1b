import { expect, test } from 'vitest'
import { isTest, sourcesOf } from './sources.ts'

/**
 * Which takes a candidate by Enter, and in Safari says so by the code of the key alone (web/foundation/shortcuts.ts).
 */
test('whatever acts on Enter leaves it to an input method that composes', () => {
  const acting = sourcesOf('web').filter(source => !isTest(source) && /key [!=]== 'Enter'/.test(source.text))
  expect(acting.length).toBeGreaterThan(3)
  expect(acting.filter(({ text }) => !text.includes('isForInputMethod(')).map(({ path }) => path)).toEqual([])
})
