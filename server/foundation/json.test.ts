import { describe, expect, test } from 'vitest'
import { parseJson, parseJsonAsWritten, parseJsonBytes } from './json.ts'
import { Refusal } from './refusal.ts'

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)

describe('JSON from a client', () => {
  test('is what it says', () => {
    expect(parseJson('{"a":[1,true,null,"你好 \\u00e9 \\n 😀"]}')).toEqual({ a: [1, true, null, '你好 é \n 😀'] })
  })
  test('may be nested 32 deep and no deeper', () => {
    expect(parseJson(nested(32))).toBeInstanceOf(Array)
    expect(typeOf(nested(33))).toBe('too_deep')
    expect(typeOf(nested(100_000))).toBe('too_deep')
    expect(typeOf('{"a":'.repeat(33) + '1' + '}'.repeat(33))).toBe('too_deep')
  })
  test('may have any brackets inside of its texts', () => {
    expect(parseJson(JSON.stringify('[{'.repeat(1000) + '"\\'))).toBe('[{'.repeat(1000) + '"\\')
  })
  test.each(['', '{', 'undefined', "{'a':1}", '{"a":1}x', 'NaN', '[1,]', '\u0000'])('is not %j', text => {
    expect(typeOf(text)).toBe('json_invalid')
  })
  test('holds no text that a database would refuse: half a surrogate pair and NUL become U+FFFD, as pages draw them', () => {
    expect(parseJson('"a\\u0000b"')).toBe('a\uFFFDb')
    expect(parseJson('{"a":["\\ud800",{"b":"x\\udc00\\ud83dy"}]}')).toEqual({
      a: ['\uFFFD', { b: 'x\uFFFD\uFFFDy' }],
    })
    expect(parseJson('{"\\ud83d":1}')).toEqual({ '\uFFFD': 1 })
    expect(parseJson('"\\ud83d\\ude00"')).toBe('😀')
  })
  test('may have half a surrogate pair in bytes, as some languages write it', () => {
    const [half, lower] = [
      [0xed, 0xa0, 0xbd],
      [0xed, 0xb8, 0x80],
    ]
    expect(parseJsonBytes(Buffer.from([0x22, 0x61, ...half, 0x62, ...lower, 0x22]))).toBe('a\uFFFDb\uFFFD')
    expect(parseJsonBytes(Buffer.from('"\uD7FF\uE000"'))).toBe('\uD7FF\uE000')
  })
  test('has no key that reaches a prototype', () => {
    expect(typeOf('{"__proto__":{"admin":true}}')).toBe('invalid_key')
    expect(typeOf('{"\\u005f_proto__":{"admin":true}}')).toBe('invalid_key')
    expect(parseJson('"__proto__"')).toBe('__proto__')
  })
  test('is UTF-8', () => {
    expect(parseJsonBytes(Buffer.from('"é"'))).toBe('é')
    expect(() => parseJsonBytes(Buffer.from([0x22, 0xff, 0x22]))).toThrow(Refusal)
  })
  test('is not quoted when it is refused', () => {
    const refusal = refusalOf('{"password": geheim}')
    expect(JSON.stringify([refusal?.detail, refusal?.message, refusal?.cause])).not.toContain('geheim')
  })
})

describe('what is passed on', () => {
  const again = (text: string) => JSON.stringify(parseJsonAsWritten(Buffer.from(text), 4))

  test.each([
    '{"temperature":1.0,"seed":12345678901234567890,"a":[1e3,-0,0.10],"b":1.5}',
    '{"text":"1.0 and \\ud800","n":1}',
    '[1,2,"three",null,true]',
  ])('is as it was written: %s', text => {
    expect(again(text)).toBe(text)
  })
  test('is UTF-8, JSON, and not deeper than asked', () => {
    expect(() => parseJsonAsWritten(Buffer.from([0x22, 0xff, 0x22]), 4)).toThrow(Refusal)
    expect(() => again('{"a":')).toThrow(Refusal)
    expect(() => again('[[[[[1]]]]]')).toThrow(Refusal)
    expect(again('[[[[1]]]]')).toBe('[[[[1]]]]')
  })
  test('has no key that reaches a prototype', () => {
    const parsed = parseJsonAsWritten(Buffer.from('{"__proto__":{"admin":true}}'), 4) as { admin?: boolean }
    expect(parsed.admin).toBe(undefined)
    expect({ ...parsed }.admin).toBe(undefined)
  })
})

function refusalOf(text: string): Refusal | null {
  try {
    parseJson(text)
    return null
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

const typeOf = (text: string): string | undefined => refusalOf(text)?.detail?.[0]?.type
