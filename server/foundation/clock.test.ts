import { describe, expect, test } from 'vitest'
import { momentOfWall, wallTimeOf } from './clock.ts'

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
