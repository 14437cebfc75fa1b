import { describe, expect, test } from 'vitest'
import { login, readMe } from '#contract/users.ts'
import { listConversations, renameConversation } from '#contract/conversations.ts'
import { addressOf, RefusedCall } from './call.ts'

describe('the address of a call', () => {
  test('is under /api', () => {
    expect(addressOf(readMe, {})).toBe('/api/user/me')
    expect(addressOf(login, {})).toBe('/api/auth/login')
  })
  test('has its parameters and its query, encoded', () => {
    expect(addressOf(renameConversation, { params: { id: 'a/b' }, query: { title: '热水器 & 账单' } })).toBe(
      '/api/conv/a%2Fb?title=%E7%83%AD%E6%B0%B4%E5%99%A8+%26+%E8%B4%A6%E5%8D%95',
    )
  })
  test('leaves out missing values', () => {
    expect(addressOf(listConversations, { query: { nothing: undefined } })).toBe('/api/conv')
  })
})

describe('a refused call', () => {
  test('knows its refusal and the values of its text', () => {
    const refused = new RefusedCall({
      code: -1,
      message: 'errors.askedTooOften',
      result: 'retry_after_seconds: 40',
      values: { retry_after_seconds: 40 },
    })
    expect(refused.key).toBe('askedTooOften')
    expect(refused.values).toEqual({ retry_after_seconds: 40 })
    expect(refused.detail).toEqual([])
  })
  test('lists what was wrong with the request', () => {
    const detail = [{ loc: ['body', 'password'], msg: 'invalidPassword', type: 'string' }]
    expect(
      new RefusedCall({
        code: 422,
        message: 'errors.requestValidationError',
        result: 'body.password: invalidPassword',
        detail,
      }).detail,
    ).toEqual(detail)
  })
  test('with anything else as its result is still a refusal', () => {
    const refused = new RefusedCall({ code: 500, message: 'whatever', result: 'text' })
    expect([refused.key, refused.values, refused.detail]).toEqual([null, {}, []])
  })
})
