import type { UserSettingUpdate } from '#contract/limits.ts'
import { SOURCES } from '#contract/models.ts'
import { typedMoment } from '#contract/timeOfDay.ts'
import { momentOfWall } from '#server/foundation/wallTime.ts'

type Fields = Omit<UserSettingUpdate, 'expected'>

/** The same with its moments as ISO 8601: whoever writes a date names no zone, and means the portal's. */
export function withMoments({ expected, ...fields }: UserSettingUpdate, time_zone: string): UserSettingUpdate {
  return { ...inIso(fields, time_zone), ...(expected && { expected: inIso(expected, time_zone) }) }
}

function inIso(fields: Fields, time_zone: string): Fields {
  const changed = SOURCES.flatMap(source => {
    const moment = typedMoment(fields[source]?.valid_until ?? '')
    if (moment === null) return []
    const { wall, offset } = moment
    const time = offset === null ? momentOfWall(wall, time_zone) : wall - offset
    return [[source, { ...fields[source], valid_until: new Date(time).toISOString() }]]
  })
  return { ...fields, ...Object.fromEntries(changed) }
}
