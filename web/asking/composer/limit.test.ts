import { describe, expect, test } from 'vitest'
import { fullWindow, isUsedUp, limitOn, mustGo } from './limit.ts'
import { aModel, anAllowance, refusedBy } from '#web/users/allowance.testing.ts'

const MODELS = ['gpt_3_5', 'gpt_4']
const choice = (models = MODELS) => ({
  source: 'openai_api' as const,
  model: 'gpt_4',
  models: models.map(code => ({ code })),
})
const used = (window_seconds: number, max_requests: number, used: number, frees_at: string) => ({
  window_seconds,
  max_requests,
  used,
  frees_at,
})

describe('the limit of a question', () => {
  test('is none when it may be asked', () => {
    expect(limitOn(anAllowance(), choice(), false)).toBe(null)
  })
  test('offers another model that may be asked', () => {
    const models = [aModel('gpt_3_5'), aModel('gpt_4', refusedBy('noAvailableModelAskCount'))]
    expect(limitOn(anAllowance({ models }), choice(), false)).toMatchObject({
      key: 'noAvailableModelAskCount',
      alternative: 'gpt_3_5',
    })
  })
  test('offers none where all models share it, or where the user may use no other', () => {
    const shared = MODELS.map(model => aModel(model, refusedBy('askedTooOften', '2026-11-20T11:06:00Z')))
    expect(limitOn(anAllowance({ models: shared }), choice(), false)?.alternative).toBe(null)
    const models = [aModel('gpt_3_5'), aModel('gpt_4', refusedBy('noAvailableModelAskCount'))]
    expect(limitOn(anAllowance({ models }), choice(['gpt_4']), false)?.alternative).toBe(null)
  })
  test('offers no model where there are too many conversations', () => {
    expect(
      limitOn(anAllowance({ new_conversation: refusedBy('maxConversationCountReached') }), choice(), true)?.alternative,
    ).toBe(null)
  })
  test('is used up, or closed for another reason', () => {
    const by = (key: string) => limitOn(anAllowance({ models: [aModel('gpt_4', refusedBy(key))] }), choice(), false)
    const looks = [
      'askedTooOften',
      'noAvailableModelAskCount',
      'noAvailableTotalAskCount',
      'userNotAllowToAskAtThisTime',
      'userChatTypeExpired',
    ].map(key => {
      const limit = by(key)
      return limit !== null && isUsedUp(limit)
    })
    expect(looks).toEqual([true, true, true, false, false])
  })
  test('is the expired account when no model can be chosen because of it', () => {
    expect(limitOn(anAllowance({ verdict: refusedBy('userChatTypeExpired') }), null, true)?.key).toBe(
      'userChatTypeExpired',
    )
    expect(limitOn(anAllowance({ verdict: refusedBy('userNotAllowToUseChatType') }), null, true)).toBe(null)
  })
  test.each([
    [10, 10, 1],
    [8, 1, 8],
    [9, 10, 1],
    [2, 0, null],
  ])('of conversations, with %i of %i, requires %s to be deleted', (used, allowed, gone) => {
    const full = anAllowance({
      new_conversation: refusedBy('maxConversationCountReached'),
      conversations: { used, allowed },
    })
    const limit = limitOn(full, choice(), true)
    expect(limit === null ? undefined : mustGo(limit)).toBe(gone)
  })
  test('names the full window that frees last', () => {
    const windows = [
      used(3600, 10, 10, '2026-11-20T11:06:00Z'),
      used(86_400, 40, 40, '2026-11-20T20:00:00Z'),
      used(60, 5, 1, '2026-11-20T10:30:00Z'),
    ]
    const limit = limitOn(
      anAllowance({ windows, models: [aModel('gpt_4', refusedBy('askedTooOften', '2026-11-20T20:00:00Z'))] }),
      choice(),
      false,
    )
    expect(limit === null ? null : fullWindow(limit)?.window_seconds).toBe(86_400)
  })
})
