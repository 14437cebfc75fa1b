import { expect, test } from 'vitest'
import { enUS } from '#web/i18n/en-US.ts'
import { msMY } from '#web/i18n/ms-MY.ts'
import { translatorOf } from '#web/i18n/useTranslate.ts'
import { zhCN } from '#web/i18n/zh-CN.ts'
import { agoText } from '#web/foundation/times.ts'

const NOW = new Date(2026, 10, 20, 12, 0, 0)
const before = (milliseconds: number) => new Date(NOW.getTime() - milliseconds)

test.each([
  [0, '刚刚'],
  [59_000, '刚刚'],
  [-90_000, '刚刚'],
  [60_000, '1分钟前'],
  [3_540_000, '59分钟前'],
  [3_600_000, '1小时前'],
  [86_399_000, '23小时前'],
  [86_400_000, '2026年11月19日 12:00'],
])('%i ms ago is %s', (milliseconds, text) => {
  expect(agoText(before(milliseconds), NOW, translatorOf('zh-CN', zhCN), 'zh-CN')).toBe(text)
})

test.each([
  ['en-US', enUS],
  ['ms-MY', msMY],
  ['zh-CN', zhCN],
] as const)('the text is that of the browser in %s', (language, texts) => {
  const inWords = new Intl.RelativeTimeFormat(language)
  const written = [1, 2, 23].map(count => [
    agoText(before(count * 60_000), NOW, translatorOf(language, texts), language),
    agoText(before(count * 3_600_000), NOW, translatorOf(language, texts), language),
  ])
  expect(written).toEqual([1, 2, 23].map(count => [inWords.format(-count, 'minute'), inWords.format(-count, 'hour')]))
})
