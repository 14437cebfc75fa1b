import { describe, expect, test } from 'vitest'
import { isInside, isOpen, nextOpening, secondOfDay } from './rules.ts'

const at = (time: string) => secondOfDay(Date.parse(`2026-01-01T${time}Z`), 'UTC')

describe('a time slot', () => {
  const day = { start_time: '09:00:00', end_time: '17:00:00' }

  test('begins with its first second', () => {
    expect(isInside(day, at('08:59:59'))).toBe(false)
    expect(isInside(day, at('09:00:00'))).toBe(true)
  })

  test('ends before its last second', () => {
    expect(isInside(day, at('16:59:59'))).toBe(true)
    expect(isInside(day, at('17:00:00'))).toBe(false)
  })

  test('may cross midnight', () => {
    const night = { start_time: '22:00:00', end_time: '06:00:00' }
    expect(isInside(night, at('23:30:00'))).toBe(true)
    expect(isInside(night, at('00:00:00'))).toBe(true)
    expect(isInside(night, at('05:59:59'))).toBe(true)
    expect(isInside(night, at('06:00:00'))).toBe(false)
  })

  test('that ends at 23:59:59 includes the last second of the day', () => {
    expect(isInside({ start_time: '00:00:00', end_time: '23:59:59' }, at('23:59:59'))).toBe(true)
  })

  test('with equal ends is the whole day', () => {
    expect(isInside({ start_time: '08:00:00', end_time: '08:00:00' }, at('03:00:00'))).toBe(true)
  })
})

describe('the time of day', () => {
  test('is that of the portal’s zone', () => {
    expect(secondOfDay(Date.parse('2026-07-01T16:00:00Z'), 'Asia/Shanghai')).toBe(0)
  })

  test('follows daylight saving', () => {
    expect(secondOfDay(Date.parse('2026-01-15T11:00:00Z'), 'Europe/Berlin')).toBe(12 * 3600)
    expect(secondOfDay(Date.parse('2026-07-15T11:00:00Z'), 'Europe/Berlin')).toBe(13 * 3600)
  })
})

describe('the next opening', () => {
  const MINUTE = 60_000

  /** The same, by looking at every minute. */
  function searched(slots: Parameters<typeof isOpen>[0], now: number, zone: string): number | null {
    for (let moment = now + MINUTE; moment < now + 2 * 1440 * MINUTE; moment += MINUTE)
      if (isOpen(slots, moment, zone)) return moment
    return null
  }

  const ZONES = [
    'UTC',
    'Asia/Shanghai',
    'Europe/Berlin',
    'America/New_York',
    'Australia/Lord_Howe',
    'Africa/Casablanca',
    'Asia/Kathmandu',
  ]
  const DAYS = [
    '2026-03-08',
    '2026-03-29',
    '2026-04-05',
    '2026-10-04',
    '2026-10-25',
    '2026-11-01',
    '2026-06-15',
    '2026-02-15',
  ]

  test.each(ZONES)('is to the minute what a search finds, also when the clocks are changed: %s', zone => {
    let seed = 7
    const random = (below: number) => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) % below
    const time = () => `${String(random(24)).padStart(2, '0')}:${String(random(4) * 15).padStart(2, '0')}:00`
    for (const day of DAYS) {
      for (let round = 0; round < 6; round++) {
        const now = Date.parse(`${day}T00:00:00Z`) + (random(2880) - 1440) * MINUTE
        const slots = Array.from({ length: 1 + random(2) }, () => ({ start_time: time(), end_time: time() }))
        if (isOpen(slots, now, zone)) continue
        expect(nextOpening(slots, now, zone), `${zone} ${new Date(now).toISOString()} ${JSON.stringify(slots)}`).toBe(
          searched(slots, now, zone),
        )
      }
    }
  })

  test('is exact: one second earlier is too early', () => {
    const slots = [{ start_time: '09:00:30', end_time: '10:00:00' }]
    const now = Date.parse('2026-03-28T20:12:13.456Z')
    const opening = nextOpening(slots, now, 'Europe/Berlin') ?? 0
    expect(new Date(opening).toISOString()).toBe('2026-03-29T07:00:30.000Z')
    expect(isOpen(slots, opening, 'Europe/Berlin')).toBe(true)
    expect(isOpen(slots, opening - 1000, 'Europe/Berlin')).toBe(false)
  })
})
