import { describe, expect, test } from 'vitest'
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
})
