import { describe, expect, test } from 'vitest'
import { aModel, anAllowance, MAY_ASK, ofApi, refusedBy } from './allowance.testing.ts'
import { afterRefusal, isLimit, isPolled, remainingOf, verdictFor } from './allowance.ts'

const SOON = '2026-11-20T11:06:00.000Z'
const LATER = '2026-11-20T13:00:00.000Z'
const asking = { source: 'openai_api', model: 'gpt_4', isNew: false } as const

describe('the verdict', () => {
  test('for an existing conversation is that of the model', () => {
    const allowance = anAllowance({
      models: [aModel('gpt_3_5'), aModel('gpt_4', refusedBy('noAvailableModelAskCount'))],
      new_conversation: refusedBy('maxConversationCountReached'),
    })
    expect(verdictFor(allowance, asking).message).toBe('errors.noAvailableModelAskCount')
    expect(verdictFor(allowance, { ...asking, model: 'gpt_3_5' })).toEqual(MAY_ASK)
  })
  test('for a new conversation is also that of new conversations', () => {
    const allowance = anAllowance({ new_conversation: refusedBy('maxConversationCountReached') })
    expect(verdictFor(allowance, { ...asking, isNew: true }).message).toBe('errors.maxConversationCountReached')
  })
  test('gives first the refusal that waiting does not end', () => {
    const allowance = anAllowance({
      models: [aModel('gpt_4', refusedBy('askedTooOften', SOON))],
      new_conversation: refusedBy('maxConversationCountReached'),
    })
    expect(verdictFor(allowance, { ...asking, isNew: true }).message).toBe('errors.maxConversationCountReached')
  })
  test('else gives the refusal that ends last', () => {
    const allowance = anAllowance({
      models: [aModel('gpt_4', refusedBy('askedTooOften', SOON))],
      new_conversation: refusedBy('userNotAllowToAskAtThisTime', LATER),
    })
    expect(verdictFor(allowance, { ...asking, isNew: true }).opens_at).toBe(LATER)
  })
  test('for an unknown source is left to the server', () => {
    expect(verdictFor(anAllowance(), { ...asking, source: 'openai_web' })).toEqual(MAY_ASK)
  })
})

describe('a refused ask', () => {
  test('says of its model what the allowance will say', () => {
    const after = afterRefusal(anAllowance(), asking, 'errors.askedTooOften', { opens_at: SOON })
    expect(verdictFor(after, asking)).toMatchObject({ may_ask: false, message: 'errors.askedTooOften', opens_at: SOON })
    expect(verdictFor(after, { ...asking, model: 'gpt_3_5' })).toEqual(MAY_ASK)
  })
  test('for too many conversations does not affect existing ones', () => {
    const after = afterRefusal(anAllowance(), { ...asking, isNew: true }, 'errors.maxConversationCountReached', null)
    expect(verdictFor(after, { ...asking, isNew: true }).may_ask).toBe(false)
    expect(verdictFor(after, asking).may_ask).toBe(true)
  })
  test('is a limit or a failure', () => {
    expect(isLimit('errors.askedTooOften')).toBe(true)
    expect(isLimit('errors.queueFull')).toBe(false)
    expect(isLimit('errors.upstreamTimeout')).toBe(false)
  })
})

describe('what ends with somebody’s ask', () => {
  test('is polled, since nobody knows when it ends', () => {
    expect(isPolled(anAllowance({ verdict: refusedBy('queueFull') }))).toBe(true)
    expect(isPolled(anAllowance({ verdict: refusedBy('noAvailableTotalAskCount') }))).toBe(false)
  })
})

const window = (window_seconds: number, max_requests: number, used: number) => ({
  window_seconds,
  max_requests,
  used,
  frees_at: null,
})

describe('what remains', () => {
  test('is null without any limit', () => {
    expect(remainingOf(ofApi(), 'gpt_4')).toBe(null)
  })
  test('is the least of the model’s count and the total', () => {
    const of = ofApi({ models: [aModel('gpt_4', undefined, 12)], total: { used: 8, allowed: 20, remaining: 12 } })
    expect(remainingOf(of, 'gpt_4')).toEqual({ count: 12, window_seconds: null, frees_at: null })
    expect(remainingOf({ ...of, total: { used: 17, allowed: 20, remaining: 3 } }, 'gpt_4')?.count).toBe(3)
  })
  test('is that of a window that leaves fewer, and names it', () => {
    const of = ofApi({
      models: [aModel('gpt_4', undefined, 12)],
      windows: [window(86_400, 40, 10), window(3600, 10, 9)],
    })
    expect(remainingOf(of, 'gpt_4')).toMatchObject({ count: 1, window_seconds: 3600 })
  })
  test('of a window that was made smaller than its use is 0', () => {
    expect(remainingOf(ofApi({ windows: [window(3600, 5, 9)] }), 'gpt_4')?.count).toBe(0)
  })
})
