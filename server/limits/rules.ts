import { FILE_MODELS, PICTURE_MODELS } from '#contract/files.ts'
import { type RateLimit, type TimeSlot, UNLIMITED, slotText } from '#contract/limits.ts'
import { isGpt4 } from '#contract/models.ts'
import type { RefusalKey, RefusalValues } from '#contract/refusals.ts'
import { isOpen, nextOpening } from './timeSlots.ts'
import { EVERY_MODEL } from '#server/policy/plans.ts'

/** What the rules look at, read once by facts.ts; times in epoch milliseconds. */
export type AskFacts = {
  now: number
  time_zone: string
  /** Of the accounts of the source; null where no model needs a paid one. */
  plan: 'paid' | 'free' | null
  source_enabled: boolean
  model: string
  model_enabled: boolean
  new_conversation: boolean
  attachments: number
  images: number
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
 * A refusal, and the first moment (epoch milliseconds) at which this rule has nothing against the ask any more, if nobody
 * does anything; null when waiting alone does not help.
 */
export type Refused = { key: RefusalKey; values?: RefusalValues; opens_at: number | null }

/** Answers with the refusal it makes, or null when it has nothing against the ask. */
export type LimitRule = (facts: AskFacts) => Refused | null

export const sourceAllowed: LimitRule = ({ setting }) =>
  setting.allow_to_use ? null : { key: 'userNotAllowToUseChatType', opens_at: null }

export const sourceEnabled: LimitRule = ({ source_enabled }) =>
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

export const modelEnabled: LimitRule = ({ model_enabled, model }) =>
  model_enabled ? null : { key: 'modelNotEnabled', values: { model }, opens_at: null }

/** Without a paid plan an account has the free models alone. */
export const modelPaidFor: LimitRule = ({ plan, model }) =>
  plan === 'free' && isGpt4(model) ? { key: 'paidModelNotAvailable', values: { model }, opens_at: null } : null

export const totalAskCount: LimitRule = ({ setting: { total_ask_count } }) =>
  total_ask_count !== UNLIMITED && total_ask_count <= 0 ? { key: 'noAvailableTotalAskCount', opens_at: null } : null

export const modelAskCount: LimitRule = ({ model_ask_count, model }) =>
  model_ask_count !== undefined && model_ask_count !== UNLIMITED && model_ask_count <= 0
    ? { key: isGpt4(model) ? 'noAvailableGPT4AskCount' : 'noAvailableModelAskCount', values: { model }, opens_at: null }
    : null

export const conversationCount: LimitRule = ({ new_conversation, setting: { max_conv_count }, valid_conversations }) =>
  new_conversation && max_conv_count !== UNLIMITED && valid_conversations >= max_conv_count
    ? { key: 'maxConversationCountReached', values: { max_conv_count }, opens_at: null }
    : null

/** A window is full until its oldest ask has left it. Of several full windows the refusal names the one that stays full longest. */
export const rateLimits: LimitRule = ({ setting: { rate_limits }, recent_asks, now }) => {
  const openings = rate_limits.map(limit => windowOpens(limit, recent_asks, now)).filter(opening => opening !== now)
  if (openings.length === 0) return null
  const opens_at = openings.includes(null) ? null : Math.max(...openings.map(opening => opening ?? now))
  return {
    key: 'askedTooOften',
    values: { retry_after_seconds: opens_at === null ? null : Math.ceil((opens_at - now) / 1000) },
    opens_at,
  }
}

/** Asks more than a window in the future were made before the clock was set back, and are ignored: nobody has to wait until that time comes again. */
export const insideWindow = ({ window_seconds }: RateLimit, recent_asks: readonly number[], now: number): number[] =>
  recent_asks.filter(time => Math.abs(time - now) < window_seconds * 1000)

/** `now` while there is room; null for a window that admits nobody. */
export function windowOpens(limit: RateLimit, recent_asks: readonly number[], now: number): number | null {
  if (limit.max_requests === 0) return null
  const inside = insideWindow(limit, recent_asks, now)
  const leaving = inside[inside.length - limit.max_requests]
  return leaving === undefined ? now : leaving + limit.window_seconds * 1000
}

export const uploadsFitModel: LimitRule = ({ attachments, images, model }) =>
  (attachments > 0 && !FILE_MODELS.includes(model)) || (images > 0 && !PICTURE_MODELS.includes(model))
    ? { key: 'uploadingNotAllowed', values: { model }, opens_at: null }
    : null

export const uploadsAllowed: LimitRule = ({ attachments, images, uploading_disabled }) =>
  attachments + images > 0 && uploading_disabled ? { key: 'uploadingNotAllowed', opens_at: null } : null

export const oneAtATime: LimitRule = ({ running, max_running }) =>
  running >= max_running ? { key: 'cannotConnectMoreThanOneClient', opens_at: null } : null

export const queueLength: LimitRule = ({ waiting, max_waiting }) =>
  waiting >= max_waiting ? { key: 'queueFull', values: { waiting }, opens_at: null } : null

/** In order of priority: the first rule that refuses is the one reported (docs/protocol.md). */
export const LIMIT_RULES = [
  sourceAllowed,
  sourceEnabled,
  stillValid,
  insideTimeSlot,
  modelAllowed,
  modelEnabled,
  modelPaidFor,
  totalAskCount,
  modelAskCount,
  conversationCount,
  rateLimits,
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
  'uploadingNotAllowed',
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
 * When the person may ask, if nobody does anything: now, a later moment, or null when waiting alone does not help. A rule
 * that opens may leave another one closed at that moment, so it goes from opening to opening.
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
