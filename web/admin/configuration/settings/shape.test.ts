import { describe, expect, test } from 'vitest'
import { exportedSettings, exportName } from './form.ts'
import { ROWS } from './rows.ts'
import { scaleFor, storedTime, writtenTime } from './units.ts'
import { Configuration } from '#contract/configuration/configuration.ts'

const shapeAt = (path: string) => ROWS.find(row => row.path === path)?.shape

describe('the shape of a setting', () => {
  test.each([
    ['log.console_log_level', { kind: 'choice', nullable: false, options: ['INFO', 'DEBUG', 'WARNING'] }],
    ['openai_api.shared_limit', { kind: 'integer', nullable: true, low: 1, high: 1_000_000, unit: 'asks' }],
    ['openai_api.openai_base_url', { kind: 'text', nullable: true, format: 'address', longest: 2000 }],
    ['portal.time_zone', { kind: 'text', nullable: false, format: null, longest: 64 }],
    ['openai_api.enabled_models', { kind: 'list', most: 200, item: { kind: 'text', format: 'code' } }],
    ['openai_api.model_code_mapping', { kind: 'mapping', value: { kind: 'text' } }],
    ['new_users.per_model_ask_count', { kind: 'mapping', value: { kind: 'integer', low: -1, unit: 'asks' } }],
    [
      'new_users.rate_limits',
      { item: { fields: [{ name: 'window_seconds', shape: { unit: 'seconds' } }, { name: 'max_requests' }] } },
    ],
    ['new_users.daily_available_time_slots', { item: { fields: [{ shape: { format: 'time' } }, {}] } }],
  ])('%s is read from its schema', (path, shape) => {
    expect(shapeAt(path)).toMatchObject(shape)
  })
})

describe('a number', () => {
  test.each([
    ['seconds', 600, 'seconds'],
    ['seconds', 10_800, 'hours'],
    ['seconds', 5400, 'minutes'],
    ['seconds', 259_200, 'days'],
    ['seconds', 0, 'seconds'],
    ['bytes', 104_857_600, 'megabytes'],
    ['bytes', 5_368_709_120, 'gigabytes'],
    ['bytes', 1_000_000, 'bytes'],
    ['asks', 86_400, 'asks'],
  ] as const)('of %s that is %i is written in %s', (unit, value, name) => {
    expect(scaleFor(unit, value).name).toBe(name)
  })
})

describe('a time of day', () => {
  test.each([
    ['9:30', '09:30:00', '09:30'],
    ['22：15', '22:15:00', '22:15'],
    ['24:00', '23:59:59', '24:00'],
    ['08:00:05', '08:00:05', '08:00:05'],
  ])('written %s is %s', (written, stored, shown) => {
    expect([storedTime(written), writtenTime(stored)]).toEqual([stored, shown])
  })
  test('that is none stays as it was typed', () => {
    expect(storedTime(' soon')).toBe('soon')
  })
})

describe('the exported file', () => {
  test('has every value but those of secrets, and can be read as a configuration', async () => {
    const about = { _version: 'v', _origins: {}, _set_secrets: [], _stored: {}, _variables: {} }
    const secrets = { http: { metrics_token: 'geheim' }, data: { database_url: 'postgres://geheim' } }
    const read = { ...Configuration.parse({ portal: { name: '实验室' }, ...secrets }), ...about }
    const text = await exportedSettings(read).text()
    expect(text).not.toContain('geheim')
    expect(Configuration.parse(JSON.parse(text))).toEqual(Configuration.parse({ portal: { name: '实验室' } }))
    expect(Object.keys(JSON.parse(text)).filter(key => key.startsWith('_'))).toEqual([])
    expect(exportName(new Date(2026, 0, 5))).toBe('chat-commons-settings-2026-01-05.json')
  })
})
