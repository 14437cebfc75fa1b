import { describe, expect, test } from 'vitest'
import { openKeptLists } from './pluginLists.ts'

function aKeeper(most = 2) {
  let now = 0
  const lists = openKeptLists<string>({ clock: { now: () => now, monotonic: () => now }, for_ms: 100, most })
  return { ...lists, pass: (ms: number) => (now += ms) }
}

describe('a kept list', () => {
  test('that was being read when something changed is not kept', async () => {
    const { get, forget } = aKeeper()
    const before = Promise.withResolvers<string>()
    const reading = get('1 a', () => before.promise)
    forget('1 ')
    const after = get('1 a', () => Promise.resolve('after'))
    before.resolve('before')
    expect((await reading).list).toBe('before')
    expect((await after).list).toBe('after')
    expect((await get('1 a', () => Promise.reject(new Error('read again')))).list).toBe('after')
  })

  test('is read again when its time is over, and the last one stays known when that fails', async () => {
    const { get, lastOf, pass } = aKeeper()
    await get('a', () => Promise.resolve('old'))
    pass(99)
    expect((await get('a', () => Promise.resolve('new'))).list).toBe('old')
    pass(1)
    await expect(get('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away')
    expect(lastOf('a')?.list).toBe('old')
    expect((await get('a', () => Promise.resolve('new'))).list).toBe('new')
  })

  test('makes room for others: the one goes that was asked for longest ago', async () => {
    const { get, lastOf } = aKeeper(2)
    for (const key of ['a', 'b', 'a', 'c']) await get(key, () => Promise.resolve(key))
    expect(['a', 'b', 'c'].map(key => lastOf(key)?.list ?? null)).toEqual(['a', null, 'c'])
  })
})
