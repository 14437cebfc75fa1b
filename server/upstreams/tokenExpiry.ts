import { fieldOf, parsed } from '#server/providers/looseJson.ts'

/** Characters of a token that is looked into. */
const MAX_TOKEN_LENGTH = 16_384
/** Seconds: the end of the year 9999. */
const LAST = 253_402_300_799
/** Seconds of a warning before. */
const SOON = 2 * 86_400

/**
 * When an access token expires, in epoch milliseconds, as it says itself: of a JSON web token (RFC 7519) the `exp`.
 * Null for one that does not say. Nothing is verified: whoever gave it to us is asked with it.
 */
export function expiryOf(token: string | null): number | null {
  if (token === null || token.length > MAX_TOKEN_LENGTH) return null
  const [, payload, ...rest] = token.trim().split('.')
  if (payload === undefined || rest.length !== 1 || !/^[\w-]+=*$/.test(payload)) return null
  const seconds = fieldOf(parsed(Buffer.from(payload, 'base64url').toString()), 'exp')
  return typeof seconds === 'number' && seconds > 0 && seconds <= LAST ? Math.floor(seconds) * 1000 : null
}

export type Expiry = 'expired' | 'soon' | 'later'

/** Whether a token is over, or will be in two days. */
export function expiryState(expires: number, now: number): Expiry {
  if (expires <= now) return 'expired'
  return expires - now <= SOON * 1000 ? 'soon' : 'later'
}
