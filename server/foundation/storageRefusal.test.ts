import { describe, expect, test } from 'vitest'
import { Refusal } from './refusal.ts'
import { storageRefusalOf } from './storageRefusal.ts'

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
