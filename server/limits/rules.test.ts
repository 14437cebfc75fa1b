import { describe, expect, test } from 'vitest'
import { WHOLE_DAY, DAY_END } from '#contract/limits.ts'
import {
  type AskFacts,
  conversationCount,
  firstRefusal,
  insideTimeSlot,
  modelAllowed,
  modelAskCount,
  modelOfKey,
  modelPaidFor,
  oneAtATime,
  opensAt,
  queueLength,
  rateLimits,
  stillValid,
  totalAskCount,
  uploadsAllowed,
  uploadsFitModel,
} from './rules.ts'

const NOON = Date.parse('2026-03-01T12:00:00Z')

type Change = Partial<Omit<AskFacts, 'setting'>> & { setting?: Partial<AskFacts['setting']> }

/** Somebody who may ask anything; the case changes what it is about. */
function facts({ setting, ...rest }: Change = {}): AskFacts {
  return {
    now: NOON,
    time_zone: 'UTC',
    plan: null,
    source_enabled: true,
    model: 'gpt_4',
    limit_use: [],
    has_price: true,
    share: null,
    currency: 'USD',
    model_enabled: true,
    new_conversation: false,
    key_models: null,
    charged: 1000,
    attachments: 0,
    takes_files: null,
    takes_pictures: null,
    files_here: false,
    images: 0,
    uploading_disabled: false,
    model_ask_count: undefined,
    valid_conversations: 0,
    recent_asks: [],
    running: 0,
    max_running: 1,
    waiting: 0,
    max_waiting: 200,
    setting: {
      allow_to_use: true,
      valid_until: null,
      max_conv_count: -1,
      total_ask_count: -1,
      rate_limits: [],
      daily_available_time_slots: [WHOLE_DAY],
      available_models: ['*'],
      ...setting,
    },
    ...rest,
  }
}

describe('the models of a key', () => {
  test('are all that its owner may ask where it names none', () => {
    expect(modelOfKey(facts({ key_models: null }))).toBe(null)
  })
  test('are those that it names', () => {
    expect(modelOfKey(facts({ key_models: ['gpt_4'] }))).toBe(null)
    expect(modelOfKey(facts({ key_models: ['gpt_4o', 'o1'] }))).toEqual({
      key: 'userNotAllowToUseModel',
      values: { model: 'gpt_4', of_key: true },
      opens_at: null,
    })
  })
  test('are heard of after those of its owner', () => {
    const { key, values } = firstRefusal(facts({ key_models: [], setting: { available_models: [] } })) ?? {}
    expect(key).toBe('userNotAllowToUseGPT4Model')
    expect(values).not.toHaveProperty('of_key')
  })
})

describe('total ask count', () => {
  test('-1 means unlimited', () => {
    expect(totalAskCount(facts())).toBe(null)
  })
  test('what remains may be asked', () => {
    expect(totalAskCount(facts({ setting: { total_ask_count: 1 } }))).toBe(null)
  })
  test('nothing left is refused', () => {
    expect(totalAskCount(facts({ setting: { total_ask_count: 0 } }))?.key).toBe('noAvailableTotalAskCount')
  })
})

describe('per model ask count', () => {
  test('a model without an entry is unlimited', () => {
    expect(modelAskCount(facts({ model_ask_count: undefined }))).toBe(null)
  })
  test('-1 means unlimited', () => {
    expect(modelAskCount(facts({ model_ask_count: -1 }))).toBe(null)
  })
  test('nothing left of this model is refused', () => {
    expect(modelAskCount(facts({ model_ask_count: 0 }))).toMatchObject({
      key: 'noAvailableGPT4AskCount',
      values: { model: 'gpt_4' },
    })
    expect(modelAskCount(facts({ model: 'gpt_3_5', model_ask_count: 0 }))?.key).toBe('noAvailableModelAskCount')
  })
})

describe('validity', () => {
  test('ends after its last moment', () => {
    expect(stillValid(facts({ setting: { valid_until: NOON } }))).toBe(null)
    expect(stillValid(facts({ setting: { valid_until: NOON - 1 } }))?.key).toBe('userChatTypeExpired')
  })
  test('without an end is for ever', () => {
    expect(stillValid(facts({ setting: { valid_until: null } }))).toBe(null)
  })
})

describe('daily time slots', () => {
  test('none at all means always', () => {
    expect(insideTimeSlot(facts({ setting: { daily_available_time_slots: [] } }))).toBe(null)
  })
  test('outside of all is refused, and the slots are told', () => {
    const slots = [{ start_time: '18:00:00', end_time: '20:00:00' }]
    expect(insideTimeSlot(facts({ setting: { daily_available_time_slots: slots } }))).toEqual({
      key: 'userNotAllowToAskAtThisTime',
      values: { slots: '18:00–20:00' },
      opens_at: Date.parse('2026-03-01T18:00:00Z'),
    })
  })
  test('to the end of the day are told as people write it', () => {
    const slots = [{ start_time: '22:00:00', end_time: DAY_END }]
    expect(insideTimeSlot(facts({ setting: { daily_available_time_slots: slots } }))?.values).toEqual({
      slots: '22:00–24:00',
    })
  })
  test('are those of the portal’s zone', () => {
    const slots = [{ start_time: '19:00:00', end_time: '21:00:00' }]
    expect(insideTimeSlot(facts({ time_zone: 'Asia/Shanghai', setting: { daily_available_time_slots: slots } }))).toBe(
      null,
    )
  })
})

describe('available models', () => {
  test('a listed model may be used, another may not', () => {
    expect(modelAllowed(facts({ setting: { available_models: ['gpt_4'] } }))).toBe(null)
    const refusedTo = (model: string, available_models: string[], plan: AskFacts['plan'] = 'free') =>
      modelAllowed(facts({ plan, model, setting: { available_models } }))?.key
    expect(refusedTo('gpt_3_5', ['gpt_4'])).toBe('userNotAllowToUseModel')
    expect(refusedTo('gpt_4_dalle', ['gpt_4'])).toBe('userNotAllowToUseGPT4Model')
    expect(refusedTo('gpt_4', ['gpt_3_5'])).toBe('userNotAllowToUsePaidModel')
    expect(refusedTo('gpt_4', ['gpt_3_5'], null)).toBe('userNotAllowToUseGPT4Model')
    expect(refusedTo('gpt_40', ['gpt_3_5'])).toBe('userNotAllowToUseModel')
  })
  test('that are paid for need an account with a paid plan', () => {
    const paid = { model: 'gpt_4_plugins' } as const
    expect(modelPaidFor(facts({ ...paid, plan: 'free' }))?.key).toBe('paidModelNotAvailable')
    expect(modelPaidFor(facts({ ...paid, plan: 'paid' }))).toBe(null)
    expect(modelPaidFor(facts({ ...paid, model: 'gpt_3_5', plan: 'free' }))).toBe(null)
    expect(modelPaidFor(facts({ ...paid, plan: null }))).toBe(null)
  })
})

describe('the number of conversations', () => {
  test('counts only when a new one is begun', () => {
    const full = { setting: { max_conv_count: 2 }, valid_conversations: 2 }
    expect(conversationCount(facts({ ...full, new_conversation: true }))?.key).toBe('maxConversationCountReached')
    expect(conversationCount(facts({ ...full, new_conversation: false }))).toBe(null)
  })
})

describe('rate limits', () => {
  const limit = { rate_limits: [{ window_seconds: 10, max_requests: 3 }] }
  const ago = (...seconds: number[]) => seconds.map(second => NOON - second * 1000)

  test('let the last allowed ask of a window pass', () => {
    expect(rateLimits(facts({ setting: limit, recent_asks: ago(9, 2) }))).toBe(null)
  })
  test('refuse the next and say when the oldest leaves the window', () => {
    expect(rateLimits(facts({ setting: limit, recent_asks: ago(9, 5, 2) }))).toEqual({
      key: 'askedTooOften',
      values: { retry_after_seconds: 1 },
      opens_at: NOON + 1000,
    })
  })
  test('open exactly when that moment has come', () => {
    expect(rateLimits(facts({ setting: limit, recent_asks: ago(10, 5, 2) }))).toBe(null)
  })
  test('keep nobody waiting for hours after the clock was set back', () => {
    expect(rateLimits(facts({ setting: limit, recent_asks: ago(-3_600, -3_601, -3_602) }))).toBe(null)
    expect(rateLimits(facts({ setting: limit, recent_asks: ago(1, -2, -4) }))?.values).toEqual({
      retry_after_seconds: 9,
    })
  })
  test('of several windows tell the one that stays full longest', () => {
    const both = { rate_limits: [...limit.rate_limits, { window_seconds: 60, max_requests: 3 }] }
    expect(rateLimits(facts({ setting: both, recent_asks: ago(9, 5, 2) }))?.values).toEqual({ retry_after_seconds: 51 })
  })
})

describe('uploads', () => {
  test('are refused while they are disabled, and only if there are any', () => {
    expect(uploadsAllowed(facts({ uploading_disabled: true, attachments: 1 }))?.key).toBe('uploadingNotAllowed')
    expect(uploadsAllowed(facts({ uploading_disabled: true }))).toBe(null)
  })
  test('are for the models that read files, pictures for the one that looks at them', () => {
    const refused = (shape: Partial<AskFacts>) => uploadsFitModel(facts(shape))?.key
    expect(refused({ attachments: 1, takes_files: false, takes_pictures: true })).toBe('uploadingNotAllowed')
    expect(refused({ images: 1, takes_files: true, takes_pictures: false })).toBe('uploadingNotAllowed')
    expect(refused({ images: 1, takes_pictures: false, files_here: true })).toBe('openai.picturesNotTaken')
    expect(refused({ attachments: 1, takes_files: false, files_here: true })).toBe('openai.filesNotTaken')
    expect(refused({ attachments: 1, images: 1, takes_files: true, takes_pictures: true })).toBe(undefined)
    expect(refused({ takes_files: false, takes_pictures: false })).toBe(undefined)
  })
  test('are not refused where nobody knows what the model takes: its endpoint says so', () => {
    expect(uploadsFitModel(facts({ attachments: 1, images: 1, takes_files: null, takes_pictures: null }))).toBe(null)
  })
})

describe('one ask at a time', () => {
  test('the second is refused', () => {
    expect(oneAtATime(facts({ running: 1 }))?.key).toBe('cannotConnectMoreThanOneClient')
  })
  test('more are possible where the setting says so', () => {
    expect(oneAtATime(facts({ running: 1, max_running: 2 }))).toBe(null)
  })
})

describe('the queue', () => {
  test('has a greatest length', () => {
    expect(queueLength(facts({ waiting: 200 }))?.key).toBe('queueFull')
    expect(queueLength(facts({ waiting: 199 }))).toBe(null)
  })
})

describe('the rules together', () => {
  test('report the first that refuses, in the order people are to hear of them', () => {
    const all = facts({
      source_enabled: false,
      model_enabled: false,
      running: 1,
      setting: { allow_to_use: false, valid_until: NOON - 1, available_models: [], total_ask_count: 0 },
    })
    expect(firstRefusal(all)?.key).toBe('userNotAllowToUseChatType')
    expect(firstRefusal({ ...all, setting: { ...all.setting, allow_to_use: true } })?.key).toBe('chatTypeNotEnabled')
  })
  test('have nothing against somebody who may ask anything', () => {
    expect(firstRefusal(facts())).toBe(null)
  })
})

describe('the moment at which one may ask', () => {
  const evening = { daily_available_time_slots: [{ start_time: '18:00:00', end_time: '20:00:00' }] }

  test('is now when nothing is against it', () => {
    expect(opensAt(facts())).toBe(NOON)
  })
  test('is the opening of the last rule to open', () => {
    const both = { ...evening, rate_limits: [{ window_seconds: 7 * 3600, max_requests: 1 }] }
    expect(opensAt(facts({ setting: both, recent_asks: [NOON - 1000] }))).toBe(NOON + 7 * 3600_000 - 1000)
  })
  test('is in the next slot when the window opens after this one has closed', () => {
    const both = { ...evening, rate_limits: [{ window_seconds: 9 * 3600, max_requests: 1 }] }
    expect(opensAt(facts({ setting: both, recent_asks: [NOON - 1000] }))).toBe(Date.parse('2026-03-02T18:00:00Z'))
  })
  test('never comes when waiting does not help', () => {
    expect(opensAt(facts({ setting: { total_ask_count: 0 } }))).toBe(null)
    expect(opensAt(facts({ setting: { rate_limits: [{ window_seconds: 10, max_requests: 0 }] } }))).toBe(null)
  })
  test('never comes when the validity ends before it', () => {
    expect(opensAt(facts({ setting: { ...evening, valid_until: NOON + 3600_000 } }))).toBe(null)
  })
})

describe('waiting', () => {
  test('until the moment always works, and a millisecond less never does', () => {
    let seed = 11
    const random = (below: number) => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) % below
    const time = () => `${String(random(24)).padStart(2, '0')}:${String(random(60)).padStart(2, '0')}:00`
    let waits = 0
    for (let round = 0; round < 1000; round++) {
      const asked = Array.from({ length: random(8) }, () => NOON - random(100_000) * 1000).sort((a, b) => a - b)
      const one = facts({
        time_zone: ['UTC', 'Asia/Shanghai', 'America/New_York'][random(3)] ?? 'UTC',
        recent_asks: asked,
        setting: {
          daily_available_time_slots: Array.from({ length: random(3) }, () => ({
            start_time: time(),
            end_time: time(),
          })),
          rate_limits: Array.from({ length: random(3) }, () => ({
            window_seconds: 1 + random(100_000),
            max_requests: 1 + random(4),
          })),
        },
      })
      const opening = opensAt(one)
      if (opening === null || opening === one.now) continue
      waits += 1
      expect(firstRefusal({ ...one, now: opening })).toBe(null)
      expect(firstRefusal({ ...one, now: opening - 1 })).not.toBe(null)
    }
    expect(waits).toBeGreaterThan(100)
  })
})
