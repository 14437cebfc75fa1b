import { describe, expect, test } from 'vitest'
import { UserRead, UserReadAdmin } from '#contract/users.ts'
import { Configuration } from '#contract/configuration/configuration.ts'
import { type Source, SOURCES } from '#contract/models.ts'
import { type EffectiveSetting, effectiveSetting } from '#server/policy/effectiveSetting.ts'
import { explicitModels, UNLIMITED_VALUES } from '#server/policy/plans.ts'
import { aSettingRow } from '#testing/rows.ts'
import { adminView, ownView, type AccountRecord } from './userView.ts'

const configuration = Configuration.parse({})

function stored(
  setting: Partial<EffectiveSetting> = {},
  models: Partial<Record<Source, Record<string, number>>> = {},
): AccountRecord {
  return {
    user: {
      id: 7,
      username: 'anna',
      nickname: 'Anna',
      email: 'anna@example.org',
      password_hash: '$argon2id$hidden',
      is_active: true,
      is_superuser: false,
      is_verified: true,
      avatar: null,
      remark: 'pays late',
      create_time: 0,
      search_text: '',
      erase_time: null,
      hold_time: null,
      hold_reason: null,
      signed_out_time: null,
      last_active_time: 1_000,
    },
    credits: 1.5,
    chat_status: 'queueing',
    own_key_unreadable: false,
    sources: SOURCES.map(source => {
      const row = aSettingRow({ user_id: 7, source, ...UNLIMITED_VALUES.sources[source], has_own_validity: true })
      const allowances = Object.entries(models[source] ?? {}).map(([model, ask_allowed]) => ({ model, ask_allowed }))
      return { ...effectiveSetting({ row, allowances, used: [] }, configuration, 0), ...setting }
    }),
  }
}

describe('the view of an account', () => {
  test('is what the contract declares, and nothing more', () => {
    expect(ownView(stored(), configuration)).toEqual(UserRead.parse(ownView(stored(), configuration)))
    expect(adminView(stored(), configuration)).toEqual(UserReadAdmin.parse(adminView(stored(), configuration)))
  })
  test('holds no password hash, and the remark only for administrators', () => {
    expect(JSON.stringify([ownView(stored(), configuration), adminView(stored(), configuration)])).not.toContain(
      'hidden',
    )
    expect(adminView(stored(), configuration).remark).toBe('pays late')
    expect('remark' in ownView(stored(), configuration)).toBe(false)
  })
  test('says times with their zone', () => {
    expect(ownView(stored(), configuration)).toMatchObject({
      create_time: '1970-01-01T00:00:00.000Z',
      last_active_time: '1970-01-01T00:00:01.000Z',
    })
  })
  test('says what the person is doing now', () => {
    expect(ownView(stored(), configuration).setting).toMatchObject({
      user_id: 7,
      credits: 1.5,
      openai_web_chat_status: 'queueing',
    })
  })
  test('shows a key of their own as blank where there is one', () => {
    const own = { custom_openai_api_url: 'https://api.example.org/', custom_openai_api_key: 'v1.sealed' }
    expect(adminView(stored(own), configuration).setting.openai_api.custom_openai_api_settings).toEqual({
      url: 'https://api.example.org/',
      key: '',
    })
  })
  test('cannot be made without the settings', () => {
    expect(() => ownView({ ...stored(), sources: [] }, configuration)).toThrow('no settings for openai_web')
  })
})

describe('the models in it', () => {
  test('are named one by one, those of a list as they stand there', () => {
    expect(explicitModels(['*'], configuration, 'openai_api')).toEqual(['gpt_3_5', 'gpt_4'])
    expect(explicitModels(['gone', 'gpt_4'], configuration, 'openai_api')).toEqual(['gone', 'gpt_4'])
    expect(explicitModels([], configuration, 'openai_api')).toEqual([])
  })
  test('have a count each: what is stored, else unlimited; those of the other source do not mix in', () => {
    const counts = { openai_api: { gpt_4: 3, old: 2 }, openai_web: { gpt_3_5: 0 } }
    const { openai_api, openai_web } = ownView(
      stored({ available_models: ['gpt_4', 'qwen'] }, counts),
      configuration,
    ).setting
    expect(openai_api.per_model_ask_count).toEqual({ gpt_3_5: -1, gpt_4: 3, qwen: -1, old: 2 })
    expect(openai_web.per_model_ask_count).toMatchObject({ gpt_3_5: 0, gpt_4: -1, gpt_4_dalle: -1 })
  })
})
