import { describe, expect, test } from 'vitest'
import type { LogLines } from '#contract/logFiles.ts'
import { joined } from './useFollowedLog.ts'
import { wordsIn, wordsText } from './LogFilters.tsx'

function answer(texts: readonly string[], more: Partial<LogLines> = {}): LogLines {
  const lines = texts.map(text => ({ time: null, level: null, text, rest: '', request: null, is_cut: false }))
  return { machine: 'north', process: null, lines, cursor: '1.2.3', has_more: false, searched_bytes: null, ...more }
}

describe('the lines of a log that is followed', () => {
  test('are those of before and the new ones, as many as are shown, each with a key of its own', () => {
    const first = joined(undefined, answer(['a', 'b']), 3)
    expect(first.hasEarlier).toBe(false)
    const second = joined(first, answer(['c', 'd']), 3)
    expect(second.lines.map(({ text, key }) => [text, key])).toEqual([
      ['b', 1],
      ['c', 2],
      ['d', 3],
    ])
    expect(second.hasEarlier).toBe(true)
  })

  test('say where some are missing, and that there are earlier ones', () => {
    const first = joined(undefined, answer(['a'], { has_more: true }), 9)
    expect(first).toMatchObject({ hasEarlier: true, lines: [{ isAfterGap: false }] })
    const { lines } = joined(first, answer(['x', 'y'], { has_more: true }), 9)
    expect(lines.map(({ isAfterGap }) => isAfterGap)).toEqual([false, true, false])
    const searched = joined(undefined, answer([], { searched_bytes: 7 }), 9)
    expect(joined(searched, answer(['b']), 9).searched_bytes).toBe(7)
  })
})

describe('words that are left out', () => {
  test('are the usual ones until somebody says otherwise, and none when somebody removes them', () => {
    expect(wordsIn(undefined)).toEqual(['/status', '/logs'])
    expect(wordsIn(wordsText([]))).toEqual([])
    expect(wordsIn(wordsText(['/a', 'b c']))).toEqual(['/a', 'b c'])
    expect(wordsIn(' a ,,a,-, b')).toEqual(['a', 'b'])
  })
})
