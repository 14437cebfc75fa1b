import { FLAGS, PRIVILEGED_FIELDS, type SelfUpdate, type UserRead } from '#contract/users.ts'
import type { Configuration } from '#contract/configuration/configuration.ts'
import { DEFAULT_PREFERENCES, Preferences } from '#contract/preferences.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { Database, OpenDatabase } from '#server/foundation/database/open.ts'
import { forUpdate } from '#server/foundation/database/schema/definition.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { auditUserChange } from './auditing.ts'
import type { UserRecords } from './userRecords.ts'
import { requireUncommon, type Passwords } from './passwords.ts'
import type { Renewal, Sessions } from './sessions.ts'
import { requireAttempt, type SignInAttempts } from './signIn.ts'
import { userStore } from './store.ts'
import { changeUsers, loses, requireFreeEmail } from './directory.ts'
import { signedInLately, type User } from './user.ts'
import { ownView } from './userView.ts'

type Dependencies = {
  open: OpenDatabase
  clock: Clock
  configuration: { current(): Configuration }
  passwords: Passwords
  attempts: SignInAttempts
  sessions: Sessions
  records: UserRecords
}

/** What people see and change of their own account. */
export function ownAccount({ open, clock, configuration, passwords, attempts, sessions, records }: Dependencies) {
  async function read(user: User): Promise<UserRead> {
    return ownView(await records.requireOne(user.id), configuration.current())
  }

  /**
   * Somebody at a browser that is not theirs could otherwise take the account over for good. A wrong current password
   * is refused in any case.
   */
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

  /** With a new password this session gets a new token, and the others end; with the loss of a right all of them do. */
  async function change(user: User, { password, ...fields }: Changes): Promise<Renewal | null> {
    if (password !== undefined) requireUncommon(password, user.username)
    const password_hash = password === undefined ? undefined : await passwords.hash(password)
    const renewed = password === undefined ? null : sessions.renewal(user.session)
    const kept = await changeUsers(open, async trx => {
      const before = await userStore(trx).find(user.id)
      if (before === undefined) throw new Refusal('userNotExist')
      await requireFreeEmail(trx, fields.email, before)
      await userStore(trx).change(user.id, { ...fields, password_hash })
      await auditUserChange(trx, before, password !== undefined)
      const own = loses(before, fields) ? null : renewed
      if (loses(before, fields) || own !== null) await sessions.removeAllOf(trx, user.id, own)
      return { own, ended: loses(before, fields) || own !== null }
    })
    if (kept.ended) sessions.announceEndOf(user.id, kept.own)
    return kept.own
  }

  return {
    read,

    async update(user: User, body: SelfUpdate): Promise<{ user: UserRead; renewed: Renewal | null }> {
      requireAllowed(user, body)
      const { password, email, nickname, avatar, is_active, is_superuser, is_verified } = body
      await requireSure(user, body)
      const renewed = await change(user, { password, email, nickname, avatar, is_active, is_superuser, is_verified })
      return { user: await read(user), renewed }
    },
  }
}

type Changes = Pick<SelfUpdate, 'password' | 'email' | 'nickname' | 'avatar' | (typeof FLAGS)[number]>

/**
 * Refuses what only administrators change, for everybody else; and for everybody what the calls for accounts change.
 */
function requireAllowed({ is_superuser }: User, body: SelfUpdate): void {
  const refused = [...(is_superuser ? [] : FLAGS), ...PRIVILEGED_FIELDS]
  const detail = refused
    .filter(field => field in body)
    .map(field => ({
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
        // The row is inserted before it is read and locked: otherwise two devices could both find none, and one would
        // lose its change.
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
