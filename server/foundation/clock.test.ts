import { describe, expect, test } from 'vitest'
import { momentOfWall, nextHourOfWall, wallTimeOf } from './clock.ts'

const ZONES = ['UTC', 'Asia/Shanghai', 'Asia/Kolkata', 'America/St_Johns', 'Pacific/Kiritimati', 'Europe/Berlin']

describe('the clock on the wall', () => {
  test('shows a moment in the form that spreadsheets read', () => {
    const moment = Date.parse('2026-11-29T14:08:44.307Z')
    expect(wallTimeOf(moment, 'Asia/Shanghai')).toBe('2026-11-29 22:08:44')
    expect(wallTimeOf(moment, 'America/New_York')).toBe('2026-11-29 09:08:44')
    expect(wallTimeOf(Date.parse('2026-01-01T00:00:00Z'), 'UTC')).toBe('2026-01-01 00:00:00')
  })

  test.each(ZONES)('of %s leads back to the moment', zone => {
    for (const moment of [0, 1, 7, 11].map(month => Date.UTC(2026, month, 20, 13, 5, 59))) {
      const wall = Date.parse(`${wallTimeOf(moment, zone).replace(' ', 'T')}Z`)
      expect(momentOfWall(wall, zone)).toBe(moment)
    }
  })
})

describe('the next time at which a clock on the wall shows an hour', () => {
  const next = (moment: string, zone: string) => new Date(nextHourOfWall(Date.parse(moment), 4, zone)).toISOString()

  test('is today until then, and that moment itself', () => {
    expect(next('2026-11-20T03:59:59Z', 'UTC')).toBe('2026-11-20T04:00:00.000Z')
    expect(next('2026-11-20T04:00:00Z', 'UTC')).toBe('2026-11-20T04:00:00.000Z')
    expect(next('2026-11-20T04:00:00.001Z', 'UTC')).toBe('2026-11-21T04:00:00.000Z')
  })
  test('is of the day in the zone, also where that is half an hour off', () => {
    expect(next('2026-11-20T22:16:00Z', 'Asia/Kathmandu')).toBe('2026-11-21T22:15:00.000Z')
    expect(next('2026-12-31T23:00:00Z', 'Asia/Shanghai')).toBe('2027-01-01T20:00:00.000Z')
  })
  test('stays 04:00 where the clocks change in between', () => {
    expect(next('2026-10-24T12:00:00Z', 'Europe/Berlin')).toBe('2026-10-25T03:00:00.000Z')
    expect(next('2026-03-28T12:00:00Z', 'Europe/Berlin')).toBe('2026-03-29T02:00:00.000Z')
  })
})
