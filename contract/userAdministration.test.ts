import { describe, expect, test } from 'vitest'
import { changeUsers, MAX_CHOSEN } from './bulk.ts'
import { createUser, endUserSession, listLedger, listUserPage } from './userAdministration.ts'
import { updateUserSetting } from './users.ts'

const accepts = (schema: { safeParse(value: unknown): { success: boolean } }, value: unknown) =>
  schema.safeParse(value).success

const change = (body: object) => ({ selection: { ids: [1] }, change: body })
const counted = (about: object) => change({ sources: ['openai_api'], count: 'total', ...about })

describe('what is sent about people', () => {
  test.each([
    [listUserPage.query, { page: '1', size: '200', words: 'x'.repeat(200) }, { page: '0' }],
    [listUserPage.query, { page: '99999' }, { page: '100000' }],
    [listUserPage.query, {}, { words: 'x'.repeat(201) }],
    [listUserPage.query, { size: '20' }, { size: '21' }],
    [listUserPage.query, { sort: 'used_share', model: 'gpt_4' }, { sort: 'password_hash' }],
    [listUserPage.query, { state: 'idling', role: 'user', expiry: 'soon' }, { state: 'away' }],
    [listUserPage.query, { words: '\u{1F600}' }, { words: 'a'.repeat(201) }],
    [listLedger.query, { page: '2', source: 'openai_web' }, { source: 'web' }],
    [endUserSession.params, { id: '1', session: 'a'.repeat(22) }, { id: '1', session: 'a'.repeat(21) }],
    [
      endUserSession.params,
      { id: '9'.repeat(15), session: '-'.repeat(22) },
      { id: '9'.repeat(16), session: '-'.repeat(22) },
    ],
    [changeUsers.body, change({ action: 'activate' }), change({ action: 'remove' })],
    [
      changeUsers.body,
      { ...change({ action: 'activate' }), dry_run: true },
      { ...change({ action: 'activate' }), dry_run: 'yes' },
    ],
    [
      changeUsers.body,
      change({ action: 'extend', sources: ['openai_web'], days: 1 }),
      change({ action: 'extend', sources: ['openai_web'], days: 0 }),
    ],
    [
      changeUsers.body,
      change({ action: 'extend', sources: ['openai_web'], days: 3660 }),
      change({ action: 'extend', sources: ['openai_web'], days: 3661 }),
    ],
    [
      changeUsers.body,
      change({ action: 'extend', sources: ['openai_web'], days: 7 }),
      change({ action: 'extend', sources: [], days: 7 }),
    ],
    [
      changeUsers.body,
      change({ action: 'validUntil', sources: ['openai_web'], until: null }),
      change({ action: 'validUntil', sources: ['openai_web'], until: '2026' }),
    ],
    [changeUsers.body, counted({ action: 'set', value: -1 }), counted({ action: 'set', value: -2 })],
    [
      changeUsers.body,
      counted({ action: 'set', value: 1_000_000_000 }),
      counted({ action: 'set', value: 1_000_000_001 }),
    ],
    [changeUsers.body, counted({ action: 'add', value: 1 }), counted({ action: 'add', value: 0 })],
    [changeUsers.body, counted({ action: 'add', value: 1_000_000 }), counted({ action: 'add', value: 1_000_001 })],
    [
      changeUsers.body,
      counted({ action: 'add', count: 'model', model: 'gpt_4', value: 1 }),
      counted({ action: 'add', count: 'model', value: 1 }),
    ],
    [changeUsers.body, counted({ action: 'add', value: 1 }), counted({ action: 'add', model: 'gpt_4', value: 1 })],
    [changeUsers.body, chosen(Array(MAX_CHOSEN).fill(1)), chosen(Array(MAX_CHOSEN + 1).fill(1))],
    [changeUsers.body, chosen([999_999_999_999_999]), chosen([1_000_000_000_000_000])],
    [changeUsers.body, chosen([1]), chosen([])],
    [changeUsers.body, chosen([1]), chosen([0])],
    [changeUsers.body, found({ words: 'a' }, 0), found({ words: 'a' }, -1)],
    [changeUsers.body, found({}, 10_000_000), found({ state: 'away' }, 1)],
    [createUser.body, person({ password: '' }), person({ password: 'sixsix' })],
    [createUser.body, person({}), person({ username: 'x'.repeat(33) })],
    [updateUserSetting.body, { openai_api: { total_ask_allowed: -1 } }, { openai_api: { total_ask_allowed: -2 } }],
    [
      updateUserSetting.body,
      { openai_web: { per_model_ask_allowed: { gpt_4: 1_000_000_000 } } },
      { openai_web: { per_model_ask_allowed: { gpt_4: 1_000_000_001 } } },
    ],
  ])('is taken at its bounds, and refused beyond them: %#', (schema, good, bad) => {
    expect(accepts(schema, good)).toBe(true)
    expect(accepts(schema, bad)).toBe(false)
  })
})

function chosen(ids: number[]) {
  return { selection: { ids }, change: { action: 'activate' } }
}

function found(filter: object, count: number) {
  return { selection: { filter, found: count }, change: { action: 'activate' } }
}

function person(about: object) {
  return { username: 'lin', nickname: 'Lin', email: 'lin@example.org', ...about }
}
