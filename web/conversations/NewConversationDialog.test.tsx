import { describe, expect, test } from 'vitest'
import { aModel, anAllowance, refusedBy } from '#web/users/allowance.testing.ts'
import { aUser } from '#web/foundation/api.testing.ts'
import { availabilityOf } from './NewConversationDialog.tsx'

const { setting } = aUser()
const OPENS = '2026-11-20T11:06:00.000Z'

describe('the availability of a model', () => {
  test('is the account’s own count until the allowance is known', () => {
    const counted = { ...setting, openai_api: { ...setting.openai_api, per_model_ask_count: { gpt_4: 5 } } }
    expect(availabilityOf(undefined, counted, 'openai_api', 'gpt_4')).toEqual({
      count: 5,
      window_seconds: null,
      opens_at: null,
    })
  })
  test('is that of the allowance then, with the window that leaves the fewest', () => {
    const windows = [{ window_seconds: 3600, max_requests: 10, used: 7, frees_at: OPENS }]
    expect(
      availabilityOf(
        anAllowance({ windows, models: [aModel('gpt_4', undefined, 12)] }),
        setting,
        'openai_api',
        'gpt_4',
      ),
    ).toEqual({ count: 3, window_seconds: 3600, opens_at: null })
  })
  test('returns at a time, or not by itself', () => {
    const models = [
      aModel('gpt_3_5', refusedBy('askedTooOften', OPENS)),
      aModel('gpt_4', refusedBy('noAvailableModelAskCount'), 0),
    ]
    expect(availabilityOf(anAllowance({ models }), setting, 'openai_api', 'gpt_3_5').opens_at).toBe(OPENS)
    expect(availabilityOf(anAllowance({ models }), setting, 'openai_api', 'gpt_4')).toMatchObject({
      count: 0,
      opens_at: null,
    })
  })
})
