import { describe, expect, test } from 'vitest'
import type { RefusalValues } from '#contract/refusals.ts'
import { enUS } from './en-US.ts'
import { translateWire, translatorOf } from './useTranslate.ts'
import { zhCN } from './zh-CN.ts'

describe('a key of the page', () => {
  test('is its text, filled', () => {
    expect(translatorOf('en-US', enUS)('models.unknown', { code: 'gpt-9' })).toBe('unknown (gpt-9)')
  })
})

describe('a key from the wire', () => {
  test('is its text', () => {
    expect(translateWire('zh-CN', zhCN, 'errors.badCredentials')).toBe('用户名或密码不对')
  })
  test('that is unknown is its own text', () => {
    expect(translateWire('zh-CN', zhCN, 'errors.somethingNew')).toBe('errors.somethingNew')
    expect(translateWire('zh-CN', zhCN, 'constructor')).toBe('constructor')
  })
  test('is more exact when the answer has the values for it', () => {
    expect(translateWire('en-US', enUS, 'errors.askedTooOften', { retry_after_seconds: 40 })).toContain('in 40 seconds')
    expect(translateWire('en-US', enUS, 'errors.askedTooOften', { other: null })).toBe(enUS['errors.askedTooOften'])
  })
  test('says until when in the reader’s zone, with the day where it is another, and that other models may be asked', () => {
    const of429 = (values: RefusalValues, texts: typeof zhCN | typeof enUS = zhCN) =>
      translateWire(texts === zhCN ? 'zh-CN' : 'en-US', texts, 'errors.openai.429', { status: 429, ...values })
    const today = new Date(new Date().setHours(17, 16, 0, 0)).toISOString()
    const other = new Date(2020, 10, 23, 7, 5).toISOString()
    expect(of429({ retry_after_seconds: 21, retry_at: today })).toMatch(
      /^上游的次数或额度已用完（429），21 ?秒后可再问（17:16）$/,
    )
    expect(of429({ retry_after_seconds: 7_200, retry_at: other })).toMatch(/2 ?小时后可再问（11月23日 07:05）$/)
    expect(of429({ retry_after_seconds: 7_200, retry_at: other, of_model: true }, enUS)).toMatch(
      /limit of this model .* in 2 hours, at Nov 23 07:05, or choose another model now$/,
    )
    expect(of429({ retry_after_seconds: 21 })).toMatch(/21 ?秒后可再问，或联系管理员$/)
    expect(of429({ of_model: true })).toBe(zhCN['errors.openai.429'])
  })
})
