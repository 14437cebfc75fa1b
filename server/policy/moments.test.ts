import { describe, expect, test } from 'vitest'
import { UserSettingUpdate } from '#contract/limits.ts'
import { withMoments } from './moments.ts'

const until = (valid_until: unknown, zone = 'Asia/Shanghai') =>
  withMoments(UserSettingUpdate.parse({ openai_api: { valid_until } }), zone).openai_api?.valid_until

describe('until when somebody may ask', () => {
  test.each([
    ['2026-12-31', '2026-12-31T15:59:59.000Z'],
    ['2026/12/31', '2026-12-31T15:59:59.000Z'],
    ['2026-1-5', '2026-01-05T15:59:59.000Z'],
    [' 2026-12-31 ', '2026-12-31T15:59:59.000Z'],
    ['2026-12-31 9:00', '2026-12-31T01:00:00.000Z'],
    ['2026-12-31T09:00:30', '2026-12-31T01:00:30.000Z'],
    ['2026-12-31 24:00', '2026-12-31T16:00:00.000Z'],
    ['2026-12-31T09:00Z', '2026-12-31T09:00:00.000Z'],
    ['2026-12-31t09:00:00z', '2026-12-31T09:00:00.000Z'],
    ['2026-12-31T09:00:00+02:00', '2026-12-31T07:00:00.000Z'],
    ['2026-12-31 09:00 -0330', '2026-12-31T12:30:00.000Z'],
    ['2026-12-31T09:00:00.307Z', '2026-12-31T09:00:00.307Z'],
    ['2026-12-31T09:00:00.123456+08:00', '2026-12-31T01:00:00.123Z'],
    [null, null],
  ])('is %j in the portal’s zone: %j', (given, expected) => {
    expect(until(given)).toBe(expected)
  })

  test('is compared with what was seen in the same way', () => {
    const update = UserSettingUpdate.parse({ expected: { openai_web: { valid_until: '2026-12-31' } } })
    expect(withMoments(update, 'UTC').expected?.openai_web?.valid_until).toBe('2026-12-31T23:59:59.000Z')
  })

  test.each([
    '',
    'x',
    '2026-13-01',
    '2026-02-30',
    '31.12.2026',
    '2026-12-31T25:00',
    '2026-12-31 9',
    1798675200000,
    5,
    {},
  ])('is not %j, which is refused', given => {
    expect(() => until(given)).toThrow()
  })
})

describe('a time slot', () => {
  test.each([
    ['9:00', '17:30', '09:00:00', '17:30:00'],
    ['09:00:00', '17:30:15', '09:00:00', '17:30:15'],
    ['7', '24:00', '07:00:00', '23:59:59'],
    ['0730', '0000', '07:30:00', '23:59:59'],
    ['7：30', '7.45', '07:30:00', '07:45:00'],
    ['22:00:00', '24:00:00', '22:00:00', '23:59:59'],
    ['00:00:00', '00:00:00', '00:00:00', '00:00:00'],
  ])('from %s to %s is taken as the form takes it', (start_time, end_time, start, end) => {
    const update = UserSettingUpdate.parse({
      openai_web: { daily_available_time_slots: [{ start_time, end_time }] },
    })
    expect(update.openai_web?.daily_available_time_slots).toEqual([{ start_time: start, end_time: end }])
  })

  test.each(['', 'x', '25:00', '7:60', '24:01', '-1:00', '7:3', 'noon', 7, null])(
    'does not begin at %j',
    start_time => {
      const slot = { start_time, end_time: '24:00' }
      expect(UserSettingUpdate.safeParse({ openai_web: { daily_available_time_slots: [slot] } }).success).toBe(false)
    },
  )
})
