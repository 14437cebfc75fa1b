import { describe, expect, test } from 'vitest'
import { envelopeOf, invalid, Refusal } from './refusal.ts'

describe('the envelope of a refusal', () => {
  test('carries its code and its key', () => {
    expect(envelopeOf(new Refusal('authorityDeny'))).toEqual({
      code: 10403,
      message: 'errors.authorityDeny',
      result: null,
    })
  })
  test('carries the values its text names', () => {
    expect(envelopeOf(new Refusal('askedTooOften', { retry_after_seconds: 40 }))).toEqual({
      code: -1,
      message: 'errors.askedTooOften',
      result: 'retry_after_seconds: 40',
      values: { retry_after_seconds: 40 },
    })
  })
  test('carries what is wrong with a request, field by field, and in one line', () => {
    expect(envelopeOf(invalid(['body', 'name'], 'Too long', 'too_big'))).toEqual({
      code: 422,
      message: 'errors.requestValidationError',
      result: 'body.name: Too long',
      detail: [{ loc: ['body', 'name'], msg: 'Too long', type: 'too_big' }],
    })
    const two = [
      { loc: ['body', 'a', 0], msg: 'x', type: 't' },
      { loc: ['query', 'b'], msg: 'y', type: 't' },
    ]
    expect(envelopeOf(new Refusal('configurationWrong', { count: 2 }, { detail: two }))).toMatchObject({
      result: 'body.a.0: x; query.b: y',
      detail: two,
      values: { count: 2 },
    })
  })
  test('never carries its cause', () => {
    const refusal = new Refusal('openai.500', { status: 500 }, { cause: new Error('sk-secret') })
    expect(refusal.cause).toBeInstanceOf(Error)
    expect(JSON.stringify(envelopeOf(refusal))).toBe(
      '{"code":502,"message":"errors.openai.500","result":"status: 500","values":{"status":500}}',
    )
  })
})
