import { type RateLimit, type TimeSlot, UNLIMITED, slotText, DAY_END } from '#contract/limits.ts'
import { isGpt4 } from '#contract/models.ts'
import { CHARGED_WHOLE } from '#contract/quietAsks.ts'
import type { RefusalKey, RefusalValues } from '#contract/refusals.ts'
import { budgetReached, limitReached, modelHasNoPrice, tokensReached, type UseFacts } from './useRules.ts'
import { accountHasLeft, type ShareFacts } from './shareRules.ts'
import { EVERY_MODEL } from '#server/policy/planTree.ts'

/** What the rules look at, read once by limits.ts; times in epoch milliseconds. */
export type AskFacts = UseFacts &
  ShareFacts & {
    time_zone: string
    /** Of the accounts of the source; null where no model needs a paid one. */
    plan: 'paid' | 'free' | null
    source_enabled: boolean
    model_enabled: boolean
    new_conversation: boolean
    /** Those that the key allows by which is asked; null: all. */
    key_models: readonly string[] | null
    /** Thousandths of the ask that its person pays. */
    charged: number
    /** That are sent as files, and that are looked at. */
    attachments: number
    images: number
    /** Null: nobody knows, and the upstream says so itself. */
    takes_files: boolean | null
    takes_pictures: boolean | null
    /** Whether what is attached is kept here, so that another model may be asked with it. */
    files_here: boolean
    uploading_disabled: boolean
    setting: {
      allow_to_use: boolean
      valid_until: number | null
      max_conv_count: number
      total_ask_count: number
      rate_limits: readonly RateLimit[]
      daily_available_time_slots: readonly TimeSlot[]
      available_models: readonly string[]
    }
    /** What remains for this model; missing is unlimited. */
    model_ask_count: number | undefined
    valid_conversations: number
    /** When the person's asks of this source began, oldest first, as far back as the longest window. */
    recent_asks: readonly number[]
    /** The person's asks that run or wait, of every source. */
    running: number
    max_running: number
    /** All that wait in the queue of this ask. */
    waiting: number
    max_waiting: number
  }

/**
 * A refusal, and the first moment (epoch milliseconds) at which this rule has nothing against the ask any more, if
 * nobody does anything; null when waiting alone does not help.
 */
export type Refused = { key: RefusalKey; values?: RefusalValues; opens_at: number | null }

/** Answers with the refusal it makes, or null when it has nothing against the ask. */
type LimitRule = (facts: AskFacts) => Refused | null

const sourceAllowed: LimitRule = ({ setting }) =>
  setting.allow_to_use ? null : { key: 'userNotAllowToUseChatType', opens_at: null }

const sourceEnabled: LimitRule = ({ source_enabled }) =>
  source_enabled ? null : { key: 'chatTypeNotEnabled', opens_at: null }

export const stillValid: LimitRule = ({ setting: { valid_until }, now }) =>
  valid_until !== null && now > valid_until
    ? { key: 'userChatTypeExpired', values: { valid_until: new Date(valid_until).toISOString() }, opens_at: null }
    : null

export const insideTimeSlot: LimitRule = ({ setting: { daily_available_time_slots: slots }, now, time_zone }) => {
  if (slots.length === 0) return null
  if (isOpen(slots, now, time_zone)) return null
  const shown = slots.map(slotText).join(', ')
  return { key: 'userNotAllowToAskAtThisTime', values: { slots: shown }, opens_at: nextOpening(slots, now, time_zone) }
}

export const modelAllowed: LimitRule = ({ setting: { available_models }, model, plan }) => {
  if (available_models.includes(EVERY_MODEL) || available_models.includes(model)) return null
  if (!isGpt4(model)) return { key: 'userNotAllowToUseModel', values: { model }, opens_at: null }
  const isNone = plan !== null && !available_models.some(isGpt4)
  return {
    key: isNone ? 'userNotAllowToUsePaidModel' : 'userNotAllowToUseGPT4Model',
    values: { model },
    opens_at: null,
  }
}

export const modelOfKey: LimitRule = ({ key_models, model }) =>
  key_models === null || key_models.includes(model)
    ? null
    : { key: 'userNotAllowToUseModel', values: { model, of_key: true }, opens_at: null }

const modelEnabled: LimitRule = ({ model_enabled, model }) =>
  model_enabled ? null : { key: 'modelNotEnabled', values: { model }, opens_at: null }

/** Without a paid plan an account has the free models alone. */
export const modelPaidFor: LimitRule = ({ plan, model }) =>
  plan === 'free' && isGpt4(model) ? { key: 'paidModelNotAvailable', values: { model }, opens_at: null } : null

const isTooLittle = (left: number, charged: number): boolean => left !== UNLIMITED && left * CHARGED_WHOLE < charged

export const totalAskCount: LimitRule = ({ setting: { total_ask_count }, charged }) =>
  isTooLittle(total_ask_count, charged) ? { key: 'noAvailableTotalAskCount', opens_at: null } : null

export const modelAskCount: LimitRule = ({ model_ask_count, model, charged }) =>
  model_ask_count !== undefined && isTooLittle(model_ask_count, charged)
    ? { key: isGpt4(model) ? 'noAvailableGPT4AskCount' : 'noAvailableModelAskCount', values: { model }, opens_at: null }
    : null

export const conversationCount: LimitRule = ({ new_conversation, setting: { max_conv_count }, valid_conversations }) =>
  new_conversation && max_conv_count !== UNLIMITED && valid_conversations >= max_conv_count
    ? { key: 'maxConversationCountReached', values: { max_conv_count }, opens_at: null }
    : null

/**
 * A window is full until its oldest ask has left it. Of several full windows the refusal names the one that stays full
 * longest.
 */
export const rateLimits: LimitRule = ({ setting: { rate_limits }, recent_asks, now, charged }) => {
  if (charged === 0) return null
  const openings = rate_limits.map(limit => windowOpens(limit, recent_asks, now)).filter(opening => opening !== now)
  if (openings.length === 0) return null
  const opens_at = openings.includes(null) ? null : Math.max(...openings.map(opening => opening ?? now))
  return {
    key: 'askedTooOften',
    values: { retry_after_seconds: opens_at === null ? null : Math.ceil((opens_at - now) / 1000) },
    opens_at,
  }
}

/**
 * Asks more than a window in the future were made before the clock was set back, and are ignored: nobody has to wait
 * until that time comes again.
 */
export const insideWindow = ({ window_seconds }: RateLimit, recent_asks: readonly number[], now: number): number[] =>
  recent_asks.filter(time => Math.abs(time - now) < window_seconds * 1000)

/** `now` while there is room; null for a window that admits nobody. */
export function windowOpens(limit: RateLimit, recent_asks: readonly number[], now: number): number | null {
  if (limit.max_requests === 0) return null
  const inside = insideWindow(limit, recent_asks, now)
  const leaving = inside[inside.length - limit.max_requests]
  return leaving === undefined ? now : leaving + limit.window_seconds * 1000
}

export const uploadsFitModel: LimitRule = ({ attachments, images, takes_files, takes_pictures, files_here, model }) => {
  const refused = (key: RefusalKey) => ({
    key: files_here ? key : 'uploadingNotAllowed',
    values: { model },
    opens_at: null,
  })
  if (images > 0 && takes_pictures === false) return refused('openai.picturesNotTaken')
  return attachments > 0 && takes_files === false ? refused('openai.filesNotTaken') : null
}

export const uploadsAllowed: LimitRule = ({ attachments, images, uploading_disabled }) =>
  attachments + images > 0 && uploading_disabled ? { key: 'uploadingNotAllowed', opens_at: null } : null

export const oneAtATime: LimitRule = ({ running, max_running }) =>
  running >= max_running ? { key: 'cannotConnectMoreThanOneClient', opens_at: null } : null

export const queueLength: LimitRule = ({ waiting, max_waiting }) =>
  waiting >= max_waiting ? { key: 'queueFull', values: { waiting }, opens_at: null } : null

/** In order of priority: the first rule that refuses is the one reported (docs/protocol.md). */
const LIMIT_RULES = [
  sourceAllowed,
  sourceEnabled,
  stillValid,
  insideTimeSlot,
  modelAllowed,
  modelOfKey,
  modelEnabled,
  modelPaidFor,
  totalAskCount,
  modelAskCount,
  conversationCount,
  rateLimits,
  limitReached,
  tokensReached,
  modelHasNoPrice,
  budgetReached,
  accountHasLeft,
  uploadsFitModel,
  uploadsAllowed,
  oneAtATime,
  queueLength,
] satisfies LimitRule[]

/** The refusals of these rules: what an ask is told when it may not be asked now. */
export const LIMIT_REFUSALS: ReadonlySet<RefusalKey> = new Set([
  'userNotAllowToUseChatType',
  'chatTypeNotEnabled',
  'userChatTypeExpired',
  'userNotAllowToAskAtThisTime',
  'userNotAllowToUseModel',
  'userNotAllowToUsePaidModel',
  'userNotAllowToUseGPT4Model',
  'paidModelNotAvailable',
  'modelNotEnabled',
  'noAvailableTotalAskCount',
  'noAvailableModelAskCount',
  'noAvailableGPT4AskCount',
  'maxConversationCountReached',
  'askedTooOften',
  'limitReached',
  'tokensReached',
  'modelHasNoPrice',
  'budgetReached',
  'poolEmpty',
  'shareUsed',
  'uploadingNotAllowed',
  'openai.picturesNotTaken',
  'openai.filesNotTaken',
  'cannotConnectMoreThanOneClient',
  'queueFull',
  'teamConversationNotAllowed',
])

export function firstRefusal(facts: AskFacts): Refused | null {
  for (const rule of LIMIT_RULES) {
    const refused = rule(facts)
    if (refused !== null) return refused
  }
  return null
}

/** An upper bound for the loop below: rules do not open and close each other more often than this. */
const MAX_STEPS = 20

/**
 * When the person may ask, if nobody does anything: now, a later moment, or null when waiting alone does not help. A
 * rule that opens may leave another one closed at that moment, so it goes from opening to opening.
 */
export function opensAt(facts: AskFacts): number | null {
  let moment = facts.now
  for (let step = 0; step < MAX_STEPS; step++) {
    const refused = firstRefusal({ ...facts, now: moment })
    if (refused === null) return moment
    if (refused.opens_at === null || refused.opens_at <= moment) return null
    moment = refused.opens_at
  }
  return null
}

const DAY = 86_400
const HOUR_MS = 3_600_000
const formats = new Map<string, Intl.DateTimeFormat>()

/** Seconds since midnight on the wall clock of a time zone. */
export function secondOfDay(now: number, time_zone: string): number {
  let format = formats.get(time_zone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-GB', {
      timeZone: time_zone,
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    })
    formats.set(time_zone, format)
  }
  return secondsOf(format.format(now))
}

/** Half open, may cross midnight; equal ends are the whole day. */
export function isInside(slot: TimeSlot, second: number): boolean {
  const { start, end } = boundsOf(slot)
  if (start === end) return true
  return start < end ? second >= start && second < end : second >= start || second < end
}

function boundsOf({ start_time, end_time }: TimeSlot) {
  return { start: secondsOf(start_time), end: end_time === DAY_END ? DAY : secondsOf(end_time) }
}

function isWholeDay(slot: TimeSlot): boolean {
  const { start, end } = boundsOf(slot)
  return start === end || end - start === DAY
}

/**
 * No slots at all mean always. The time of a zone is computed only where there are slots: it takes longer than
 * everything else here.
 */
export function isOpen(slots: readonly TimeSlot[], now: number, time_zone: string): boolean {
  if (slots.length === 0 || slots.some(isWholeDay)) return true
  const second = secondOfDay(now, time_zone)
  return slots.some(slot => isInside(slot, second))
}

/**
 * The first moment after `now` that lies in a slot. Slots open when the wall clock reaches their start, or when the
 * clocks are changed into the middle of one; a start that the change skips or repeats is found too. Null when none
 * opens in two days.
 */
export function nextOpening(slots: readonly TimeSlot[], now: number, time_zone: string): number | null {
  const changes = clockChanges(now, time_zone)
  const candidates = [
    ...changes,
    ...[now, ...changes].flatMap(from => slots.map(slot => nextTime(slot.start_time, from, time_zone))),
  ]
  const openings = candidates.filter(moment => moment > now && isOpen(slots, moment, time_zone))
  return openings.length === 0 ? null : Math.min(...openings)
}

/** When the wall clock next shows a time, as long as it is not changed on the way. */
function nextTime(time: string, from: number, time_zone: string): number {
  const whole = Math.floor(from / 1000) * 1000
  const seconds = (secondsOf(time) - secondOfDay(whole, time_zone) + DAY) % DAY
  return whole + (seconds === 0 && whole < from ? DAY : seconds) * 1000
}

/** The moments of the next two days at which the clocks are changed, to the second. */
function clockChanges(now: number, time_zone: string): number[] {
  const changes: number[] = []
  const start = Math.floor(now / 1000) * 1000
  for (let hour = 0; hour < 50; hour++) {
    let before = start + hour * HOUR_MS
    let after = before + HOUR_MS
    if (elapsed(before, after, time_zone) === HOUR_MS / 1000) continue
    while (after - before > 1000) {
      const middle = before + Math.floor((after - before) / 2000) * 1000
      if (elapsed(before, middle, time_zone) === (middle - before) / 1000) before = middle
      else after = middle
    }
    changes.push(after)
  }
  return changes
}

/** Seconds that the wall clock moves on between two moments of less than a day. */
function elapsed(before: number, after: number, time_zone: string): number {
  return (secondOfDay(after, time_zone) - secondOfDay(before, time_zone) + DAY) % DAY
}

function secondsOf(time: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number)
  return hours * 3600 + minutes * 60 + seconds
}
