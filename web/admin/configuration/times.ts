import { DAY_END } from '#contract/timeOfDay.ts'

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
