/** As the end of a slot: midnight (docs/protocol.md). */
export const DAY_END = '23:59:59'
export const DAY_START = '00:00:00'

/** As people write it: "7", "7:30", "07:30:00", "0730", "7：30"; an end may be 24:00. */
const TYPED = /^(\d{1,2})(?:[:：.]?(\d{2})(?:[:：.]?(\d{2})(?:\.0+)?)?)?$/

/** "07:30:00" for a time of day that somebody typed; what is none stays as it is, for a schema to refuse. */
export function wholeTime(text: string, part: 'start' | 'end'): string {
  const [, hours, minutes = '00', seconds] = TYPED.exec(text.trim()) ?? []
  if (hours === undefined) return text
  const time = `${hours.padStart(2, '0')}:${minutes}:${seconds ?? '00'}`
  if (time === '24:00:00') return part === 'end' ? DAY_END : DAY_START
  // Whoever types 0:00 as an end means the end of the day; whole times are taken at their word.
  return part === 'end' && time === DAY_START && seconds === undefined ? DAY_END : time
}

const TIME = String.raw`\d{1,2}(?:[:：]\d{2}){1,2}(?:[.,]\d{1,9})?`
const ZONE = String.raw`[Zz]|[+\-−]\d{2}(?::?\d{2})?`
/** A date as a field for dates gives it, with a time and a zone if they are known. */
const TYPED_MOMENT = new RegExp(String.raw`^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:(?:[Tt]| +)(${TIME}) ?(${ZONE})?)?$`)

/** What somebody typed as a moment: the clock on the wall, as if it were one of UTC, and the offset of its zone where one is named. */
export type TypedMoment = { wall: number; offset: number | null }

/** A date without a time means the end of that day; null for what is no moment. */
export function typedMoment(text: string): TypedMoment | null {
  const [, year, month, day, time, zone] = TYPED_MOMENT.exec(text.trim()) ?? []
  if (year === undefined || month === undefined || day === undefined) return null
  const date = Date.UTC(Number(year), Number(month) - 1, Number(day))
  if (new Date(date).getUTCDate() !== Number(day) || new Date(date).getUTCMonth() !== Number(month) - 1) return null
  const milliseconds = millisecondsOf(time ?? DAY_END)
  const offset = zone === undefined ? null : offsetOf(zone)
  return milliseconds === null || Number.isNaN(offset) ? null : { wall: date + milliseconds, offset }
}

function millisecondsOf(time: string): number | null {
  const [hours = 0, minutes = 0, seconds = 0] = time.replaceAll('：', ':').replace(',', '.').split(':').map(Number)
  const total = Math.round((hours * 3600 + minutes * 60 + seconds) * 1000)
  return minutes < 60 && seconds < 60 && total <= 86_400_000 ? total : null
}

/** Milliseconds that the clock of a zone is ahead of UTC. */
function offsetOf(zone: string): number {
  if (/^z$/i.test(zone)) return 0
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(3).replace(':', '') || '0')]
  if (hours > 14 || minutes > 59) return Number.NaN
  return (zone.startsWith('+') ? 1 : -1) * (hours * 60 + minutes) * 60_000
}
