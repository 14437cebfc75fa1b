/** Of a day, as people write it: without seconds, and with 24:00 for its end. */
const TIME_OF_DAY = /^(\d{1,2}):(\d\d)(?::(\d\d))?$/
/** A date, and perhaps a time, that names no zone: the portal's is meant. */
const DATE = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d{1,2}:\d\d(?::\d\d)?))?$/
const DAY_START = '00:00:00'
/** It means midnight (docs/protocol.md). */
const DAY_END = '23:59:59'

/** Limits with their times as the contract has them. What cannot be read is left as it came, for the schema to refuse. */
export function withWholeTimes(limits: unknown, time_zone: string): unknown {
  return eachField(limits, (name, value) => {
    if (typeof value !== 'string') return value
    if (name === 'start_time') return timeOfDay(value, DAY_START)
    if (name === 'end_time') return timeOfDay(value, DAY_END)
    return name === 'valid_until' ? moment(value, time_zone) : value
  })
}

function eachField(value: unknown, change: (name: string, value: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(each => eachField(each, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, change(name, eachField(each, change))]))
}

function timeOfDay(text: string, midnight: string): string {
  const [, hours = '', minutes = '', seconds = '00'] = TIME_OF_DAY.exec(text.trim()) ?? []
  if (hours === '') return text
  const time = `${hours.padStart(2, '0')}:${minutes}:${seconds}`
  return time === '24:00:00' ? midnight : time
}

/** A date alone lasts until its end. */
function moment(text: string, time_zone: string): string {
  const [, year, month, day, time] = DATE.exec(text.trim()) ?? []
  if (year === undefined) return text
  const wall = Date.parse(`${year}-${month}-${day}T${time === undefined ? DAY_END : timeOfDay(time, DAY_END)}Z`)
  const isDate = !Number.isNaN(wall) && new Date(wall).getUTCDate() === Number(day)
  return isDate ? new Date(inZone(wall, time_zone)).toISOString() : text
}

/** `wall` is what the clock shows there, as if it were UTC. Looked at twice, since the clock may change between the first guess and the moment. */
function inZone(wall: number, time_zone: string): number {
  const first = wall - aheadOfUtc(wall, time_zone)
  return wall - aheadOfUtc(first, time_zone)
}

/** Milliseconds that the clocks of a zone are ahead at a moment. */
function aheadOfUtc(moment: number, time_zone: string): number {
  const shown = new Intl.DateTimeFormat('sv-SE', {
    timeZone: time_zone,
    dateStyle: 'short',
    timeStyle: 'medium',
  }).format(moment)
  return Date.parse(`${shown.replace(' ', 'T')}Z`) - moment
}
