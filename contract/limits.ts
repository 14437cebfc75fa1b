import * as z from 'zod/mini'
import { Time } from './envelope.ts'
import { ModelCode } from './models.ts'
import { keyText } from './settings.ts'

/** As the end of a slot: midnight (docs/protocol.md). */
export const DAY_END = '23:59:59'
const DAY_START = '00:00:00'

/** As people write it: "7", "7:30", "07:30:00", "0730", "7：30"; an end may be 24:00. */
const TYPED = /^(\d{1,2})(?:[:：.]?(\d{2})(?:[:：.]?(\d{2})(?:\.0+)?)?)?$/

/** "07:30:00" for a time of day that somebody typed; what is none stays as it is, for a schema to refuse. */
function wholeTime(text: string, part: 'start' | 'end'): string {
  const [, hours, minutes = '00', seconds] = TYPED.exec(text.trim()) ?? []
  if (hours === undefined) return text
  const time = `${hours.padStart(2, '0')}:${minutes}:${seconds ?? '00'}`
  if (time === '24:00:00') return part === 'end' ? DAY_END : DAY_START
  // Whoever types 0:00 as an end means the end of the day; whole times are taken at their word.
  return part === 'end' && time === DAY_START && seconds === undefined ? DAY_END : time
}

/** "07:00–11:00"; the end of a day is 24:00. */
export const slotText = ({ start_time, end_time }: TimeSlot): string =>
  `${start_time.slice(0, 5)}–${slotEndText(end_time)}`

export const slotEndText = (end_time: string): string => (end_time === DAY_END ? '24:00' : end_time.slice(0, 5))

/** The specification, section 3: "-1 or a missing value is shown as unlimited". */
export const UNLIMITED = -1

export const MAX_COUNT = 1_000_000_000
/** A count that is allowed or remains; -1 is unlimited. */
export const Count = z.int().check(z.minimum(-1), z.maximum(MAX_COUNT))

/** A time of day is "HH:MM:SS" in the portal's time zone. */
const part = (of: 'start' | 'end') =>
  z.string().check(
    z.overwrite(text => wholeTime(text, of)),
    z.regex(/^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/),
  )

/** Half open; may cross midnight; equal ends are the whole day. Taken as people type it as well: 7:00 to 24:00. */
export const TimeSlot = z.object({ start_time: part('start'), end_time: part('end') })
export type TimeSlot = z.infer<typeof TimeSlot>
export const WHOLE_DAY: TimeSlot = { start_time: DAY_START, end_time: DAY_END }

/** At most `max_requests` asks in any span of `window_seconds`. */
export const RateLimit = z.object({
  window_seconds: z.int().check(z.minimum(1), z.maximum(31_622_400)),
  max_requests: z.int().check(z.minimum(0), z.maximum(1_000_000)),
})
export type RateLimit = z.infer<typeof RateLimit>

const SourceSetting = z.object({
  allow_to_use: z.boolean(),
  /** null = for ever. */
  valid_until: z.nullable(Time),
  max_conv_count: Count,
  total_ask_count: Count,
  rate_limits: z.array(RateLimit).check(z.maxLength(20)),
  daily_available_time_slots: z.array(TimeSlot).check(z.maxLength(48)),
  available_models: z.array(ModelCode).check(z.maxLength(200)),
  per_model_ask_count: z.record(ModelCode, Count),
})

export const WebSetting = z.extend(SourceSetting, { disable_uploading: z.boolean(), use_team: z.boolean() })
export type WebSetting = z.infer<typeof WebSetting>

/**
 * A person's own endpoint. The key is never sent back: it is blank in an answer, and a blank one leaves it unchanged.
 */
export const CustomApi = z.object({
  url: z.nullable(z.string()),
  key: keyText,
  /** In an answer: there is a key, and it cannot be opened with the present secret key. It has to be entered again. */
  key_unreadable: z.optional(z.literal(true)),
})

export const ApiSetting = z.extend(SourceSetting, {
  allow_custom_openai_api: z.boolean(),
  custom_openai_api_settings: CustomApi,
})
export type ApiSetting = z.infer<typeof ApiSetting>

export const ChatStatus = z.enum(['asking', 'queueing', 'idling'])
export type ChatStatus = z.infer<typeof ChatStatus>

export const UserSetting = z.object({
  id: z.int(),
  user_id: z.int(),
  credits: z.number(),
  /** Derived from the running asks, never stored (the specification, section 4). */
  openai_web_chat_status: ChatStatus,
  openai_web: WebSetting,
  openai_api: ApiSetting,
})
export type UserSetting = z.infer<typeof UserSetting>

/**
 * How many asks are allowed in all: what has been used stays used, also by asks that run at the same moment.
 * `total_ask_count` and `per_model_ask_count` instead set what remains, with nothing of it used. A count is changed in
 * one of the two ways.
 */
const allowed = {
  total_ask_allowed: z.optional(Count),
  per_model_ask_allowed: z.optional(z.record(ModelCode, Count)),
}

/**
 * A date, with or without a time; where no zone is named, in that of the portal. The server reads it
 * (server/policy/moments.ts).
 */
const Moment = z.string().check(z.maxLength(40))
const changeable = { ...allowed, valid_until: z.optional(z.nullable(Moment)) }

const settingFields = {
  credits: z.optional(z.number()),
  openai_web: z.optional(z.extend(z.partial(WebSetting), changeable)),
  openai_api: z.optional(z.extend(z.partial(ApiSetting), changeable)),
}

/**
 * Clients send whole objects back; id, user_id and status, which they cannot change, are not in the schema and so
 * ignored.
 */
export const UserSettingUpdate = z.object({
  ...settingFields,
  /**
   * The values that were seen of the fields that are sent. When somebody has changed one of them meanwhile, nothing is
   * stored (`changedMeanwhile`). Counts are compared by what is allowed, so that asks are no change.
   */
  expected: z.optional(z.object(settingFields)),
})
export type UserSettingUpdate = z.infer<typeof UserSettingUpdate>
