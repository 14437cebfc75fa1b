import type { UpstreamRead } from '#contract/upstreams.ts'

/** Reasons for which an upstream does not answer as it should, each with a text of its own. */
const REASONS = [
  'keyUnreadable',
  'openai.401',
  'openai.403',
  'openai.404',
  'openai.429',
  'openai.500',
  'openai.quota',
  'openai.oneAtATime',
  'openai.accountDeactivated',
  'openai.unusualActivity',
  'openai.webPage',
  'openai.unknown',
  'httpError',
  'upstreamTimeout',
] as const
type Reason = (typeof REASONS)[number]

/** The reason named by `errors.<key>`; null for one without a text here. */
export function reasonOf(message: string | null): Reason | null {
  return REASONS.find(reason => message === `errors.${reason}`) ?? null
}

/** The condition of an upstream. Of several states that apply, the first in this order is shown. */
export type Condition =
  | { state: 'off' }
  | { state: 'paused'; since: string }
  | { state: 'cooling'; until: string; message: string | null }
  | { state: 'attention'; message: string | null }
  /** Its token ends soon, or has ended. */
  | { state: 'expiring'; time: string; isOver: boolean }
  | { state: 'normal' }

export function conditionOf(upstream: UpstreamRead, now: Date = new Date()): Condition {
  const { enabled, paused_since, health, last_test } = upstream
  if (!enabled) return { state: 'off' }
  if (paused_since !== null) return { state: 'paused', since: paused_since }
  const expiry = expiryOf(upstream, now)
  if (expiry?.state === 'over') return { state: 'expiring', time: expiry.time, isOver: true }
  if (health.state === 'cooling' && health.until !== null)
    return { state: 'cooling', until: health.until, message: health.message }
  if (health.state === 'attention') return { state: 'attention', message: health.message }
  // A single failed test does not change the health, but administrators want to see it.
  if (last_test !== null && last_test.message !== null) return { state: 'attention', message: last_test.message }
  return expiry?.state === 'soon' ? { state: 'expiring', time: expiry.time, isOver: false } : { state: 'normal' }
}

/** The one thing that helps: another key, or another address. */
export function repairOf(condition: Condition): 'key' | 'address' | null {
  if (condition.state === 'expiring') return 'key'
  if (condition.state !== 'attention') return null
  switch (reasonOf(condition.message)) {
    case 'keyUnreadable':
    case 'openai.401':
    case 'openai.403':
    case 'openai.accountDeactivated':
      return 'key'
    case 'httpError':
    case 'openai.404':
    case 'openai.unknown':
    case 'openai.webPage':
      return 'address'
    default:
      return null
  }
}

/** Whether new asks may go there now. */
export const canAnswer = (upstream: UpstreamRead): boolean => {
  const condition = conditionOf(upstream)
  if (condition.state === 'expiring') return !condition.isOver
  return condition.state === 'normal' || (condition.state === 'attention' && upstream.health.state === 'normal')
}

/** One that cannot be removed exists always; it is set up when it has an address or a key. */
export function isSetUp({ removable, base_url, _set }: UpstreamRead): boolean {
  return removable || _set.secret.set || _set.secret.unreadable || base_url !== null
}

const DAY = 86_400_000
/** Milliseconds before its end from which a token is warned of. */
const WARNED = 2 * DAY

type Expiry = { state: 'later' | 'soon' | 'over'; time: string }

/** When the token of a web account ends, as far as the token says; null for a key without an end. */
export function expiryOf({ token_expire_time }: Pick<UpstreamRead, 'token_expire_time'>, now: Date): Expiry | null {
  if (token_expire_time === null) return null
  const left = Date.parse(token_expire_time) - now.getTime()
  return { state: left <= 0 ? 'over' : left <= WARNED ? 'soon' : 'later', time: token_expire_time }
}
