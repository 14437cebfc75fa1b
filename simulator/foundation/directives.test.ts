import { describe, expect, test } from 'vitest'
import { answerOf, aSimulator } from '../client.testing.ts'
import { STAMP_RANGE_US, stampNow } from './directives.ts'

describe('stamped tokens', () => {
  test('are as many as asked for, each the moment it was sent', async () => {
    await using simulator = await aSimulator({ tokens_per_second: 200 })
    const before = parseInt(stampNow(), 36)
    const stamps = (await answerOf(simulator, '/simulate stamp tokens=20')).trim().split(' ')
    const after = parseInt(stampNow(), 36)
    expect(stamps).toHaveLength(20)
    const since = stamps.map(stamp => (parseInt(stamp, 36) - before + STAMP_RANGE_US) % STAMP_RANGE_US)
    expect(since).toEqual([...since].sort((a, b) => a - b))
    expect(since.at(-1)).toBeLessThanOrEqual((after - before + STAMP_RANGE_US) % STAMP_RANGE_US)
    expect(new Set(since).size).toBeGreaterThan(10)
  })
})
