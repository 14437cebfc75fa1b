import { DAY_END } from '#contract/limits.ts'
import type { Unit } from './shape.ts'

/** A unit that people write a number in: the contract's own, or a multiple of it. */
export type Scale = { name: ScaleName; factor: number }
export type ScaleName = Unit | 'minutes' | 'kilobytes' | 'megabytes' | 'gigabytes'

const SCALES: Partial<Record<Unit, readonly Scale[]>> = {
  seconds: [
    { name: 'seconds', factor: 1 },
    { name: 'minutes', factor: 60 },
    { name: 'hours', factor: 3600 },
    { name: 'days', factor: 86_400 },
  ],
  bytes: [
    { name: 'bytes', factor: 1 },
    { name: 'kilobytes', factor: 2 ** 10 },
    { name: 'megabytes', factor: 2 ** 20 },
    { name: 'gigabytes', factor: 2 ** 30 },
  ],
}

/** Numbers of seconds below this are shown in seconds, so that waiting times can be compared. */
const SMALL_SECONDS = 3600

/** The units in which a number of this unit may be written. */
export function scalesOf(unit: Unit): readonly Scale[] {
  return SCALES[unit] ?? [{ name: unit, factor: 1 }]
}

/** The largest unit in which the number is whole. */
export function scaleFor(unit: Unit, value: unknown): Scale {
  const [base = { name: unit, factor: 1 }, ...larger] = scalesOf(unit)
  if (typeof value !== 'number' || value <= 0 || (unit === 'seconds' && value < SMALL_SECONDS)) return base
  return larger.findLast(({ factor }) => value % factor === 0) ?? base
}

/** A time of day as people write it: 09:30, or 09:30:15 where the seconds count; the end of a day as 24:00. */
export function writtenTime(time: unknown): string {
  if (typeof time !== 'string') return ''
  return time === DAY_END ? '24:00' : time.replace(/^(\d\d:\d\d):00$/, '$1')
}

/** The other way; what is no time stays as it is, and is refused by the schema. */
export function storedTime(written: string): string {
  const text = written.trim().replace('：', ':')
  if (text === '24:00') return DAY_END
  const [, hours, minutes, seconds = '00'] = /^(\d{1,2}):(\d\d)(?::(\d\d))?$/.exec(text) ?? []
  return hours === undefined ? text : `${hours.padStart(2, '0')}:${minutes}:${seconds}`
}
