import { describe, expect, test } from 'vitest'
import { anUpstream, anUpstreamOfSettings } from './builders.testing.ts'
import { canAnswer, isSetUp, repairOf, conditionOf, expiryOf } from './condition.ts'

const tested = (message: string) => anUpstream({ last_test: { ...anUpstream().last_test!, message } })
const needing = (message: string) =>
  anUpstream({ health: { state: 'attention', since: null, until: '2026-11-28T10:00:00Z', message } })
const endsIn = (days: number) =>
  anUpstream({ token_expire_time: new Date(Date.now() + days * 86_400_000).toISOString() })
const cooling = anUpstream({
  health: { state: 'cooling', since: null, until: '2026-11-28T10:00:00Z', message: 'errors.openai.429' },
})

describe('how an upstream is', () => {
  test.each([
    ['as it should be', anUpstream(), 'normal', true, null],
    ['switched off', anUpstream({ enabled: false }), 'off', false, null],
    ['paused', { ...cooling, paused_since: '2026-11-28T09:00:00Z' }, 'paused', false, null],
    ['cooling down', cooling, 'cooling', false, null],
    ['refused', needing('errors.openai.401'), 'attention', false, 'key'],
    ['without any balance', needing('errors.openai.quota'), 'attention', false, null],
    [
      'not reached by a test, which says nothing of its next answer',
      tested('errors.httpError'),
      'attention',
      true,
      'address',
    ],
    ['with a token that ends soon', endsIn(1), 'expiring', true, 'key'],
    [
      'with a token that has ended',
      { ...needing('errors.openai.401'), token_expire_time: endsIn(-1).token_expire_time },
      'expiring',
      false,
      'key',
    ],
    ['with a token that ends later', endsIn(3), 'normal', true, null],
  ] as const)('%s', (_what, upstream, state, answers, repair) => {
    const condition = conditionOf(upstream)
    expect([condition.state, canAnswer(upstream), repairOf(condition)]).toEqual([state, answers, repair])
  })
})

const none = { set: false, last4: null, changed_by: null, changed_at: null, unreadable: false }

describe('the upstream of the settings', () => {
  test.each([
    ['without address and key is none', { base_url: null, _set: { secret: none } }, false],
    ['with an address is one', { _set: { secret: none } }, true],
    ['with a key is one', { base_url: null }, true],
  ])('%s', (_what, fields, expected) => {
    expect(isSetUp(anUpstreamOfSettings(fields))).toBe(expected)
  })
})

test('the end of a token is warned of two days before, and told when it is over', () => {
  const now = new Date('2026-11-28T10:00:00.000Z')
  const stateAt = (token_expire_time: string | null) => expiryOf({ token_expire_time }, now)?.state ?? null
  expect(stateAt(null)).toBe(null)
  expect(stateAt('2026-11-30T10:00:00.001Z')).toBe('later')
  expect(stateAt('2026-11-30T10:00:00.000Z')).toBe('soon')
  expect(stateAt('2026-11-28T10:00:00.001Z')).toBe('soon')
  expect(stateAt('2026-11-28T10:00:00.000Z')).toBe('over')
})
