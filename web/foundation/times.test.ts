import { describe, expect, test } from 'vitest'
import { relativeTime } from './times.ts'

const NOW = new Date('2026-11-20T12:00:00Z')
const before = (seconds: number) => new Date(NOW.getTime() - seconds * 1000)

describe('a relative time', () => {
  test('within the same minute is none: each language has a word for it', () => {
    expect(relativeTime(before(59), NOW, 'zh-CN')).toBe(null)
  })
  test('is told in the largest unit that fits', () => {
    expect(relativeTime(before(180), NOW, 'zh-CN')).toBe('3分钟前')
    expect(relativeTime(before(7300), NOW, 'en-US')).toBe('2 hours ago')
    expect(relativeTime(before(86_400), NOW, 'en-US')).toBe('yesterday')
  })
  test('may lie ahead', () => {
    expect(relativeTime(before(-7200), NOW, 'en-US')).toBe('in 2 hours')
  })
})
