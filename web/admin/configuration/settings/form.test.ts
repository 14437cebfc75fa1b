import { describe, expect, test } from 'vitest'
import { Configuration, type ConfigurationRead } from '#contract/configuration/configuration.ts'
import type { CredentialsRead } from '#contract/configuration/credentials.ts'
import { bodyToSave, type Edited, fieldsOf, isSameSetting, refusedRows, RESET, shownValue } from './form.ts'
import { mistakesIn } from './mistakes.ts'
import { ROW_SECTIONS, ROWS } from './rows.ts'

const LENGTH = 'asking.max_queue_length'
const KEY = 'credentials.openai_api_key'
const MAPPING = 'openai_api.model_code_mapping'

function read(values: object = {}, more: Partial<ConfigurationRead> = {}): ConfigurationRead {
  const about = { _version: 'v', _origins: {}, _set_secrets: [], _stored: {}, _variables: {} }
  return { ...Configuration.parse(values), ...about, ...more }
}

/** Nobody has set one, or somebody has at that time. */
function secrets(changed_at: string | null = null): CredentialsRead {
  const state = {
    set: changed_at !== null,
    last4: null,
    origin: null,
    variable: null,
    changed_by: null,
    kept_for: null,
    unreadable: false,
  }
  return { openai_web_access_token: '', openai_api_key: '', _set: { openai_api_key: { ...state, changed_at } } }
}

const rowOf = (path: string) => ROWS.find(row => row.path === path) ?? expect.unreachable(path)
const withValue = (path: string, value: unknown, base = read()): Edited => ({
  base,
  values: { [path]: value },
  isChanged: name => name === path,
})

const STORED = {
  [LENGTH]: {
    changed_by: 'Sue',
    changed_at: '2026-11-02T10:00:00Z',
    fallback: 200,
    fallback_origin: 'default' as const,
  },
}

describe('the rows', () => {
  test('are every setting, and both credentials behind the addresses they are for', () => {
    expect(ROWS.length).toBeGreaterThan(60)
    expect(
      ROW_SECTIONS.find(({ section }) => section === 'openai_api')
        ?.rows.map(({ key }) => key)
        .slice(0, 4),
    ).toEqual(['enabled', 'openai_base_url', 'openai_api_key', 'key_header'])
    expect(ROWS.map(({ path }) => path)).toContain('credentials.openai_web_access_token')
  })
})

const EMPTY = fieldsOf(read(), secrets())

describe('what is sent', () => {
  test('are the changes, in their sections, with what was seen before them', () => {
    const changed = { [LENGTH]: 5, 'portal.name': 'x' }
    expect(bodyToSave(changed, { [LENGTH]: EMPTY[LENGTH], 'portal.name': EMPTY['portal.name'] })).toEqual({
      asking: { max_queue_length: 5 },
      portal: { name: 'x' },
      expected: { asking: { max_queue_length: 200 }, portal: { name: null } },
    })
  })
  test('of one that goes back to the default is a reset', () => {
    expect(bodyToSave({ [LENGTH]: RESET }, { [LENGTH]: 5 })).toEqual({
      _reset: [LENGTH],
      expected: { asking: { max_queue_length: 5 } },
    })
  })
  test('of a credential stands beside them, with when it was set before', () => {
    const fields = fieldsOf(read(), secrets('2026-11-02T10:00:00Z'))
    expect(bodyToSave({ [KEY]: 'sk-1' }, { [KEY]: fields[KEY] })).toEqual({
      credentials: { openai_api_key: 'sk-1' },
      expected: { credentials: { openai_api_key: '2026-11-02T10:00:00Z' } },
    })
    expect(EMPTY[KEY]).toBe(null)
  })
})

describe('a change', () => {
  test('to the saved value is none, in whatever order its keys are', () => {
    const [mine, saved] = [
      { gpt_4: 'gpt-4', gpt_3_5: 'gpt-3.5-turbo' },
      { gpt_3_5: 'gpt-3.5-turbo', gpt_4: 'gpt-4' },
    ]
    expect(isSameSetting(read(), mine, saved, MAPPING)).toBe(true)
    expect(isSameSetting(read(), { ...mine, gpt_4: 'a' }, saved, MAPPING)).toBe(false)
  })
  test('back to the default is one while something is stored, and shows the value that will count', () => {
    const base = read({ asking: { max_queue_length: 200 } }, { _stored: STORED })
    expect(isSameSetting(base, RESET, 200, LENGTH)).toBe(false)
    expect(isSameSetting(read(), RESET, 200, LENGTH)).toBe(true)
    expect(shownValue(withValue(LENGTH, RESET, base), rowOf(LENGTH))).toBe(200)
  })
  test('of a credential shows what is entered, and nothing of what is stored', () => {
    const row = rowOf(KEY)
    expect(shownValue(withValue(KEY, 'sk-1'), row)).toBe('sk-1')
    expect(shownValue({ base: read(), values: { [KEY]: '2026-11-02T10:00:00Z' }, isChanged: () => false }, row)).toBe(
      '',
    )
  })
})

describe('what the server found wrong', () => {
  test('stands by its row, of settings and credentials', () => {
    const wrong = (...loc: string[]) => ({ loc: ['body', ...loc], msg: 'wrong' })
    expect(
      refusedRows([
        wrong('asking', 'max_queue_length'),
        wrong('credentials', 'openai_api_key'),
        wrong('openai_web_access_token'),
        wrong('nothing', 'else'),
      ]),
    ).toEqual({ [LENGTH]: 'wrong', [KEY]: 'wrong', 'credentials.openai_web_access_token': 'wrong' })
  })
})

describe('a wrong value', () => {
  test.each([
    [LENGTH, 0, 'between', { low: 1, high: 10_000 }, []],
    [LENGTH, 10_001, 'between', { low: 1, high: 10_000 }, []],
    [LENGTH, '5 or so', 'between', { low: 1, high: 10_000 }, []],
    ['new_users.total_ask_count', -2, 'between', { low: 0, high: 1_000_000_000 }, []],
    ['portal.name', 'x'.repeat(41), 'longest', { count: 40 }, []],
    ['openai_api.proxy', 'ftp://x', 'address', {}, []],
    ['openai_api.enabled_models', ['gpt_4', 'no code'], 'code', {}, [1]],
    [MAPPING, { 'no code': 'x' }, 'code', {}, ['no code']],
    [MAPPING, { gpt_4: '' }, 'needed', {}, ['gpt_4']],
    [
      MAPPING,
      [
        ['gpt_4', 'a'],
        ['gpt_4', 'b'],
      ],
      'twice',
      {},
      [],
    ],
    [
      'new_users.rate_limits',
      [{ window_seconds: 0, max_requests: 1 }],
      'between',
      { low: 1, high: 31_622_400 },
      [0, 'window_seconds'],
    ],
    [
      'new_users.daily_available_time_slots',
      [{ start_time: '9 o’clock', end_time: '10:00:00' }],
      'time',
      {},
      [0, 'start_time'],
    ],
    [
      'new_users.rate_limits',
      Array.from({ length: 21 }, () => ({ window_seconds: 1, max_requests: 1 })),
      'most',
      { count: 20 },
      [],
    ],
    ['credentials.openai_api_key', 'sk 1', 'token', {}, []],
  ])('of %s: %j', (path, value, reason, values, at) => {
    expect(Object.fromEntries(mistakesIn(withValue(path, value)))).toEqual({
      [path]: { key: `settings.wrong.${reason}`, values, at },
    })
  })
  test('is not one that the schema takes', () => {
    expect(mistakesIn(withValue(LENGTH, 10_000)).size).toBe(0)
    expect(mistakesIn(withValue('new_users.total_ask_count', 0)).size).toBe(0)
  })
})
