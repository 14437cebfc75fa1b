import { describe, expect, test } from 'vitest'
import type { RefusalKey } from '#contract/refusals.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { askUntilFree } from './fittingAsk.ts'

/** An account that refuses so often before it answers. */
function refusing(times: number, key: RefusalKey = 'openai.oneAtATime') {
  const asked = { count: 0 }
  const ask = () =>
    asked.count++ < times ? Promise.reject(new Refusal(key, { retry_after_seconds: 60 })) : Promise.resolve()
  return { asked, ask, hasBegun: () => false, signal: new AbortController().signal }
}

describe('an account that answers one question at a time', () => {
  test('is asked again until it is free', async () => {
    const given = refusing(3)
    await askUntilFree(given, [0, 0, 0, 0])
    expect(given.asked.count).toBe(4)
  })
  test('is asked so often, and no more', async () => {
    const given = refusing(9)
    await expect(askUntilFree(given, [0, 0])).rejects.toMatchObject({ key: 'openai.oneAtATime' })
    expect(given.asked.count).toBe(3)
  })
  test('is not asked again for anything else, or when something of the answer has come', async () => {
    const full = refusing(9, 'openai.429')
    await expect(askUntilFree(full, [0])).rejects.toMatchObject({ key: 'openai.429' })
    const started = { ...refusing(9), hasBegun: () => true }
    await expect(askUntilFree(started, [0])).rejects.toMatchObject({ key: 'openai.oneAtATime' })
    expect([full.asked.count, started.asked.count]).toEqual([1, 1])
  })
  test('is not waited for after a stop', async () => {
    const stop = new AbortController()
    const given = { ...refusing(9), signal: stop.signal }
    const done = askUntilFree(given, [3_600_000])
    setImmediate(() => stop.abort())
    await expect(done).rejects.toMatchObject({ name: 'AbortError' })
    expect(given.asked.count).toBe(1)
  })
})
