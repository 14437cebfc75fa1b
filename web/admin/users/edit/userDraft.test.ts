import { describe, expect, test } from 'vitest'
import { aLoadedUser } from '../builders.testing.ts'
import { draftFrom, draftOf, fieldsOf, nameOf, sentOf } from './userDraft.ts'

const { user, row } = aLoadedUser()
const draft = draftOf(user, row)

describe('the fields of a person', () => {
  test('make the same draft again', () => {
    expect(draftFrom(fieldsOf(draft))).toEqual(draft)
  })
  test('have what is allowed altogether, not what remains of it', () => {
    expect(fieldsOf(draft)['openai_web.total_ask_allowed']).toBe(40)
    expect(fieldsOf(draft)['openai_web.per_model_ask_allowed.gpt_4']).toBe(20)
    expect(fieldsOf(draft)).not.toHaveProperty('openai_web.total_ask_count')
  })
  test('name a model whose code has points', () => {
    expect(nameOf('openai_api.per_model_ask_allowed.qwen2.5:7b')).toEqual({
      part: 'openai_api',
      field: 'per_model_ask_allowed',
      model: 'qwen2.5:7b',
    })
  })
})

describe('what is sent', () => {
  test('are the changed fields alone, with the values that were seen', () => {
    expect(
      sentOf(
        { 'account.nickname': '陈', 'openai_web.per_model_ask_allowed.gpt_4': 30, 'setting.credits': 5 },
        { 'account.nickname': '陈建国', 'openai_web.per_model_ask_allowed.gpt_4': 20, 'setting.credits': 0 },
      ),
    ).toEqual({
      account: { nickname: '陈', expected: { nickname: '陈建国' } },
      setting: {
        credits: 5,
        openai_web: { per_model_ask_allowed: { gpt_4: 30 } },
        expected: { credits: 0, openai_web: { per_model_ask_allowed: { gpt_4: 20 } } },
      },
    })
  })
  test('is nothing for a part without changes', () => {
    expect(sentOf({ 'openai_api.use_team': true }, { 'openai_api.use_team': false })).not.toHaveProperty('account')
    expect(sentOf({ 'account.remark': null }, { 'account.remark': 'x' })).not.toHaveProperty('setting')
  })
})
