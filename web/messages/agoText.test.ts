import { expect, test } from 'vitest'
import { agoText } from './agoText.ts'

const NOW = new Date(2026, 10, 20, 12, 0, 0)
const before = (milliseconds: number) => agoText(new Date(NOW.getTime() - milliseconds), NOW, 'zh-CN', '刚刚')

test.each([
  [0, '刚刚'], [59_000, '刚刚'], [-90_000, '刚刚'], [60_000, '1分钟前'], [3_540_000, '59分钟前'], [3_600_000, '1小时前'], [86_399_000, '23小时前'],
  [86_400_000, '2026年11月19日 12:00'],
])('%i ms ago is %s', (milliseconds, text) => {
  expect(before(milliseconds)).toBe(text)
})
