import { describe, expect, test } from 'vitest'
import { randomFrom } from '#testing/random.ts'
import { thinkTags, withoutThinkTags } from './thinkTags.ts'

/** What is said when the text comes in these pieces. */
function read(pieces: readonly string[]) {
  const tags = thinkTags()
  const all = [...pieces.map(piece => tags.take(piece)), tags.end()]
  return { text: all.map(({ text }) => text).join(''), thoughts: all.map(({ thoughts }) => thoughts).join('') }
}

const CASES: readonly [string, string, string][] = [
  ['<think>\nhm\n</think>\n\n# Hello', '# Hello', '\nhm\n'],
  ['<think>Plan.</think>Hello', 'Hello', 'Plan.'],
  ['\n <Thinking>a < b, </thin, <b></THINKING >\tHello', 'Hello', 'a < b, </thin, <b>'],
  ['<thought>a</thought>Hello', 'Hello', 'a'],
  ['<think>a</think>\n<think>b</think>\nHello', 'Hello', 'ab'],
  ['<think>\n\n</think>\n\nHello', 'Hello', '\n\n'],
  ['<think>never closed', '', 'never closed'],
  ['<think>never closed </thi', '', 'never closed </thi'],
  ['<think foo="bar">a</think>Hello', 'Hello', 'a'],
  ['  indented', '  indented', ''],
  ['<thin', '<thin', ''],
  ['<thinker>is a word</thinker>', '<thinker>is a word</thinker>', ''],
  ['Use <think> for thoughts</think>.', 'Use <think> for thoughts</think>.', ''],
  ['```\n<think>\n```', '```\n<think>\n```', ''],
  ['</think>Hello', '</think>Hello', ''],
  [' \n ', '', ''],
]

describe('thoughts between tags', () => {
  test.each(CASES)('%j', (given, text, thoughts) => {
    expect(withoutThinkTags(given)).toEqual({ text, thoughts })
    expect(read([...given])).toEqual({ text, thoughts })
    for (let cut = 0; cut <= given.length; cut += 1)
      expect(read([given.slice(0, cut), given.slice(cut)])).toEqual({ text, thoughts })
  })

  test('lose no letter of an answer, wherever it is cut', () => {
    const random = randomFrom(11)
    for (let run = 0; run < 500; run += 1) {
      const pieces = Array.from({ length: 1 + random.below(20) }, () =>
        random.of(['<', 'think', '>', '/', 'x', ' ', '\n', '</think>', '<think>', '你']),
      )
      const whole = withoutThinkTags(pieces.join(''))
      expect(read(pieces)).toEqual(whole)
      if (!/^\s*<think[\s>]/.test(pieces.join('')) && pieces.join('').trim() !== '')
        expect(whole.text).toBe(pieces.join(''))
    }
  })

  test('may be many, and end', () => {
    expect(withoutThinkTags(`${'<think>a</think>'.repeat(50_000)}Hello`)).toEqual({
      text: 'Hello',
      thoughts: 'a'.repeat(50_000),
    })
    const tags = thinkTags()
    for (let count = 0; count < 1_000; count += 1) tags.take(' '.repeat(1_000))
    expect(tags.take('x').text.length).toBeLessThan(5_000)
  })
})
