import type { OutboundAnswer } from '#server/foundation/outbound/outbound.ts'
import { type Headers, secondsUntil } from './retryTime.ts'

/** What an answer says of one of the limits of its account. Amounts in asks and tokens, times in seconds. */
export type ReportedLimit = {
  /** Null: whatever it counts. */
  unit: 'asks' | 'tokens' | null
  limit: number | null
  used: number | null
  /** 0 to 1, where it says no numbers. */
  used_part: number | null
  /** Until its window ends; null: not said, or it comes back bit by bit. */
  resets_in: number | null
  /** How long its window is; null: not said. */
  length: number | null
}

/** A limit of a minute pauses an account, and is no window of it. */
export const MAX_MINUTE = 90
/** More than any account has. */
const MAX_AMOUNT = 1_000_000_000_000
const MAX_LIMITS = 20
/** No window is longer. */
const MAX_RESET = 31_622_400

const PERIODS: Record<string, number> = { minute: 60, hour: 3_600, day: 86_400, week: 604_800, month: 2_592_000 }

/**
 * Services whose limits come back bit by bit, as they document: their reset is when all of it is back, which says how
 * long the window is.
 */
const COMES_BACK = /(?:^|\.)(?:openai\.com|openai\.azure\.com|groq\.com|anthropic\.com)$/

type Asked = {
  onLimits?: ((limits: readonly ReportedLimit[]) => void) | undefined
  upstream: { base_url: string }
}

/** Hands on what an answer says of limits, where somebody wants to know. */
export function reportLimits({ onLimits, upstream }: Asked, answer: OutboundAnswer): void {
  if (onLimits === undefined) return
  const limits = reportedLimits({ names: answer.header_names, get: answer.header }, upstream.base_url, Date.now())
  if (limits.length > 0) onLimits(limits)
}

/** What the headers of an answer say of the limits of its account. What makes no sense is left out. */
export function reportedLimits(headers: Headers, base_url: string, now: number): ReportedLimit[] {
  const comesBack = COMES_BACK.test(URL.canParse(base_url) ? new URL(base_url).hostname : '')
  const found = [...unified(headers, now), ...named(headers, now, comesBack), ...standard(headers, now)]
  return found.filter(isOfWindow).slice(0, MAX_LIMITS)
}

function isOfWindow({ limit, used, used_part, length, resets_in }: ReportedLimit): boolean {
  if (limit === null && used === null && used_part === null) return false
  return (length ?? resets_in ?? 0) > MAX_MINUTE
}

/** `anthropic-ratelimit-unified-5h-utilization` and `-reset`: named by how long the window is. */
function unified({ names, get }: Headers, now: number): ReportedLimit[] {
  return names.flatMap(name => {
    const [, count, unit] = /^anthropic-ratelimit-unified-(\d{1,3})([hd])-utilization$/.exec(name) ?? []
    const used_part = numberOf(get(name), 1)
    if (count === undefined || used_part === null) return []
    const resets_in = ahead(get(name.replace(/utilization$/, 'reset')), now)
    const length = Number(count) * (unit === 'h' ? 3_600 : 86_400)
    return [{ unit: null, limit: null, used: null, used_part, resets_in, length }]
  })
}

const NAMED =
  /^(?:x-|anthropic-)?ratelimit-(?:(requests|tokens)-limit|limit(?:-(requests|tokens))?(?:-(minute|hour|day|week|month))?)$/

/**
 * `x-ratelimit-limit-requests`, perhaps with `-day` behind it; `anthropic-ratelimit-requests-limit`;
 * `ratelimit-limit`.
 */
function named({ names, get }: Headers, now: number, comesBack: boolean): ReportedLimit[] {
  return names.flatMap(name => {
    const [whole, first, second, period = ''] = NAMED.exec(name) ?? []
    const limit = whole === undefined ? null : numberOf(get(name)?.split(/[,;]/)[0], MAX_AMOUNT)
    if (limit === null) return []
    const other = (field: string) => get(name.replace(/-limit(?=-|$)/, `-${field}`))
    const used = usedOf(limit, other('remaining'))
    const resets_in = ahead(other('reset'), now)
    const length = PERIODS[period] ?? windowIn(get('ratelimit-policy'))
    const unit = (first ?? second) === 'tokens' ? ('tokens' as const) : ('asks' as const)
    const known = { unit, limit, used, used_part: null }
    if (!comesBack || length !== null) return [{ ...known, resets_in, length }]
    const isPart = resets_in !== null && used !== null && used > 0
    return isPart ? [{ ...known, resets_in: null, length: (resets_in * limit) / used }] : []
  })
}

/** `ratelimit: "all";r=10;t=1200` with `ratelimit-policy: "all";q=50;w=18000`. */
function standard({ get }: Headers, now: number): ReportedLimit[] {
  const [said = '', policy = ''] = [get('ratelimit'), get('ratelimit-policy')]
  const limit = numberOf(parameter(policy, 'q'), MAX_AMOUNT)
  const remaining = parameter(said, 'r')
  if (limit === null || remaining === undefined) return []
  const unit = /;qu="?tokens/.test(policy) ? ('tokens' as const) : ('asks' as const)
  const resets_in = ahead(parameter(said, 't'), now)
  return [{ unit, limit, used: usedOf(limit, remaining), used_part: null, resets_in, length: windowIn(policy) }]
}

/** Of the first policy or limit of a list. */
const parameter = (text: string, name: string): string | undefined =>
  new RegExp(String.raw`^[^,]{0,200}?;\s?${name}=(\d{1,15}(?:\.\d{1,9})?)(?=[;,\s]|$)`).exec(text)?.[1]

const windowIn = (policy = ''): number | null => numberOf(parameter(policy, 'w'), MAX_RESET)

function usedOf(limit: number, remaining: string | undefined): number | null {
  const left = numberOf(remaining, limit)
  return left === null ? null : limit - left
}

/** A number that is written as people write numbers, from 0 to the most. */
function numberOf(text: string | undefined, most: number): number | null {
  if (text === undefined || !/^\s*\d{1,15}(?:\.\d{1,9})?\s*$/.test(text)) return null
  const number = Number(text)
  return number <= most ? number : null
}

/** Seconds until a moment that is yet to come. */
function ahead(text: string | undefined, now: number): number | null {
  const seconds = secondsUntil(text, now)
  return seconds > 0 && seconds <= MAX_RESET ? seconds : null
}
