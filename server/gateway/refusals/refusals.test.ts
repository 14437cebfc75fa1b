import { describe, expect, test } from 'vitest'
import { Refusal, invalid } from '#server/foundation/refusal.ts'
import { toolRefusal } from './refusals.ts'

const FACTS = { now: Date.parse('2026-11-29T04:00:00Z'), time_zone: 'Asia/Shanghai', portal: 'https://ai.example.org' }
const opens_at = '2026-11-29T06:19:30.000Z'
const share = { account: 'Main', unit: 'asks', share: 8, capacity: 40, window: 'rolling', opens_at }

const said = (refusal: Refusal, facts = FACTS) => toolRefusal(refusal, facts)

describe('a refusal in words', () => {
  test('says what is full, whose, the moment, and where to ask for more', () => {
    expect(said(new Refusal('shareUsed', share))).toEqual({
      kind: 'limit',
      message:
        'Your share of Main is used up (8 of 8), and nothing can be borrowed now. Next: 14:20 (Asia/Shanghai), or ask for more: https://ai.example.org',
      again: { seconds: 8370, time: Date.parse(opens_at) },
      param: null,
    })
  })
  test('of another day says the day', () => {
    const { message } = said(new Refusal('limitReached', { unit: 'asks', amount: 5, opens_at: '2026-12-01T00:00:00Z' }))
    expect(message).toMatch(/^Your 5 asks for this period are used up\. Next: 2026-12-01 08:00 \(Asia\/Shanghai\), or/)
  })
  test('without an address of the portal leaves it out', () => {
    const facts = { ...FACTS, portal: null as never as string }
    expect(said(new Refusal('poolEmpty', share), facts).message).toBe(
      'Nothing is left in Main for anybody at the moment (40 of 40). Next: 14:20 (Asia/Shanghai).',
    )
  })
  test('that waiting does not open is no limit to wait for', () => {
    expect(said(new Refusal('noAvailableTotalAskCount'))).toMatchObject({
      kind: 'notAllowed',
      again: null,
      message: 'You have no questions left. You can ask for more: https://ai.example.org',
    })
    expect(said(new Refusal('queueFull', { waiting: 40 }))).toMatchObject({ kind: 'limit', again: { seconds: 30 } })
  })
  test('of an upstream says when to try again where it is known', () => {
    expect(said(new Refusal('openai.429', { retry_after_seconds: 120 }))).toMatchObject({
      kind: 'upstreamAway',
      message: 'The limit of this portal at its provider is used up. Try again at 12:02 (Asia/Shanghai).',
      again: { seconds: 120 },
    })
  })
  test('of a field names it', () => {
    expect(said(invalid(['body', 'tools', 0, 'type'], 'Not offered by this portal'))).toEqual({
      kind: 'invalid',
      message: 'tools.0.type: Not offered by this portal.',
      again: null,
      param: 'tools.0.type',
    })
    expect(said(invalid(['body'], 'Not JSON'))).toMatchObject({ message: 'Not JSON.', param: null })
  })
  test('of an unknown model names those that may be asked', () => {
    const refusal = new Refusal('modelNotEnabled', { model: 'gpt-9', models: 'gpt_4, gpt_3_5' })
    expect(said(refusal)).toMatchObject({
      kind: 'unknownModel',
      message: 'There is no model gpt-9 here. You may ask: gpt_4, gpt_3_5.',
    })
  })
  test('that no tool should meet is one of ours', () => {
    expect(said(new Refusal('pluginNotFound'))).toMatchObject({ kind: 'internal' })
  })
})
