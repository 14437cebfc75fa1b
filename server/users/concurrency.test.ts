import { describe, expect, test } from 'vitest'
import { Refusal } from '#server/foundation/refusal.ts'
import { concurrencyLimit, oneAtATimeByKey } from './concurrency.ts'

describe('work under a limit of concurrency', () => {
  test('runs in the order in which it was asked for', async () => {
    const { run } = concurrencyLimit(1, 10)
    const order: number[] = []
    await Promise.all(
      [1, 2, 3].map(number =>
        run(async () => {
          order.push(number)
        }),
      ),
    )
    expect(order).toEqual([1, 2, 3])
  })
  test('goes on after work that failed', async () => {
    const { run } = concurrencyLimit(1, 10)
    await expect(run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect(await run(async () => 'fine')).toBe('fine')
  })
  test('is refused when too much of it waits', async () => {
    const { run } = concurrencyLimit(1, 1)
    const { promise, resolve } = Promise.withResolvers<void>()
    const both = [run(() => promise), run(() => promise)]
    await expect(run(() => promise)).rejects.toThrow(Refusal)
    resolve()
    await Promise.all(both)
    expect(await run(async () => 'room again')).toBe('room again')
  })
  test('of different keys does not wait for each other', async () => {
    const run = oneAtATimeByKey(10)
    const { promise, resolve } = Promise.withResolvers<void>()
    const first = run('a', () => promise)
    const order: string[] = []
    const second = run('a', async () => {
      order.push('a')
    })
    await run('b', async () => {
      order.push('b')
    })
    resolve()
    await Promise.all([first, second])
    expect(order).toEqual(['b', 'a'])
  })
})
