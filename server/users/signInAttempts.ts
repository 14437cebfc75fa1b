import { createHash } from 'node:crypto'
import type { Clock } from '#server/foundation/clock.ts'
import type { Database } from '#server/foundation/database/open.ts'
import { addressKey } from '#server/foundation/http/rates.ts'
import { usernameKey } from './user.ts'

/** Milliseconds. */
const WINDOW = 15 * 60_000
/** Failures of one account from one address, so that people at other addresses are not locked out. */
const MAX_OF_ACCOUNT = 10
const MAX_OF_ADDRESS = 100

export type Attempt = { account: string; address: string }

export type SignInAttempts = {
  /** Seconds until the next attempt is allowed; null when it is allowed now. */
  wait(attempt: Attempt): Promise<number | null>
  fail(attempt: Attempt): Promise<void>
  /** Forgets the failures of the account from this address, after the right password. */
  forget(attempt: Attempt): Promise<void>
}

/**
 * Counts the failed attempts of the last quarter of an hour. They are stored, so that they survive a restart. Attempts
 * in the future were made before the clock was set back, and are ignored: nobody has to wait until that time comes
 * again.
 */
export function signInAttempts({ database, clock }: { database: Database; clock: Clock }): SignInAttempts {
  /** When the oldest of the latest `most` failures leaves the window. */
  async function freeAt(key: string, most: number): Promise<number> {
    const decisive = await database
      .selectFrom('sign_in_attempts')
      .select('attempt_time')
      .where('attempt_key', '=', key)
      .where('attempt_time', '>', clock.now() - WINDOW)
      .where('attempt_time', '<', clock.now() + WINDOW)
      .orderBy('attempt_time', 'desc')
      .offset(most - 1)
      .limit(1)
      .executeTakeFirst()
    return decisive ? decisive.attempt_time + WINDOW : 0
  }

  return {
    async wait(attempt) {
      const [account, address] = keysOf(attempt)
      const free = Math.max(await freeAt(account, MAX_OF_ACCOUNT), await freeAt(address, MAX_OF_ADDRESS))
      return free > clock.now() ? Math.ceil((free - clock.now()) / 1_000) : null
    },
    async fail(attempt) {
      const attempt_time = clock.now()
      await database
        .insertInto('sign_in_attempts')
        .values(keysOf(attempt).map(attempt_key => ({ attempt_key, attempt_time })))
        .execute()
      await database
        .deleteFrom('sign_in_attempts')
        .where('attempt_time', '<=', attempt_time - WINDOW)
        .execute()
    },
    async forget(attempt) {
      const [account] = keysOf(attempt)
      await database.deleteFrom('sign_in_attempts').where('attempt_key', '=', account).execute()
    },
  }
}

/** Hashed: somebody will type a password into the user name field, and it must not end up in the database. */
function keysOf({ account, address }: Attempt): [account: string, address: string] {
  const from = addressKey(address)
  return [keyOf('account', usernameKey(account), from), keyOf('address', from)]
}

const keyOf = (...parts: string[]) => createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
