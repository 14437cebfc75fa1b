import type { UpstreamRead } from '#contract/upstreams.ts'

const DAY = 86_400_000
/** Milliseconds before its end from which a token is warned of. */
const WARNED = 2 * DAY

export type Expiry = { state: 'later' | 'soon' | 'over'; time: string }

/** When the token of a web account ends, as far as the token says; null for a key without an end. */
export function expiryOf({ token_expire_time }: Pick<UpstreamRead, 'token_expire_time'>, now: Date): Expiry | null {
  if (token_expire_time === null) return null
  const left = Date.parse(token_expire_time) - now.getTime()
  return { state: left <= 0 ? 'over' : left <= WARNED ? 'soon' : 'later', time: token_expire_time }
}
