import { describe, expect, test } from 'vitest'
import { nextMorning, quietUntil } from './quietUntil.ts'

const at = (moment: string) => Date.parse(moment)
const iso = (time: number) => new Date(time).toISOString()

describe('an ask that says nothing of its time waits until the next morning', () => {
  test.each([
    ['in the evening', '2026-11-30T22:00:00+08:00', 'Asia/Shanghai', '2026-12-01T07:00:00+08:00'],
    ['after midnight', '2026-12-01T01:00:00+08:00', 'Asia/Shanghai', '2026-12-01T07:00:00+08:00'],
    [
      'shortly before it: until that of the next day',
      '2026-12-01T06:30:00+08:00',
      'Asia/Shanghai',
      '2026-12-02T07:00:00+08:00',
    ],
    [
      'where the clock is set forward meanwhile',
      '2026-03-28T22:00:00+01:00',
      'Europe/Berlin',
      '2026-03-29T07:00:00+02:00',
    ],
    [
      'where the clock is set back meanwhile',
      '2026-10-24T22:00:00+02:00',
      'Europe/Berlin',
      '2026-10-25T07:00:00+01:00',
    ],
    ['in a zone of half hours', '2026-11-30T22:00:00+05:30', 'Asia/Kolkata', '2026-12-01T07:00:00+05:30'],
  ])('%s', (_when, now, time_zone, morning) => {
    expect(iso(nextMorning(at(now), time_zone))).toBe(iso(at(morning)))
    expect(quietUntil(null, at(now), time_zone)).toBe(at(morning))
  })
})

describe('a time that is asked for', () => {
  const now = at('2026-11-30T14:00:00Z')
  test.each(['2026-11-30T14:00:01Z', '2026-12-07T14:00:00Z'])('%s is taken', until => {
    expect(quietUntil(until, now, 'UTC')).toBe(at(until))
  })
  test.each(['2026-11-30T14:00:00Z', '2026-12-07T14:00:01Z', '1970-01-01T00:00:00Z', 'soon'])(
    '%s is refused',
    until => {
      expect(() => quietUntil(until, now, 'UTC')).toThrow('errors.invalidAskRequest')
    },
  )
})
