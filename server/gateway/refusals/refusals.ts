import { wallTimeOf } from '#server/foundation/clock.ts'
import { withoutKeys } from '#server/foundation/logging.ts'
import type { Refusal } from '#server/foundation/refusal.ts'
import type { ToolRefusal } from '../dialects/toolRefusal.ts'
import { kindOf } from './kinds.ts'
import { wordsOf } from './words.ts'

export type RefusalFacts = {
  now: number
  time_zone: string
  /** The portal's address, for whoever wants more; null where nobody knows it. */
  portal: string | null
}

type Again = ToolRefusal['again']

/** A refusal as a tool is to understand it: which kind, in words, and when to ask again. */
export function toolRefusal({ key, values, detail }: Pick<Refusal, 'key' | 'values' | 'detail'>, facts: RefusalFacts) {
  const passes = values['held'] === true ? WHILE_ASKS_RUN : PASSES[key]
  const { opens_at = null, ...other } = values
  const moment = values['held'] === true ? other : { ...other, opens_at }
  const again = againOf({ ...(passes !== undefined && { retry_after_seconds: passes }), ...moment }, facts.now)
  const listed = kindOf(key)
  // A limit that waiting does not open is no limit that a tool should wait for.
  const kind = listed === 'limit' && again === null ? 'notAllowed' : listed
  const words =
    detail === null ? wordsOf(key, listed, values) : detail.map(({ loc, msg }) => sentence(loc, msg)).join(' ')
  const param = withoutKeys(detail?.[0]?.loc.slice(1).join('.') ?? '') || null
  const message = [words, ...(listed === 'limit' ? [nextOf(again, facts)] : againAt(again, facts))]
    .filter(part => part !== '')
    .join(' ')
  // Some name what was sent, in which somebody may have pasted a key.
  return { kind, message: withoutKeys(message), again, param } satisfies ToolRefusal
}

/** Of these nobody knows the moment, but it comes by itself: seconds after which a tool may ask again. */
const PASSES: Readonly<Record<string, number>> = {
  queueFull: 30,
  cannotConnectMoreThanOneClient: 5,
  onlyWhenQuiet: 60,
  tooManyRequests: 5,
}

/** Seconds: what running questions hold comes back when they end. */
const WHILE_ASKS_RUN = 5

function againOf({ opens_at, retry_after_seconds: seconds }: Refusal['values'], now: number): Again {
  const time = typeof opens_at === 'string' ? Date.parse(opens_at) : Number.NaN
  if (!Number.isNaN(time)) return { time, seconds: Math.max(1, Math.ceil((time - now) / 1000)) }
  if (typeof seconds !== 'number') return null
  return { time: now + seconds * 1000, seconds: Math.max(1, Math.ceil(seconds)) }
}

function nextOf(again: Again, facts: RefusalFacts): string {
  const more = facts.portal === null ? '' : `ask for more: ${facts.portal}`
  if (again === null) return more === '' ? '' : `You can ${more}`
  return more === '' ? `Next: ${momentOf(again.time, facts)}.` : `Next: ${momentOf(again.time, facts)}, or ${more}`
}

const againAt = (again: Again, facts: RefusalFacts): string[] =>
  again === null ? [] : [`Try again at ${momentOf(again.time, facts)}.`]

const MINUTE = 60_000

/** "14:20", of another day with its date; never too early. */
export function wallMoment(time: number, { now, time_zone }: Pick<RefusalFacts, 'now' | 'time_zone'>): string {
  const at = wallTimeOf(Math.ceil(time / MINUTE) * MINUTE, time_zone)
  const isToday = at.slice(0, 10) === wallTimeOf(now, time_zone).slice(0, 10)
  return isToday ? at.slice(11, 16) : at.slice(0, 16)
}

const momentOf = (time: number, facts: RefusalFacts): string => `${wallMoment(time, facts)} (${facts.time_zone})`

const sentence = (loc: readonly (string | number)[], msg: string): string =>
  loc.length > 1 ? `${loc.slice(1).join('.')}: ${msg}.` : `${msg}.`
