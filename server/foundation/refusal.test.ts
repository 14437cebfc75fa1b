import { describe, expect, test } from 'vitest'
import { DatabaseUnreachable } from './databaseErrors.ts'
import { envelopeOf, invalid, Refusal, storageRefusalOf } from './refusal.ts'

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

const failed = (fields: object, cause?: unknown) => Object.assign(new Error('failed', { cause }), fields)

describe('what the disk refuses', () => {
  test.each([
    ['no space', { code: 'ENOSPC' }, 'diskFull'],
    ['a quota', { code: 'EDQUOT' }, 'diskFull'],
    ['a full database', { code: 'ERR_SQLITE_ERROR', errcode: 13 }, 'diskFull'],
    ['PostgreSQL without space', { code: '53100' }, 'diskFull'],
    ['a read-only disk', { code: 'EROFS' }, 'diskNotWritable'],
    ['a read-only database', { code: 'ERR_SQLITE_ERROR', errcode: 1032 }, 'diskNotWritable'],
    ['a log that cannot be made', { errcode: 14 }, 'diskNotWritable'],
    ['a failed write', { errcode: 778 }, 'diskNotWritable'],
    ['PostgreSQL that is only read', { code: '25006' }, 'diskNotWritable'],
  ] as const)('is named: %s', (_what, fields, key) => {
    expect(storageRefusalOf(failed(fields))?.key).toBe(key)
    expect(storageRefusalOf(failed({}, failed(fields)))?.key).toBe(key)
  })
  test('is told apart from a database that cannot be reached, which passes by itself, too', () => {
    const lost = new DatabaseUnreachable('the database cannot be reached')
    expect(storageRefusalOf(failed({}, lost))?.key).toBe('databaseUnreachable')
    // An endpoint that cannot be reached has the same code.
    expect(storageRefusalOf(failed({ code: 'ECONNREFUSED' }))).toBe(null)
  })
  test('is nothing else', () => {
    for (const other of [
      failed({ code: 'ENOENT' }),
      failed({ errcode: 2067 }),
      failed({ errcode: 266 }),
      new Refusal('queueFull'),
      'ENOSPC',
      null,
    ]) {
      expect(storageRefusalOf(other)).toBe(null)
    }
  })
})
