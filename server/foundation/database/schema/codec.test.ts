import { describe, expect, test } from 'vitest'
import { decodeJson, encodeJson, encodeParameter, kindsByName, UnstorableText } from './codec.ts'
import { json, table } from './definition.ts'

describe('the kind of a column name', () => {
  const a = table({ columns: { flag: { kind: 'bool' }, extra: json() } })

  test('is the same in all tables, or the program does not start', () => {
    const b = table({ columns: { flag: { kind: 'int' } } })
    expect(() => kindsByName({ a, b })).toThrow('column b.flag is int, but another table has a bool of that name')
  })
  test('may be nullable in one table only, unless it is json', () => {
    expect(
      kindsByName({ a, b: table({ columns: { flag: { kind: 'bool', nullable: true } } }) }).get('flag')?.kind,
    ).toBe('bool')
    expect(() => kindsByName({ a, b: table({ columns: { extra: json({ nullable: true }) } }) })).toThrow(
      'column b.extra is json',
    )
  })
})

describe('a parameter', () => {
  test.each([['text'], [1.5], [0], [true], [null], [12n], [new Uint8Array([1])]])('goes as it is: %s', value => {
    expect(encodeParameter(value)).toBe(value)
  })
  test('that is an object or a list goes as JSON', () => {
    expect([{ a: 1 }, [1, 'b']].map(encodeParameter)).toEqual(['{"a":1}', '[1,"b"]'])
  })
  test('is never a NUL, half a surrogate pair, a Date or NaN', () => {
    for (const text of ['\0', '\udc00', 'a\ud800']) expect(() => encodeParameter(text)).toThrow(UnstorableText)
    expect(() => encodeParameter(new Date())).toThrow('epoch milliseconds')
    expect(() => encodeParameter(NaN)).toThrow('NaN')
  })
})

describe('null in a json column', () => {
  test('is NULL where the column may be, and JSON elsewhere', () => {
    expect([encodeJson('content', null), encodeJson('setting_value', null)]).toEqual([null, 'null'])
    expect([decodeJson(null), decodeJson('null')]).toEqual([null, null])
  })
})
