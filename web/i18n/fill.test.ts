import { describe, expect, test } from 'vitest'
import { LANGUAGES } from '#contract/preferences.ts'
import { fill, fillAround, formatBytes, formatSpan, slotsOf } from './fill.ts'

const SECONDS_OF_UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

describe('a slot', () => {
  test('takes its value', () => {
    expect(fill('{used} / {allowed}', { used: 3, allowed: 50 }, 'en-US')).toBe('3 / 50')
  })
  test('without a value stays, so that the mistake can be seen', () => {
    expect(fill('in {minutes}', {}, 'en-US')).toBe('in {minutes}')
  })
  test('groups the digits of a number as the language does', () => {
    expect(fill('{count}', { count: 12_345 }, 'en-US')).toBe('12,345')
    expect([0, 999, 1000, 2.5].map(count => fill('{rate}', { rate: count }, 'ms-MY'))).toEqual([
      '0',
      '999',
      '1,000',
      '2.5',
    ])
  })
  test('counts halves with their sign, and names half a thing as one', () => {
    const asks = (count: number) => fill('{count} {count|ask|asks}', { count }, 'en-US')
    expect([0.5, 1, 1.5, 1_035.5].map(asks)).toEqual(['½ ask', '1 ask', '1½ asks', '1,035½ asks'])
    expect(fill('{rate}', { rate: 0.5 }, 'en-US')).toBe('0.5')
  })
  test('leaves a text as it is, braces and dollars included', () => {
    expect(fill('{name}', { name: '{count} $&' }, 'en-US')).toBe('{count} $&')
  })
  test('can be a word that depends on a number', () => {
    const text = '{count} {count|question|questions}'
    expect(fill(text, { count: 1 }, 'en-US')).toBe('1 question')
    expect(fill(text, { count: 0 }, 'en-US')).toBe('0 questions')
    expect(slotsOf(text)).toEqual(['count'])
  })
})

describe('a text around a slot', () => {
  test('has its value apart, even when another one looks alike', () => {
    expect(fillAround('{hours} 小时内问了 {count} 次', 'count', { hours: 3, count: 3 }, 'zh-CN')).toEqual([
      '3 小时内问了 ',
      '3',
      ' 次',
    ])
    expect(fillAround('{count} {count|question|questions}', 'count', { count: 1 }, 'en-US')).toEqual([
      '',
      '1',
      ' question',
    ])
  })
})

describe('a span of time', () => {
  test.each(LANGUAGES)('is written in %s as usual in that language', language => {
    const unitDisplay = language === 'zh-CN' ? 'short' : 'long'
    const formatted = SECONDS_OF_UNITS.flatMap(([unit, size]) =>
      [1, 3].map(count => [formatSpan(count * size, language), unit, count] as const),
    )
    expect(formatted.map(([text]) => text)).toEqual(
      formatted.map(([, unit, count]) =>
        new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay }).format(count),
      ),
    )
  })
  test('is told in the unit that fits', () => {
    expect([1, 40, 60, 119, 3600, 7200, 86_400].map(seconds => formatSpan(seconds, 'en-US'))).toEqual([
      '1 second',
      '40 seconds',
      '1 minute',
      '2 minutes',
      '1 hour',
      '2 hours',
      '1 day',
    ])
  })
  test('is rounded up, so that nobody returns too early', () => {
    expect(formatSpan(61, 'zh-CN')).toBe('2分钟')
  })
  test('that is an estimate is written in seconds below two minutes', () => {
    expect([80, 110, 120].map(estimate_seconds => fill('{estimate_seconds}', { estimate_seconds }, 'zh-CN'))).toEqual([
      '80秒',
      '110秒',
      '2分钟',
    ])
  })
})

describe('a size', () => {
  test('is told in the unit that fits', () => {
    expect([1, 512, 1536, 104_857_600].map(bytes => formatBytes(bytes, 'en-US'))).toEqual([
      '1 byte',
      '512 bytes',
      '1.5 kB',
      '100 MB',
    ])
  })
})
