import { createHash } from 'node:crypto'
import type { Configuration } from '#contract/configuration/configuration.ts'
import type { Log } from '#server/foundation/logging.ts'
import type { OpenDatabase, Database } from '#server/foundation/database/open.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { Clock } from '#server/foundation/clock.ts'
import { addressKey } from '#server/foundation/http/rates.ts'
import { oneAtATimeByKey, type Hasher, type Passwords } from './passwords.ts'
import { auditFailedSignIn } from './auditing.ts'
import { findByNameOrEmail } from './userRecords.ts'
import type { Sessions, Visitor } from './sessions.ts'
import type { Proof } from './sessionStore.ts'
import { type UserRow, userStore } from './store.ts'
import { usernameKey } from './user.ts'

export type Credentials = { username: string; password: string; remember: boolean }

/** A session for the browser, with the lifetime of its cookie. */
export type SignedIn = { token: string; cookie_seconds: number }

type Dependencies = {
  open: OpenDatabase
  configuration: { current(): Configuration }
  passwords: Passwords
  attempts: SignInAttempts
  sessions: Sessions
  log: Pick<Log, 'warn'>
}

/**
 * Attempts of one account and address that may wait. They run one after the other, and so never take more than one of
 * the concurrent hashes.
 */
const MAX_WAITING = 200

/**
 * Signs in by user name or e-mail address, and password. A wrong password, an unknown name and a deactivated account
 * are answered alike, after the same work. `former` are the tokens that the browser had before; their sessions are
 * ended. `link`: what the password is entered for, where it is not to sign in by it alone.
 */
export function signingIn({ open, configuration, passwords, attempts, sessions, log }: Dependencies) {
  const oneAtATime = oneAtATimeByKey(MAX_WAITING)
  const start = startingSessions({ configuration, sessions })

  /** Superusers always may: they look after how everybody else comes in. */
  const mayUsePassword = ({ is_superuser }: UserRow) => is_superuser || configuration.current().auth.password_sign_in

  /** Nobody waits for it: the answer must not say by its time whether there is such an account. */
  function noteFailure(user: UserRow): void {
    open
      .transaction(trx => auditFailedSignIn(trx, user), { lowPriority: true })
      .catch((err: unknown) => log.warn({ err }, 'a failure to sign in was not written down'))
  }

  /** `id` is 0 when nobody was found. */
  async function requireRight(
    hasher: Hasher,
    password: string,
    { id, attempt, is_linking }: Claimed,
  ): Promise<UserRow> {
    await requireAttempt(attempts, attempt)
    const user = await userStore(open.database).find(id)
    const known = user?.is_active && (is_linking || mayUsePassword(user)) ? user : null
    const { right, weak } = await hasher.check(password, known?.password_hash ?? null)
    if (!known || !right) {
      await attempts.fail(attempt)
      if (user !== undefined) noteFailure(user)
      await requireAttempt(attempts, attempt) // the last attempt that is allowed already says how long to wait
      throw new Refusal('badCredentials')
    }
    await attempts.forget(attempt)
    return weak ? rehashed(known, await hasher.hash(password)) : known
  }

  async function rehashed(user: UserRow, password_hash: string): Promise<UserRow> {
    await userStore(open.database).replaceHash(user.id, user.password_hash, password_hash)
    return { ...user, password_hash }
  }

  return async function signIn(
    credentials: Credentials,
    visitor: Visitor,
    former: readonly string[],
    link: ((user_id: number) => Promise<void>) | null = null,
  ): Promise<SignedIn> {
    const address = visitor.address ?? ''
    // Checked before the account is looked up, so that whoever has to wait causes no reads of accounts.
    await requireAttempt(attempts, { account: credentials.username, address })
    const found = await findByNameOrEmail(open.database, credentials.username)
    // Failures are counted for the account, whichever of its names was entered and however it was written.
    const attempt = { account: found?.username ?? credentials.username, address }
    // A failure is counted before the next attempt for the same account is checked, or many at once would all get
    // through.
    const user = await oneAtATime(`${usernameKey(attempt.account)} ${address}`, () =>
      passwords.limited(hasher =>
        requireRight(hasher, credentials.password, { id: found?.id ?? 0, attempt, is_linking: link !== null }),
      ),
    )
    await link?.(user.id)
    const proof = { kind: 'password', password_hash: user.password_hash } as const
    return start(user.id, proof, credentials.remember, visitor, former)
  }
}

/** `former` are the tokens that the browser had before; their sessions are ended. */
export function startingSessions({ configuration, sessions }: Pick<Dependencies, 'configuration' | 'sessions'>) {
  return async (
    user_id: number,
    proof: Proof,
    remember: boolean,
    visitor: Visitor,
    former: readonly string[],
  ): Promise<SignedIn> => {
    const { remember_seconds, jwt_lifetime_seconds, cookie_max_age } = configuration.current().auth
    const token = await sessions.start(user_id, proof, remember ? remember_seconds : jwt_lifetime_seconds, visitor)
    if (token === null) throw new Refusal('badCredentials')
    for (const each of former) await sessions.end(each)
    return { token, cookie_seconds: remember ? remember_seconds : cookie_max_age }
  }
}

export async function requireAttempt(attempts: SignInAttempts, attempt: Attempt): Promise<void> {
  const retry_after_seconds = await attempts.wait(attempt)
  if (retry_after_seconds !== null) throw new Refusal('tooManySignInAttempts', { retry_after_seconds })
}

/** Milliseconds. */
const WINDOW = 15 * 60_000
/** Failures of one account from one address, so that people at other addresses are not locked out. */
const MAX_OF_ACCOUNT = 10
const MAX_OF_ADDRESS = 100

type Attempt = { account: string; address: string }
/** The account whose password it is said to be. */
type Claimed = { id: number; attempt: Attempt; is_linking: boolean }

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
