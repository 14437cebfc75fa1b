import { describe, expect, test } from 'vitest'
import { REFUSALS, type RefusalKey } from '#contract/refusals.ts'
import { statusOf } from './errors.ts'

describe('the HTTP status of a refusal', () => {
  test.each([
    ['userNotLogin', 401],
    ['loginExpired', 401],
    ['authorityDeny', 403],
    ['originNotAllowed', 403],
    ['requestValidationError', 422],
    ['resourceNotFound', 404],
    ['conversationNotFound', 404],
    ['methodNotAllowed', 405],
    ['bodyTooLarge', 413],
    ['mediaTypeNotSupported', 415],
    ['tooManyRequests', 429],
    ['internal', 500],
    ['openai.401', 502],
    ['serverStopping', 503],
    ['lastSuperuser', 400],
  ] as const)('%s is %i', (key, status) => {
    expect(statusOf(key)).toBe(status)
  })
  test('is one of an error, whatever the refusal', () => {
    // The keys of the table are the keys of its type.
    for (const key of Object.keys(REFUSALS) as RefusalKey[]) {
      expect(statusOf(key), key).toBeGreaterThanOrEqual(400)
      expect(statusOf(key), key).toBeLessThan(600)
    }
  })
})
