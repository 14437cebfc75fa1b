import { DAY_END, UserSettingUpdate } from '#contract/limits.ts'
import { parseJson } from '#server/foundation/json.ts'
import { checked } from './changes.ts'
import { type Command, EXIT } from './command.ts'
import { withAccounts } from './withAccounts.ts'

const EXAMPLE = '{"openai_api": {"total_ask_count": 100, "valid_until": "2026-12-31"}}'

export const setLimits: Command = {
  name: 'set-limits',
  usage: '<user name> <changes>',
  summary: `Sets what somebody may ask, by JSON of the fields that change, such as ${EXAMPLE}, and prints it.`,
  example: EXAMPLE,
  async run({ words: [username = '', changes = ''] }, terminal) {
    const given = parseJson(changes, 'changes')
    const { setting } = await withAccounts(terminal, async (accounts, { configuration: { portal } }) => {
      const update = checked(UserSettingUpdate, withWholeTimes(given, portal.time_zone))
      await accounts.changeSetting((await accounts.readNamed(username)).id, update)
      return accounts.readNamed(username)
    })
    terminal.say(JSON.stringify(setting, null, 2))
    return EXIT.good
  },
}

/** A time of day as people write it: seconds are optional, and 24:00 is the end. */
const TIME_OF_DAY = /^(\d{1,2}):(\d\d)(?::(\d\d))?$/
/** A date, with or without a time, in the portal's time zone. */
const DATE = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d{1,2}:\d\d(?::\d\d)?))?$/
const DAY_START = '00:00:00'

/** Converts the times in limits to the contract's form. What cannot be parsed is left unchanged, for the schema to refuse. */
function withWholeTimes(limits: unknown, time_zone: string): unknown {
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

/** A date without a time means the end of that day. */
function moment(text: string, time_zone: string): string {
  const [, year, month, day, time] = DATE.exec(text.trim()) ?? []
  if (year === undefined) return text
  const wall = Date.parse(`${year}-${month}-${day}T${time === undefined ? DAY_END : timeOfDay(time, DAY_END)}Z`)
  const isDate = !Number.isNaN(wall) && new Date(wall).getUTCDate() === Number(day)
  return isDate ? new Date(inZone(wall, time_zone)).toISOString() : text
}

/**
 * Converts local time to UTC. `wall` is the local time as if it were UTC. The offset is computed twice, because it may change between the
 * first guess and the result.
 */
function inZone(wall: number, time_zone: string): number {
  const first = wall - aheadOfUtc(wall, time_zone)
  return wall - aheadOfUtc(first, time_zone)
}

/** Offset of a zone from UTC at a moment, in milliseconds. */
function aheadOfUtc(moment: number, time_zone: string): number {
  const shown = new Intl.DateTimeFormat('sv-SE', {
    timeZone: time_zone,
    dateStyle: 'short',
    timeStyle: 'medium',
  }).format(moment)
  return Date.parse(`${shown.replace(' ', 'T')}Z`) - moment
}
