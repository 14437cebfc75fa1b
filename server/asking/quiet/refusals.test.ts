import { describe, expect, test } from 'vitest'
import { Refusal } from '#server/foundation/refusal.ts'
import { passes } from './refusals.ts'

const UNTIL = Date.parse('2026-12-01T07:00:00Z')

describe('an ask that is refused when it would begin', () => {
  test.each([
    new Refusal('cannotConnectMoreThanOneClient'),
    new Refusal('queueFull', { waiting: 200 }),
    new Refusal('shareUsed', { opens_at: '2026-12-05T00:00:00Z' }),
    new Refusal('upstreamNotAvailable'),
    new Refusal('limitReached', { opens_at: '2026-12-01T07:00:00Z' }),
    new Refusal('userNotAllowToAskAtThisTime', { slots: '08:00-22:00', opens_at: '2026-12-01T00:00:00Z' }),
  ])('goes on waiting where that may end before it is given up ($key)', refusal => {
    expect(passes(refusal, UNTIL)).toBe(true)
  })
  test.each([
    new Refusal('loginExpired'),
    new Refusal('userNotAllowToUseModel', { model: 'gpt_4' }),
    new Refusal('userNotAllowToUseChatType'),
    new Refusal('conversationNotFound'),
    new Refusal('noAvailableTotalAskCount'),
    new Refusal('limitReached', { opens_at: '2026-12-01T07:00:01Z' }),
    new Refusal('attachmentGone'),
  ])('is given up where that does not end by itself ($key)', refusal => {
    expect(passes(refusal, UNTIL)).toBe(false)
  })
})
