import { describe, expect, test } from 'vitest'
import type { RefusalKey, RefusalValues } from '#contract/refusals.ts'
import { healthAfter, isHealthy, NORMAL, triedAt } from './health.ts'
import type { Health } from './upstream.ts'

const NOW = 1_000_000
const MINUTE = 60_000
const refusal = (key: RefusalKey, values: RefusalValues = {}) => ({ key, values })
const after = (health: Health, key: RefusalKey, values?: RefusalValues, now = NOW) =>
  healthAfter(health, refusal(key, values), now)

describe('the health of an upstream', () => {
  test('is to cool for as long as it said, or a minute, when it has too much to do', () => {
    expect(after(NORMAL, 'openai.429', { status: 429, retry_after_seconds: 7 })).toEqual({
      state: 'cooling',
      until: NOW + 7_000,
      since: NOW,
      reason: 'openai.429',
    })
    expect(after(NORMAL, 'openai.429')).toMatchObject({ state: 'cooling', until: NOW + MINUTE })
    expect(after(NORMAL, 'openai.403')).toMatchObject({ state: 'cooling', reason: 'openai.403' })
  })
  test.each<[RefusalKey, number]>([
    ['openai.429', 1],
    ['openai.429', 11_461],
    ['openai.quota', 433],
    ['openai.500', 30],
    ['openai.unusualActivity', 60],
    ['openai.oneAtATime', 2],
  ])('is to cool for exactly as long as is told with %s: %i s', (key, seconds) => {
    expect(after(NORMAL, key, { retry_after_seconds: seconds })).toMatchObject({
      state: 'cooling',
      until: NOW + seconds * 1000,
      reason: key,
    })
  })
  test('keeps the longer of two pauses', () => {
    const long = after(NORMAL, 'openai.429', { retry_after_seconds: 300 })
    expect(after(long, 'openai.429', { retry_after_seconds: 1 }, NOW + 10)).toEqual(long)
  })
  test('is to cool for the shorter time that is told, where a minute was guessed', () => {
    const guessed = after(NORMAL, 'openai.429')
    const stated = after(guessed, 'openai.429', { retry_after_seconds: 2 }, NOW + 10)
    expect(stated).toEqual({ state: 'cooling', until: NOW + 10 + 2_000, since: NOW, reason: 'openai.429' })
    expect(after(stated, 'openai.429', { retry_after_seconds: 1 }, NOW + 20)).toEqual(stated)
  })
  test('keeps what is told and lasts longer than a guess', () => {
    const long = after(NORMAL, 'openai.429', { retry_after_seconds: 300 })
    expect(after(long, 'openai.429', {}, NOW + 10)).toEqual(long)
  })
  test('is to cool after three failures within a minute, and not after three in longer', () => {
    const second = after(after(NORMAL, 'openai.500'), 'httpError', {}, NOW + 1)
    expect(isHealthy(second, NOW + 1)).toBe(true)
    expect(after(second, 'upstreamTimeout', {}, NOW + 2)).toMatchObject({ state: 'cooling', until: NOW + 2 + MINUTE })
    expect(after(second, 'openai.500', {}, NOW + MINUTE)).toMatchObject({ state: 'normal' })
  })
  test('is to cool again at the first failure after a pause', () => {
    const cooled = after(NORMAL, 'openai.429', { retry_after_seconds: 1 })
    expect(after(cooled, 'openai.500', {}, NOW + 1_000)).toMatchObject({ until: NOW + 1_000 + MINUTE })
  })
  test('needs attention when it does not know the key, or nothing is paid for any more', () => {
    const attention = after(NORMAL, 'openai.401')
    expect(attention).toEqual({ state: 'attention', next_try: NOW + MINUTE, since: NOW, reason: 'openai.401' })
    for (const key of [
      'openai.quota',
      'openai.accountDeactivated',
      'openai.unusualActivity',
      'openai.webPage',
    ] as const)
      expect(after(NORMAL, key)).toMatchObject({ state: 'attention', reason: key })
    expect(after(NORMAL, 'openai.accountDeactivated', { retry_after_seconds: 9 })).toMatchObject({ state: 'attention' })
    expect(after(attention, 'openai.401', {}, NOW + MINUTE)).toMatchObject({ since: NOW, next_try: NOW + 2 * MINUTE })
  })
  test.each<RefusalKey>([
    'openai.400',
    'openai.404',
    'openai.contentFilter',
    'openai.contextTooLong',
    'openai.modelNotFound',
    'openai.cutOff',
    'openai.thoughtsOnly',
    'openai.noVisibleText',
    'addressNotAllowed',
  ])('is as before when a request or its content is refused: %s', key => {
    const failed = after(NORMAL, 'openai.500')
    for (const health of [NORMAL, failed, after(NORMAL, 'openai.401')]) expect(after(health, key)).toBe(health)
  })
  test('is normal after an answer', () => {
    for (const key of ['openai.401', 'openai.429', 'openai.500'] as const)
      expect(healthAfter(after(NORMAL, key), 'answered', NOW + 1)).toEqual(NORMAL)
  })
  test('is not normal after an answer that began before the pause', () => {
    const cooling = after(NORMAL, 'openai.429')
    expect(healthAfter(cooling, 'answered', NOW + 5, NOW - 1)).toBe(cooling)
    expect(healthAfter(cooling, 'answered', NOW + 5, NOW)).toEqual(NORMAL)
  })
})

describe('an upstream that needs attention', () => {
  test('is tried by one ask a minute', () => {
    const attention = after(NORMAL, 'openai.401')
    expect(isHealthy(attention, NOW + MINUTE - 1)).toBe(false)
    expect(isHealthy(attention, NOW + MINUTE)).toBe(true)
    const tried = triedAt(attention, NOW + MINUTE)
    expect(isHealthy(tried, NOW + MINUTE)).toBe(false)
    expect(isHealthy(tried, NOW + 2 * MINUTE)).toBe(true)
    expect(triedAt(attention, NOW)).toBe(attention)
  })
})
