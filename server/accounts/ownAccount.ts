import { PRIVILEGED_FIELDS, type SelfUpdate, type UserRead } from '#contract/accounts.ts'
import type { Configuration } from '#contract/configuration.ts'
import { DEFAULT_PREFERENCES, Preferences } from '#contract/preferences.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { Database, OpenDatabase } from '#server/foundation/database/open.ts'
import { forUpdate } from '#server/foundation/database/definition.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { AccountRecords } from './accountRecords.ts'
import { requireUncommon } from './newPassword.ts'
import type { Passwords } from './passwords.ts'
import type { Renewal, Sessions } from './sessions.ts'
import { requireAttempt } from './signIn.ts'
import type { SignInAttempts } from './signInAttempts.ts'
import { userStore } from './store.ts'
import { signedInLately, type User } from './user.ts'
import { ownView } from './userView.ts'

type Dependencies = {
  open: OpenDatabase
  clock: Clock
  configuration: { current(): Configuration }
  passwords: Passwords
  attempts: SignInAttempts
  sessions: Sessions
  records: AccountRecords
}

/** What people see and change of their own account. */
export function ownAccount({ open, clock, configuration, passwords, attempts, sessions, records }: Dependencies) {
  async function read(user: User): Promise<UserRead> {
    return ownView(await records.requireOne(user.id), configuration.current())
  }

  /** Somebody at a browser that is not theirs could otherwise take the account over for good. A wrong current password is refused in any case. */
  async function requireSure(user: User, { password, current_password }: SelfUpdate): Promise<void> {
    if (!current_password) {
      if (password !== undefined && !signedInLately(user, clock.now())) throw new Refusal('currentPasswordRequired')
      return
    }
    // Counted apart from sign-ins: whoever holds a stolen session must not be able to keep its owner from signing in.
    const attempt = { account: user.username, address: `session of ${user.id}` }
    await passwords.limited(async hasher => {
      await requireAttempt(attempts, attempt)
      const row = await userStore(open.database).find(user.id)
      if ((await hasher.check(current_password, row?.password_hash ?? null)).right) return attempts.forget(attempt)
      await attempts.fail(attempt)
      throw new Refusal('currentPasswordWrong')
    })
  }

  /** Ends the other sessions and gives this one a new token. */
  async function changePassword(
    user: User,
    password: string,
    fields: Pick<SelfUpdate, 'email' | 'nickname' | 'avatar'>,
  ): Promise<Renewal> {
    requireUncommon(password, user.username)
    const password_hash = await passwords.hash(password)
    const renewed = sessions.renewal(user.session)
    await open.transaction(async trx => {
      await userStore(trx).change(user.id, { ...fields, password_hash })
      await sessions.removeAllOf(trx, user.id, renewed)
    })
    sessions.announceEndOf(user.id, renewed)
    return renewed
  }

  return {
    read,

    async update(user: User, body: SelfUpdate): Promise<{ user: UserRead; renewed: Renewal | null }> {
      requireUnprivileged(body)
      const { password, email, nickname, avatar } = body
      const fields = { email, nickname, avatar }
      await requireSure(user, body)
      if (password === undefined) {
        await open.transaction(trx => userStore(trx).change(user.id, fields))
        return { user: await read(user), renewed: null }
      }
      const renewed = await changePassword(user, password, fields)
      return { user: await read(user), renewed }
    },
  }
}

/** Refuses these fields for everybody, administrators included: they change them by the calls for accounts. */
function requireUnprivileged(body: SelfUpdate): void {
  const detail = PRIVILEGED_FIELDS.filter(field => field in body).map(field => ({
    loc: ['body', field],
    msg: 'notAllowed',
    type: 'forbidden',
  }))
  if (detail.length > 0) throw new Refusal('requestValidationError', {}, { detail })
}

/** What people chose for themselves, the same on all their devices. */
export function openPreferences({ open, clock }: { open: OpenDatabase; clock: Clock }) {
  const stored = (database: Database, user_id: number) =>
    database.selectFrom('user_preferences').select('preferences').where('user_id', '=', user_id)

  return {
    async read(user_id: number): Promise<Preferences> {
      return preferencesOf((await stored(open.database, user_id).executeTakeFirst())?.preferences)
    },

    async update(user_id: number, changes: Partial<Preferences>): Promise<Preferences> {
      return open.transaction(async trx => {
        const update_time = clock.now()
        // The row is inserted before it is read and locked: otherwise two devices could both find none, and one would lose its change.
        await trx
          .insertInto('user_preferences')
          .values({ user_id, preferences: {}, update_time })
          .onConflict(conflict => conflict.column('user_id').doNothing())
          .execute()
        const before = await stored(trx, user_id).$call(forUpdate(open.engine)).executeTakeFirst()
        const preferences = { ...preferencesOf(before?.preferences), ...changes }
        await trx
          .updateTable('user_preferences')
          .set({ preferences, update_time })
          .where('user_id', '=', user_id)
          .execute()
        return preferences
      })
    },
  }
}

/** A value that this version does not know is replaced by the default. */
function preferencesOf(stored: Record<string, unknown> = {}): Preferences {
  const whole = Preferences.safeParse(stored)
  return whole.success ? whole.data : DEFAULT_PREFERENCES
}
