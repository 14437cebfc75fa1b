import type { PolicyLimit } from '#server/policy/limitList.ts'
import type { Transaction } from '#server/foundation/database/open.ts'

/** The signed-in user, as every handler receives it. */
export type User = {
  id: number
  username: string
  nickname: string
  is_superuser: boolean
  /** The hash of the session's token: identifies the session, and is useless to somebody who reads it. */
  session: string
  session_create_time: number
}

/** Milliseconds. */
const RECENT_SIGN_IN_MS = 3_600_000

/**
 * Later than that somebody else may sit in front of the browser. A clock that was set back by more counts as later,
 * too.
 */
export const signedInLately = (user: User, now: number): boolean =>
  Math.abs(now - user.session_create_time) <= RECENT_SIGN_IN_MS

/**
 * User names are compared without case and in their compatible form, so that nobody passes for somebody else with
 * `Admin` or full-width letters. They are shown, and stored, as they were entered.
 */
export function usernameKey(username: string): string {
  return username.trim().normalize('NFKC').toLowerCase()
}

/** Compared without case: in practice no two mailboxes differ in case alone. */
export function emailKey(email: string): string {
  return email.trim().normalize('NFC').toLowerCase()
}

/** What a key may at most, whatever its owner may. */
export type CallerBounds = {
  /** Beside those of its owner. */
  limits: readonly PolicyLimit[]
  /** Null: all that its owner may ask. */
  models: readonly string[] | null
  may_borrow: boolean
  quiet_only: boolean
}

/** Who asks, and by what: a session or a key. */
export type Caller = {
  user_id: number
  kind: 'session' | 'key'
  /** Identifies the session or the key. */
  id: string
  /** Null: whoever asks may what the person may. */
  bounds: CallerBounds | null
  /** Whether it still holds, as a transaction sees it. */
  stillValid(trx: Transaction): Promise<boolean>
}

/** The number of the key by which somebody asks; null: by a session. */
export const keyIdOf = ({ kind, id }: Pick<Caller, 'kind' | 'id'>): number | null =>
  kind === 'key' ? Number(id) : null
