import { Configuration } from '#contract/configuration/configuration.ts'
import { describe, expect, test } from 'vitest'
import { login, readMe, updateUserSetting, type UserRead } from '#contract/users.ts'
import type { UserSetting } from '#contract/limits.ts'
import { saveUser } from '#contract/userAdministration.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { eachDatabase } from '#testing/database.ts'
import { plainBox, servedUsers } from '#testing/servedUsers.ts'
import { IN_ALL, usageStore } from '#server/usage/store.ts'
import { readCustomApi } from './ownEndpoint.ts'

const PASSWORD = 'a-good-password'
const bertha = {
  username: 'bertha',
  nickname: 'Bertha',
  email: 'bertha@example.org',
  password: PASSWORD,
  is_active: true,
  is_superuser: false,
  is_verified: false,
}

const PLAN = {
  valid_days: 10,
  max_conv_count: 5,
  total_ask_count: 50,
  per_model_ask_count: { gpt_4: 7, gpt_4_mobile: 8 },
  allow_custom_openai_api: true,
  rate_limits: [{ window_seconds: 60, max_requests: 2 }],
  daily_available_time_slots: [{ start_time: '08:00:00', end_time: '18:00:00' }],
}

/** Bertha's settings, and an administrator who changes them. */
async function administered(
  open: OpenDatabase,
  ...options: Parameters<typeof servedUsers> extends [unknown, ...infer Rest] ? Rest : never
) {
  const portal = await servedUsers(open, ...options)
  await portal.users.createAdmin('root', PASSWORD)
  const { id } = await portal.users.createUser(bertha)
  const [root, own] = [portal.aBrowser(), portal.aBrowser()]
  await root.call(login, { body: { username: 'root', password: PASSWORD } })
  await own.call(login, { body: { username: 'bertha', password: PASSWORD } })
  const stored = async (): Promise<UserSetting> => (await portal.users.directory.read(id)).setting
  const sourceRow = async () =>
    await open.database
      .selectFrom('user_source_settings')
      .selectAll()
      .where('user_id', '=', id)
      .where('source', '=', 'openai_api')
      .executeTakeFirstOrThrow()
  return {
    ...portal,
    id,
    own,
    root,
    stored,
    sourceRow,
    ledger: () => open.database.selectFrom('ask_ledger').selectAll().execute(),
    ownEndpoint: () => readCustomApi(open.database, Configuration.parse({}), plainBox, id),
    change: (body: unknown) => root.call(updateUserSetting, { params: { id }, body }),
    shown: async () => ((await own.call(readMe)).result as UserRead).setting,
  }
}

describe('the settings of somebody', () => {
  eachDatabase((_, open) => {
    test('at first are the plan for new people', async () => {
      const { stored } = await administered(await open(), {
        settings: { new_users: PLAN },
      })
      const { openai_web, openai_api, credits } = await stored()
      expect(credits).toBe(0)
      for (const source of [openai_web, openai_api]) {
        expect(source).toMatchObject({
          allow_to_use: true,
          valid_until: '2027-01-25T08:00:00.000Z',
          max_conv_count: 5,
          total_ask_count: 50,
          rate_limits: [{ window_seconds: 60, max_requests: 2 }],
          daily_available_time_slots: [{ start_time: '08:00:00', end_time: '18:00:00' }],
        })
      }
      expect(openai_web.per_model_ask_count).toMatchObject({ gpt_3_5: -1, gpt_4: 7, gpt_4_mobile: 8, gpt_4_dalle: -1 })
      expect(openai_api).toMatchObject({
        per_model_ask_count: { gpt_3_5: -1, gpt_4: 7 },
        allow_custom_openai_api: true,
      })
    })
    test('follow the plan for new people where there is no value of their own, and stay where there is one', async () => {
      const { change, stored, configure } = await administered(await open(), { settings: { new_users: PLAN } })
      await change({ openai_api: { max_conv_count: 9 } })
      configure({ new_users: { ...PLAN, max_conv_count: 2, total_ask_count: 70 } })
      const { openai_web, openai_api } = await stored()
      expect([openai_web.max_conv_count, openai_api.max_conv_count]).toEqual([2, 9])
      expect([openai_web.total_ask_count, openai_api.total_ask_count]).toEqual([70, 70])
    })
    test('that are sent back as they were shown stay inherited', async () => {
      const { change, stored, sourceRow, ledger } = await administered(await open(), { settings: { new_users: PLAN } })
      const before = await sourceRow()
      expect((await change(await stored())).code).toBe(200)
      expect(await sourceRow()).toEqual(before)
      expect(await ledger()).toEqual([])
    })
    test('are changed in what was sent and in nothing else', async () => {
      const { change, stored } = await administered(await open())
      const before = await stored()
      const { result } = await change({
        credits: 2.5,
        openai_api: { max_conv_count: 3, per_model_ask_count: { gpt_4: 9 } },
      })
      const after = {
        ...before,
        credits: 2.5,
        openai_api: {
          ...before.openai_api,
          max_conv_count: 3,
          per_model_ask_count: { ...before.openai_api.per_model_ask_count, gpt_4: 9 },
        },
      }
      expect((result as UserRead).setting).toEqual(after)
      expect(await stored()).toEqual(after)
    })
    test('may be sent back whole, and whose they are cannot be changed with them', async () => {
      const { change, stored } = await administered(await open())
      const before = await stored()
      expect((await change({ ...before, id: 999, user_id: 1, openai_web_chat_status: 'asking' })).code).toBe(200)
      expect(await stored()).toEqual(before)
    })
    test('count on while they are being changed', async () => {
      const database = await open()
      const { change, stored, id } = await administered(database)
      await change({ openai_api: { total_ask_count: 10, per_model_ask_count: { gpt_4: 10 } } })
      const take = () => usageStore(database.database).take({ user_id: id, source: 'openai_api', model: IN_ALL }, 1)
      await Promise.all(
        Array.from({ length: 10 }, (_, count) =>
          count % 2 === 0 ? take() : change({ openai_api: { max_conv_count: count, allow_to_use: true } }),
        ),
      )
      expect((await stored()).openai_api.total_ask_count).toBe(5)
    })
    test('are saved with the account: both, or neither where one is refused', async () => {
      const { root, id, users } = await administered(await open())
      const save = async (account: object, setting: object) =>
        (await root.call(saveUser, { params: { id }, body: { account, setting } })).message
      const now = async () => {
        const { nickname, is_active, setting } = await users.directory.read(id)
        return [nickname, is_active, setting.credits]
      }
      expect(await save({ nickname: 'Bea' }, { credits: 2, expected: { credits: 0 } })).toBe('tips.requestSuccess')
      expect(await now()).toEqual(['Bea', true, 2])
      const conflict = { credits: 9, expected: { credits: 0 } }
      expect(await save({ nickname: 'Berta', is_active: false }, conflict)).toBe('errors.changedMeanwhile')
      expect(await save({ nickname: 'B', expected: { nickname: 'Bertha' } }, { credits: 9 })).toBe(
        'errors.changedMeanwhile',
      )
      expect(await save({ username: 'root' }, { credits: 9 })).toBe('errors.userAlreadyExists')
      expect(await save({ nickname: 'Berta' }, { credits: '9' })).toBe('errors.requestValidationError')
      expect(await now()).toEqual(['Bea', true, 2])
      expect((await root.call(saveUser, { params: { id: 999_999 }, body: {} })).message).toBe('errors.userNotExist')
    })
    test('of nobody are not found, and wrong ones change nothing', async () => {
      const { root, change, stored, own, id } = await administered(await open())
      const before = await stored()
      expect((await root.call(updateUserSetting, { params: { id: 999_999 }, body: { credits: 1 } })).message).toBe(
        'errors.userNotExist',
      )
      const wrong = [
        { credits: '1' },
        { openai_web: { max_conv_count: -2 } },
        { openai_web: { total_ask_count: 1.5 } },
        { openai_api: { valid_until: 'soon' } },
        { openai_api: { rate_limits: [{ window_seconds: 0, max_requests: 1 }] } },
        { openai_api: { available_models: ['*'] } },
        { openai_api: { daily_available_time_slots: [{ start_time: '24:00:00', end_time: '25:00:00' }] } },
        { openai_api: { per_model_ask_count: { gpt_4: -2 } } },
        { openai_api: { custom_openai_api_settings: { url: 'ftp://example.org', key: null } } },
      ]
      for (const body of wrong)
        expect((await change({ openai_web: { use_team: true }, ...body })).code, JSON.stringify(body)).toBe(422)
      expect((await own.call(updateUserSetting, { params: { id }, body: { credits: 1 } })).message).toBe(
        'errors.authorityDeny',
      )
      expect(await stored()).toEqual(before)
    })
  })
})

describe('the models of somebody', () => {
  const further = { code: 'qwen', label: 'Qwen', upstream_name: 'qwen3', context_length: null }

  eachDatabase((_, open) => {
    test('are every enabled one at first, and those that come later', async () => {
      const { stored, change, configure } = await administered(await open())
      const before = await stored()
      expect(before.openai_api.available_models).toEqual(['gpt_3_5', 'gpt_4'])
      await change(before)
      configure({ openai_api: { further_models: [further] } })
      const { openai_api } = await stored()
      expect(openai_api.available_models).toEqual(['gpt_3_5', 'gpt_4', 'qwen'])
      expect(openai_api.per_model_ask_count).toEqual({ gpt_3_5: -1, gpt_4: -1, qwen: -1 })
    })
    test('once chosen are those and no others', async () => {
      const { stored, change, configure } = await administered(await open())
      await change({ openai_api: { available_models: ['gpt_4', 'gpt_4', 'gone'] } })
      configure({ openai_api: { further_models: [further] } })
      expect((await stored()).openai_api.available_models).toEqual(['gpt_4', 'gone'])
      await change({ openai_api: { available_models: [] } })
      expect((await stored()).openai_api.available_models).toEqual([])
    })
    test('that are switched off for everybody are not shown to them, but kept', async () => {
      const { stored, shown, change } = await administered(await open(), {
        settings: { openai_api: { enabled_models: ['gpt_4'] } },
      })
      await change({ openai_api: { available_models: ['gpt_3_5', 'gpt_4'], per_model_ask_count: { gpt_3_5: 3 } } })
      expect((await shown()).openai_api.available_models).toEqual(['gpt_4'])
      expect((await stored()).openai_api.available_models).toEqual(['gpt_3_5', 'gpt_4'])
      expect((await shown()).openai_api.per_model_ask_count).toMatchObject({ gpt_3_5: 3, gpt_4: -1 })
    })
  })
})

describe('what is switched off for everybody', () => {
  eachDatabase((_, open) => {
    test('is off for each, and what is stored stays', async () => {
      const { stored, shown } = await administered(await open(), {
        settings: { openai_api: { enabled: false }, openai_web: { enabled: true, disable_uploading: true } },
      })
      expect((await shown()).openai_api.allow_to_use).toBe(false)
      expect((await shown()).openai_web).toMatchObject({ allow_to_use: true, disable_uploading: true })
      expect((await stored()).openai_api.allow_to_use).toBe(true)
      expect((await stored()).openai_web.disable_uploading).toBe(false)
    })
  })
})

describe('somebody’s own address and key', () => {
  const url = 'https://api.example.org/v1/'
  const key = 'sk-of-bertha-1234567890'
  const custom = (sent: { url: string | null; key: string | null }) => ({
    openai_api: { allow_custom_openai_api: true, custom_openai_api_settings: sent },
  })

  eachDatabase((_, open) => {
    test('are stored sealed, and the key is never sent back', async () => {
      const { change, shown, sourceRow, ownEndpoint } = await administered(await open())
      const { result } = await change(custom({ url, key }))
      expect((result as UserRead).setting.openai_api.custom_openai_api_settings).toEqual({ url, key: '' })
      expect((await shown()).openai_api.custom_openai_api_settings).toEqual({ url, key: '' })
      expect((await sourceRow()).custom_openai_api_key).not.toContain(key)
      expect(await ownEndpoint()).toMatchObject({ url, key })
    })
    test('are not there for who never had any', async () => {
      const { shown, ownEndpoint } = await administered(await open())
      expect((await shown()).openai_api.custom_openai_api_settings).toEqual({ url: null, key: null })
      expect(await ownEndpoint()).toBe(null)
    })
    test('stay when the key comes back blank, and go when it comes back as null', async () => {
      const { change, ownEndpoint } = await administered(await open())
      await change(custom({ url, key }))
      await change(custom({ url: 'https://api.example.org/other/', key: '' }))
      expect(await ownEndpoint()).toMatchObject({ url: 'https://api.example.org/other/', key })
      await change(custom({ url, key: null }))
      expect(await ownEndpoint()).toMatchObject({ url, key: null })
      await change(custom({ url: null, key }))
      expect(await ownEndpoint()).toBe(null)
    })
    test('part when the address is somebody else’s', async () => {
      const { change, ownEndpoint } = await administered(await open())
      await change(custom({ url, key }))
      await change(custom({ url: 'https://api.example.com/v1/', key: '' }))
      expect(await ownEndpoint()).toMatchObject({ url: 'https://api.example.com/v1/', key: null })
    })
    test('may not point into the portal’s own network, unless the start configuration lists the place', async () => {
      const { change, ownEndpoint, configure } = await administered(await open())
      const inside = [
        'http://127.0.0.1/v1/',
        'https://2130706433/',
        'https://0x7f.1/',
        'https://[::1]:8443/v1/',
        'https://[::ffff:7f00:1]/',
        'https://10.1.2.3:8443/',
        'https://169.254.169.254/',
        'https://localhost./',
        'https://a.localhost/',
        'https://inside.example.net/',
        'http://api.example.org/v1/',
      ]
      for (const address of inside)
        expect((await change(custom({ url: address, key }))).message, address).toBe('errors.addressNotAllowed')
      expect(await ownEndpoint()).toBe(null)
      configure({ auth: { allow_private_custom_urls: ['10.0.0.0/8'] } })
      expect((await change(custom({ url: 'https://10.1.2.3:8443/', key }))).code).toBe(200)
    })
    test('are not used while they are not allowed', async () => {
      const { change, ownEndpoint } = await administered(await open())
      await change(custom({ url, key }))
      await change({ openai_api: { allow_custom_openai_api: false } })
      expect(await ownEndpoint()).toBe(null)
    })
  })
})
