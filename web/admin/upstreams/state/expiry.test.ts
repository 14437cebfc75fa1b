import { expect, test } from 'vitest'
import { expiryOf } from './expiry.ts'

test('the end of a token is warned of two days before, and told when it is over', () => {
  const now = new Date('2026-11-28T10:00:00.000Z')
  const stateAt = (token_expire_time: string | null) => expiryOf({ token_expire_time }, now)?.state ?? null
  expect(stateAt(null)).toBe(null)
  expect(stateAt('2026-11-30T10:00:00.001Z')).toBe('later')
  expect(stateAt('2026-11-30T10:00:00.000Z')).toBe('soon')
  expect(stateAt('2026-11-28T10:00:00.001Z')).toBe('soon')
  expect(stateAt('2026-11-28T10:00:00.000Z')).toBe('over')
})
