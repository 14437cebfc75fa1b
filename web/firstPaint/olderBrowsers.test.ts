import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fillOlderBrowsers } from './olderBrowsers.ts'

const NEWER = [
  [URL, 'parse'],
  [Promise, 'withResolvers'],
  [AbortSignal, 'any'],
  [Object, 'groupBy'],
] as const

const natives = NEWER.map(([holder, name]) => Object.getOwnPropertyDescriptor(holder, name)!) // this browser has them

beforeEach(() => {
  for (const [holder, name] of NEWER) Reflect.deleteProperty(holder, name)
  fillOlderBrowsers()
})

afterEach(() => {
  for (const [at, [holder, name]] of NEWER.entries()) Object.defineProperty(holder, name, natives[at]!)
})

describe('what an older browser lacks', () => {
  test('is filled in', () => {
    for (const [at, [holder, name]] of NEWER.entries())
      expect(Reflect.get(holder, name), name).not.toBe(natives[at]?.value)
  })
  test('an address is parsed, or null', () => {
    expect(URL.parse('/b?c', 'https://example.org/a')?.href).toBe('https://example.org/b?c')
    expect(URL.parse('/b')).toBe(null)
  })
  test('a promise is resolved and rejected from outside', async () => {
    const [kept, broken] = [Promise.withResolvers<number>(), Promise.withResolvers<number>()]
    kept.resolve(7)
    broken.reject(new Error('no'))
    await expect(kept.promise).resolves.toBe(7)
    await expect(broken.promise).rejects.toThrow('no')
  })
  test('one of several signals aborts, with its reason', () => {
    const [one, other] = [new AbortController(), new AbortController()]
    const any = AbortSignal.any([one.signal, other.signal])
    expect(any.aborted).toBe(false)
    other.abort('second')
    one.abort('too late')
    expect([any.aborted, any.reason]).toEqual([true, 'second'])
    expect(AbortSignal.any([AbortSignal.abort('before'), one.signal]).reason).toBe('before')
  })
  test('items are grouped by a name', () => {
    expect(Object.groupBy(['a1', 'b1', 'a2'], ([name = '']) => name)).toEqual({ a: ['a1', 'a2'], b: ['b1'] })
  })
})
