import { type UserSettingUpdate, DAY_END } from '#contract/limits.ts'
import { SOURCES } from '#contract/models.ts'
import { invalid } from '#server/foundation/refusal.ts'
import { momentOfWall } from '#server/foundation/clock.ts'

type Fields = Omit<UserSettingUpdate, 'expected'>

/** The same with its moments as ISO 8601: whoever writes a date names no zone, and means the portal's. */
export function withMoments({ expected, ...fields }: UserSettingUpdate, time_zone: string): UserSettingUpdate {
  return {
    ...inIso(fields, time_zone, ['body']),
    ...(expected && { expected: inIso(expected, time_zone, ['body', 'expected']) }),
  }
}

function inIso(fields: Fields, time_zone: string, loc: string[]): Fields {
  const changed = SOURCES.flatMap(source => {
    const text = fields[source]?.valid_until ?? null
    if (text === null) return []
    const moment = typedMoment(text)
    if (moment === null)
      throw invalid([...loc, source, 'valid_until'], 'Not a time such as 2026-12-31 or 2026-12-31T18:00:00Z')
    const { wall, offset } = moment
    const time = offset === null ? momentOfWall(wall, time_zone) : wall - offset
    return [[source, { ...fields[source], valid_until: new Date(time).toISOString() }]]
  })
  return { ...fields, ...Object.fromEntries(changed) }
}

const TIME = String.raw`\d{1,2}(?:[:：]\d{2}){1,2}(?:[.,]\d{1,9})?`
const ZONE = String.raw`[Zz]|[+\-−]\d{2}(?::?\d{2})?`
/** A date as a field for dates gives it, with a time and a zone if they are known. */
const TYPED_MOMENT = new RegExp(String.raw`^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:(?:[Tt]| +)(${TIME}) ?(${ZONE})?)?$`)

/**
 * What somebody typed as a moment: the clock on the wall, as if it were one of UTC, and the offset of its zone where
 * one is named.
 */
type TypedMoment = { wall: number; offset: number | null }

/** A date without a time means the end of that day; null for what is no moment. */
function typedMoment(text: string): TypedMoment | null {
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
