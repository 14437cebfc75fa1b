import type { Configuration } from '#contract/configuration/configuration.ts'
import type { UserCreate, UserReadAdmin, UserUpdate } from '#contract/users.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { Database, OpenDatabase, Transaction } from '#server/foundation/database/open.ts'
import { conflictsIn, Refusal, refuseConflicts } from '#server/foundation/refusal.ts'
import { NOTHING_OWN, type OwnValues } from '#server/policy/plans.ts'
import { settingStore } from '#server/policy/store.ts'
import { auditNewUser, auditRemoval, auditUserChange } from './auditing.ts'
import type { UserRecords } from './userRecords.ts'
import { requireUncommon, generatedPassword, type Passwords } from './passwords.ts'
import type { Renewal, Sessions } from './sessions.ts'
import { NO_PASSWORD, requireNotHeld, type UserRow, userStore } from './store.ts'
import { emailKey, signedInLately, type User, usernameKey } from './user.ts'
import { adminView } from './userView.ts'

type Dependencies = {
  open: OpenDatabase
  clock: Clock
  configuration: { current(): Configuration }
  passwords: Passwords
  sessions: Sessions
  records: UserRecords
}

/** Without a password: a provider says who they are. */
type NewAccount = Omit<UserCreate, 'password'> & { password: string | null }
type NewUser = Omit<UserCreate, 'password'> & { password?: string | undefined }
type Updated = { user: UserReadAdmin; renewed: Renewal | null }
type WithAccount = (trx: Transaction, id: number) => Promise<void>
type MadeUp = { password: string | null }

/** The accounts as administrators see, create, change and remove them. */
export function openDirectory({ open, clock, configuration, passwords, sessions, records }: Dependencies) {
  const store = userStore(open.database)
  const onRemoval: ((id: number) => Promise<void>)[] = []
  const onRemoved: ((id: number) => Promise<void>)[] = []

  async function read(id: number): Promise<UserReadAdmin> {
    return adminView(await records.requireOne(id), configuration.current())
  }

  /** Gives the new id. `also` runs in the same transaction, when the account is there. */
  async function make({ password, ...fields }: NewAccount, values: OwnValues, also?: WithAccount): Promise<number> {
    const password_hash = password === null ? NO_PASSWORD : await passwords.hash(password)
    return changeUsers(open, async trx => {
      await requireFreeName(trx, fields.username, null)
      await requireFreeEmail(trx, fields.email, null)
      const id = await userStore(trx).insert({ ...fields, password_hash, create_time: clock.now() })
      await settingStore(trx).insert(id, values, clock.now())
      await auditNewUser(trx, id)
      await also?.(trx, id)
      return id
    })
  }

  async function create(fields: UserCreate): Promise<UserReadAdmin> {
    requireUncommon(fields.password, fields.username)
    return read(await make(fields, NOTHING_OWN))
  }

  /**
   * `by`: who makes the change; somebody who changes their own password keeps their session, under a new token. `also`
   * runs in the same transaction.
   */
  async function update(
    id: number,
    { password, expected, ...fields }: UserUpdate,
    by: User | null = null,
    also: (trx: Transaction) => Promise<void> = async () => undefined,
  ): Promise<Updated> {
    const known = await store.find(id)
    if (!known) throw new Refusal('userNotExist')
    if (password !== undefined) requireUncommon(password, fields.username ?? known.username)
    const own = password !== undefined && by?.id === id ? by : null
    if (own && !signedInLately(own, clock.now())) throw new Refusal('currentPasswordRequired')
    const password_hash = password === undefined ? undefined : await passwords.hash(password)
    const renewed = own && sessions.renewal(own.session)
    const ended = await changeUsers(open, async trx => {
      const before = await userStore(trx).find(id)
      if (!before) throw new Refusal('userNotExist')
      if (expected) refuseConflicts(conflictsIn([], { ...before }, expected, fields))
      if (fields.username !== undefined) await requireFreeName(trx, fields.username, id)
      await requireFreeEmail(trx, fields.email, before)
      // Whoever is let in again is not to be erased any more.
      const kept = fields.is_active === true && { erase_time: null }
      await userStore(trx).change(id, { ...fields, password_hash, ...kept })
      await auditUserChange(trx, before, password !== undefined)
      await also(trx)
      if (loses(before, fields)) return sessions.removeAllOf(trx, id)
      return password === undefined ? null : sessions.removeAllOf(trx, id, renewed)
    })
    if (ended !== null) sessions.announceEndOf(id, renewed)
    return { user: await read(id), renewed }
  }

  return {
    read,
    make,

    activeSuperusers: async (): Promise<number[]> => (await store.activeSuperusers()).map(({ id }) => id),

    async list(): Promise<UserReadAdmin[]> {
      return (await records.all()).map(record => adminView(record, configuration.current()))
    },

    create,
    update,

    /** The password is answered when it was made up here: it is stored nowhere as it is. */
    async createNew({ password: given, ...fields }: NewUser): Promise<{ user: UserReadAdmin } & MadeUp> {
      const password = given ?? generatedPassword()
      const user = await create({ ...fields, password })
      return { user, password: given === undefined ? password : null }
    },

    /** Ends the person's sessions. */
    async resetPassword(id: number, given: string | undefined, by: User): Promise<Updated & MadeUp> {
      const password = given ?? generatedPassword()
      const updated = await update(id, { password }, by)
      return { ...updated, password: given === undefined ? password : null }
    },

    /** Calls the listener before an account is removed, to end what the person is doing. */
    onRemoval(listener: (id: number) => Promise<void>): void {
      onRemoval.push(listener)
    },

    /** Calls the listener after an account was removed, to remove what its rows referred to. */
    onRemoved(listener: (id: number) => Promise<void>): void {
      onRemoved.push(listener)
    },

    /** `erase` runs in the same transaction, before: it removes what names the person. */
    async remove(id: number, erase: ((trx: Transaction) => Promise<void>) | null = null): Promise<void> {
      if (!(await store.find(id))) throw new Refusal('userNotExist')
      // Checked first, so that nobody's asks end for a removal that is refused. The transaction below checks it again.
      await requireRemovable(open.database, id)
      for (const listener of onRemoval) await listener(id)
      await changeUsers(open, async trx => {
        const row = await userStore(trx).find(id)
        await requireNotHeld(trx, [id])
        await erase?.(trx)
        await userStore(trx).remove(id)
        if (row !== undefined) await auditRemoval(trx, row, erase === null ? 'user.deleted' : 'user.erased')
      })
      sessions.announceEndOf(id)
      for (const listener of onRemoved) await listener(id)
    },
  }
}

/** The last active superuser stays, and whoever is to be kept whole. */
async function requireRemovable(database: Database, id: number): Promise<void> {
  if (!(await userStore(database).anyActiveSuperuser(id))) throw new Refusal('lastSuperuser')
  await requireNotHeld(database, [id])
}

/** For work that outlives its request: whoever began it must still be an administrator. */
export async function requireSuperuser(database: Database, id: number): Promise<void> {
  if (!(await userStore(database).isActiveSuperuser(id))) throw new Refusal('authorityDeny')
}

/** A deactivated person, and one who is no superuser any more, loses all sessions. */
export function loses(
  before: UserRow,
  { is_active, is_superuser }: Pick<UserUpdate, 'is_active' | 'is_superuser'>,
): boolean {
  return (before.is_active && is_active === false) || (before.is_superuser && is_superuser === false)
}

/**
 * Changes accounts one at a time, and requires an active superuser after each change: otherwise two concurrent changes
 * could remove the last two. Before the first account is made there is no superuser to keep.
 */
export async function changeUsers<T>(open: OpenDatabase, work: (trx: Transaction) => Promise<T>): Promise<T> {
  try {
    return await open.transaction(async trx => {
      const superusers = await userStore(trx).lockActiveSuperusers(open.engine)
      const outcome = await work(trx)
      if (superusers.length > 0 && !(await userStore(trx).anyActiveSuperuser())) throw new Refusal('lastSuperuser')
      return outcome
    })
  } catch (cause) {
    if (open.isUniqueViolation(cause)) throw new Refusal('userAlreadyExists', {}, { cause })
    throw cause
  }
}

/** Call it inside `changeUsers`: otherwise two people could take the same name at once. */
export async function requireFreeName(trx: Database, username: string, for_user: number | null): Promise<void> {
  const key = usernameKey(username)
  const names = await userStore(trx).names()
  if (names.some(other => other.id !== for_user && usernameKey(other.username) === key))
    throw new Refusal('userAlreadyExists')
}

/**
 * The same of e-mail addresses: one address is one account's. Blank is none, and whoever shares theirs from before
 * keeps it.
 */
export async function requireFreeEmail(
  trx: Transaction,
  email: string | undefined,
  before: UserRow | null,
): Promise<void> {
  const key = emailKey(email ?? '')
  if (key === '' || (before !== null && emailKey(before.email) === key)) return
  const all = await userStore(trx).emails()
  if (all.some(other => other.id !== before?.id && emailKey(other.email) === key)) throw new Refusal('emailTaken')
}
