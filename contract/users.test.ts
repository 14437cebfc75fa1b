import { describe, expect, test } from 'vitest'
import { Nickname } from './users.ts'

describe('a nickname', () => {
  test.each(['小雨', 'Ann', '👨‍👩‍👧', '👩🏽‍💻 Ann', '❤️‍🔥', '🏳️‍🌈', '👩‍❤️‍💋‍👨'])('may be %s', nickname => {
    expect(Nickname.parse(` ${nickname} `)).toBe(nickname)
  })
  test.each([
    ['nothing', ' '],
    ['a joiner between letters', 'a\u200Db'],
    ['a joiner alone', '\u200D'],
    ['a joiner at the end', '👨\u200D'],
    ['text that turns around', 'x\u202Ey'],
    ['a line break', 'a\nb'],
    ['too much', 'x'.repeat(65)],
  ])('is not %s', (_name, nickname) => {
    expect(Nickname.safeParse(nickname).success).toBe(false)
  })
})
