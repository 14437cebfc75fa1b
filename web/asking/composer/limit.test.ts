import { describe, expect, test } from 'vitest'
import { aModel, anAllowance, refusedBy } from '#web/accounts/allowance.testing.ts'
import { expiredIn, fullWindow, isUsedUp, limitOf, mustGo } from './limit.ts'

const asking = { source: 'openai_api', model: 'gpt_4', isNew: false } as const
const MODELS = ['gpt_3_5', 'gpt_4']
const used = (window_seconds: number, max_requests: number, used: number, frees_at: string) => ({
  window_seconds,
  max_requests,
  used,
  frees_at,
})

describe('the limit of a question', () => {
  test('is none when it may be asked', () => {
    expect(limitOf(anAllowance(), asking, MODELS)).toBe(null)
  })
  test('offers another model that may be asked', () => {
    const models = [aModel('gpt_3_5'), aModel('gpt_4', refusedBy('noAvailableModelAskCount'))]
    expect(limitOf(anAllowance({ models }), asking, MODELS)).toMatchObject({
      key: 'noAvailableModelAskCount',
      alternative: 'gpt_3_5',
    })
  })
  test('offers none where all models share it, or where the person may not use another', () => {
    const shared = MODELS.map(model => aModel(model, refusedBy('askedTooOften', '2026-11-20T11:06:00Z')))
    expect(limitOf(anAllowance({ models: shared }), asking, MODELS)?.alternative).toBe(null)
    const models = [aModel('gpt_3_5'), aModel('gpt_4', refusedBy('noAvailableModelAskCount'))]
    expect(limitOf(anAllowance({ models }), asking, ['gpt_4'])?.alternative).toBe(null)
  })
  test('offers no model where the conversations are too many', () => {
    expect(
      limitOf(
        anAllowance({ new_conversation: refusedBy('maxConversationCountReached') }),
        { ...asking, isNew: true },
        MODELS,
      )?.alternative,
    ).toBe(null)
  })
  test('is something used up, or closed for another reason', () => {
    const by = (key: string) => limitOf(anAllowance({ models: [aModel('gpt_4', refusedBy(key))] }), asking, MODELS)
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
  test('where nothing can be chosen is that one’s time is over, if it is', () => {
    expect(expiredIn(anAllowance({ verdict: refusedBy('userChatTypeExpired') }))?.key).toBe('userChatTypeExpired')
    expect(expiredIn(anAllowance({ verdict: refusedBy('userNotAllowToUseChatType') }))).toBe(null)
  })
  test.each([
    [10, 10, 1],
    [8, 1, 8],
    [9, 10, 1],
    [2, 0, null],
  ])('of conversations, with %i of %i, takes %s away', (used, allowed, gone) => {
    const full = anAllowance({
      new_conversation: refusedBy('maxConversationCountReached'),
      conversations: { used, allowed },
    })
    const limit = limitOf(full, { ...asking, isNew: true }, MODELS)
    expect(limit === null ? undefined : mustGo(limit)).toBe(gone)
  })
  test('names the full window that stays so longest', () => {
    const windows = [
      used(3600, 10, 10, '2026-11-20T11:06:00Z'),
      used(86_400, 40, 40, '2026-11-20T20:00:00Z'),
      used(60, 5, 1, '2026-11-20T10:30:00Z'),
    ]
    const limit = limitOf(
      anAllowance({ windows, models: [aModel('gpt_4', refusedBy('askedTooOften', '2026-11-20T20:00:00Z'))] }),
      asking,
      MODELS,
    )
    expect(limit === null ? null : fullWindow(limit)?.window_seconds).toBe(86_400)
  })
})
