import { describe, expect, test } from 'vitest'
import { Configuration, type ConfigurationRead } from '#contract/configuration/configuration.ts'
import type { CredentialsRead } from '#contract/configuration/credentials.ts'
import { bodyToSave, edited, type Form, keptMine, newForm, rebased, shownValue, undone } from './form.ts'
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
const withValue = (form: Form, path: string, value: unknown) => edited(form, rowOf(path), { value })

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

describe('a change', () => {
  test('is sent with the version that was read, and nothing else is', () => {
    const form = withValue(withValue(newForm(read(), secrets()), LENGTH, 5), 'portal.name', 'x')
    expect(bodyToSave(form)).toEqual({ _version: 'v', asking: { max_queue_length: 5 }, portal: { name: 'x' } })
    expect(bodyToSave(newForm(read(), secrets()))).toEqual({})
  })
  test('back to the saved value is none, in whatever order its keys are', () => {
    const form = withValue(newForm(read(), secrets()), MAPPING, { gpt_4: 'a', gpt_3_5: 'gpt-3.5-turbo' })
    expect(form.edits.size).toBe(1)
    expect(withValue(form, MAPPING, { gpt_4: 'gpt-4', gpt_3_5: 'gpt-3.5-turbo' }).edits.size).toBe(0)
    expect(undone(form, MAPPING).edits.size).toBe(0)
  })
  test('back to the default is sent as a reset, and shows the value that will count', () => {
    const form = edited(
      newForm(read({ asking: { max_queue_length: 5 } }, { _stored: STORED }), secrets()),
      rowOf(LENGTH),
      'reset',
    )
    expect(shownValue(form, rowOf(LENGTH))).toBe(200)
    expect(bodyToSave(form)).toEqual({ _version: 'v', _reset: [LENGTH] })
  })
  test('of a credential is sent beside them with when it was set before, and blank keeps it', () => {
    const form = withValue(withValue(newForm(read(), secrets('2026-11-02T10:00:00Z')), LENGTH, 5), KEY, 'sk-1')
    expect(bodyToSave(form)).toEqual({
      _version: 'v',
      asking: { max_queue_length: 5 },
      credentials: { openai_api_key: 'sk-1' },
      expected: { openai_api_key: '2026-11-02T10:00:00Z' },
    })
    expect(bodyToSave(withValue(newForm(read(), secrets()), KEY, 'sk-1'))).toEqual({
      credentials: { openai_api_key: 'sk-1' },
      expected: { openai_api_key: null },
    })
    expect([...withValue(form, KEY, '').edits.keys()]).toEqual([LENGTH])
  })
})

describe('what somebody else changes meanwhile', () => {
  const form = withValue(withValue(newForm(read(), secrets()), LENGTH, 5), 'portal.name', 'mine')

  test('is taken over, and one’s own changes stay', () => {
    const next = rebased(form, read({ log: { console_log_level: 'DEBUG' } }, { _version: 'w' }), secrets())
    expect(next.conflicts.size).toBe(0)
    expect(bodyToSave(next)).toEqual({ _version: 'w', asking: { max_queue_length: 5 }, portal: { name: 'mine' } })
  })
  test('to the same value is no change of one’s own any more', () => {
    expect([...rebased(form, read({ asking: { max_queue_length: 5 } }), secrets()).edits.keys()]).toEqual([
      'portal.name',
    ])
  })
  test('to another value has to be chosen: theirs or mine', () => {
    const next = rebased(form, read({ asking: { max_queue_length: 7 } }), secrets())
    expect([...next.conflicts]).toEqual([LENGTH])
    expect(shownValue(undone(next, LENGTH), rowOf(LENGTH))).toBe(7)
    const mine = keptMine(next, LENGTH)
    expect([mine.conflicts.size, shownValue(mine, rowOf(LENGTH))]).toEqual([0, 5])
  })
})

describe('a credential that somebody else sets meanwhile', () => {
  test('has to be chosen, and mine is sent with when theirs was set', () => {
    const form = withValue(newForm(read(), secrets()), KEY, 'sk-mine')
    expect(rebased(form, read(), secrets()).conflicts.size).toBe(0)
    const next = rebased(form, read(), secrets('2026-11-02T10:00:00Z'))
    expect([...next.conflicts]).toEqual([KEY])
    expect(bodyToSave(keptMine(next, KEY)).expected).toEqual({ openai_api_key: '2026-11-02T10:00:00Z' })
    expect(bodyToSave(undone(next, KEY))).toEqual({})
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
    expect(Object.fromEntries(mistakesIn(withValue(newForm(read(), secrets()), path, value)))).toEqual({
      [path]: { key: `settings.wrong.${reason}`, values, at },
    })
  })
  test('is not one that the schema takes', () => {
    const form = withValue(withValue(newForm(read(), secrets()), LENGTH, 10_000), 'new_users.total_ask_count', 0)
    expect(mistakesIn(form).size).toBe(0)
  })
})
