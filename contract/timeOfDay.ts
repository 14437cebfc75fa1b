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
