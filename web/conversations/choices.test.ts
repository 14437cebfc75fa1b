import { describe, expect, test } from 'vitest'
import { UNKNOWN_CAPABILITIES } from '#contract/models.ts'
import type { UserSetting } from '#contract/limits.ts'
import type { Portal } from '#contract/status.ts'
import { aPortal } from '#web/foundation/api.testing.ts'
import { bestSelection, modelChoices, remainingOf, sourceChoices } from './choices.ts'

const now = new Date('2026-11-20T06:00:00Z')
const model = (source: 'openai_web' | 'openai_api', code: string) => ({
  source,
  code,
  label: null,
  ...UNKNOWN_CAPABILITIES,
})

const somePortal = (more: Partial<Portal> = {}) =>
  aPortal({
    time_zone: 'Asia/Shanghai',
    sources: [
      { source: 'openai_web', enabled: true },
      { source: 'openai_api', enabled: true },
    ],
    models: [model('openai_web', 'gpt_4'), model('openai_api', 'gpt_3_5'), model('openai_api', 'gpt_4')],
    ...more,
  })

function aSetting(
  api: Partial<UserSetting['openai_api']> = {},
  web: Partial<UserSetting['openai_web']> = {},
): UserSetting {
  const open = {
    allow_to_use: true,
    valid_until: null,
    max_conv_count: -1,
    total_ask_count: -1,
    rate_limits: [],
    daily_available_time_slots: [],
    available_models: ['gpt_3_5', 'gpt_4'],
    per_model_ask_count: {},
  }
  return {
    id: 1,
    user_id: 1,
    credits: 0,
    openai_web_chat_status: 'idling',
    openai_web: { ...open, disable_uploading: false, use_team: false, ...web },
    openai_api: {
      ...open,
      allow_custom_openai_api: false,
      custom_openai_api_settings: { url: null, key: null },
      ...api,
    },
  }
}

describe('a source', () => {
  const disabledReason = (portal: Portal, setting: UserSetting) =>
    sourceChoices(portal, setting, now)[1]?.disabledReason

  test('that is open to the user may be chosen', () => {
    expect(disabledReason(somePortal(), aSetting())).toBe(null)
  })
  test('cannot be chosen when allow_to_use is false', () => {
    expect(disabledReason(somePortal(), aSetting({ allow_to_use: false }))).toBe('sourceNotAllowed')
  })
  test('cannot be chosen when it is not enabled', () => {
    expect(
      disabledReason(
        somePortal({
          sources: [
            { source: 'openai_web', enabled: true },
            { source: 'openai_api', enabled: false },
          ],
        }),
        aSetting(),
      ),
    ).toBe('sourceDisabled')
  })
  test('cannot be chosen after its last day', () => {
    expect(disabledReason(somePortal(), aSetting({ valid_until: now.toISOString() }))).toBe('sourceExpired')
  })
})

describe('the models of a source', () => {
  test('are those of the portal that the user may use', () => {
    expect(
      modelChoices(somePortal(), aSetting({ available_models: ['gpt_4'] }), 'openai_api').map(({ code }) => code),
    ).toEqual(['gpt_4'])
  })
})

describe('what remains', () => {
  test('of -1 or a missing value is unlimited', () => {
    expect(remainingOf(aSetting(), 'openai_api', 'gpt_4')).toBe(null)
    expect(remainingOf(aSetting({ per_model_ask_count: { gpt_4: -1 } }), 'openai_api', 'gpt_4')).toBe(null)
  })
  test('is the smaller of the model’s and the total', () => {
    expect(
      remainingOf(aSetting({ per_model_ask_count: { gpt_4: 12 }, total_ask_count: 5 }), 'openai_api', 'gpt_4'),
    ).toBe(5)
    expect(
      remainingOf(aSetting({ per_model_ask_count: { gpt_4: 3 }, total_ask_count: 5 }), 'openai_api', 'gpt_4'),
    ).toBe(3)
  })
})

describe('the selection to begin with', () => {
  const best = (setting: UserSetting, source: 'openai_web' | 'openai_api' | null, code: string | null) =>
    bestSelection(somePortal(), setting, { source, model: code }, now)

  test('is the last one', () => {
    expect(best(aSetting(), 'openai_api', 'gpt_4')).toEqual({ source: 'openai_api', model: 'gpt_4' })
  })
  test('is another source when the last one is not allowed any more', () => {
    expect(best(aSetting({ allow_to_use: false }), 'openai_api', 'gpt_4')).toEqual({
      source: 'openai_web',
      model: 'gpt_4',
    })
  })
  test('is another model when the last one is used up', () => {
    expect(best(aSetting({ per_model_ask_count: { gpt_4: 0 } }), 'openai_api', 'gpt_4')).toEqual({
      source: 'openai_api',
      model: 'gpt_3_5',
    })
  })
  test('is none when nothing may be used', () => {
    expect(best(aSetting({ allow_to_use: false }, { available_models: [] }), null, null)).toBe(null)
  })
})
