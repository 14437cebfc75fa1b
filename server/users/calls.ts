import { type UserCreate, Username, type UserReadAdmin } from '#contract/users.ts'
import type { Configuration } from '#contract/configuration/configuration.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { invalid, Refusal } from '#server/foundation/refusal.ts'
import { UNLIMITED_VALUES } from '#server/policy/plans.ts'
import { auditUserChange } from './auditing.ts'
import { findByName } from './userRecords.ts'
import { requirePassword, generatedPassword, type Passwords } from './passwords.ts'
import type { Sessions } from './sessions.ts'
import { type UserRow, userStore } from './store.ts'
import type { openDirectory } from './directory.ts'

type Dependencies = {
  open: OpenDatabase
  configuration: { current(): Configuration }
  passwords: Passwords
  sessions: Sessions
  directory: ReturnType<typeof openDirectory>
}

/** What is done with people at the first start and on the command line. */
export function administration({ open, configuration, passwords, sessions, directory }: Dependencies) {
  async function requireNamed(username: string): Promise<UserRow> {
    const user = await findByName(open.database, username)
    if (!user) throw new Refusal('userNotExist')
    return user
  }

  /** Gives the password when it was generated here. */
  async function makeAdmin(username: string, given: string | null, email = ''): Promise<string | null> {
    const password = given ?? generatedPassword()
    await directory.make(adminNamed(username, password, email), UNLIMITED_VALUES)
    return given === null ? password : null
  }

  return {
    /** An administrator without limits. Gives the password when it was generated here. */
    async createAdmin(username: string, given: string | null): Promise<string | null> {
      const name = Username.safeParse(username)
      if (!name.success) throw invalid(['body', 'username'], 'invalidUsername')
      return makeAdmin(name.data, given === null ? null : requirePassword(given, name.data))
    },

    /** At the first start only: a portal that has users is left as it is. `password` is the one to be printed, once. */
    async ensureInitialAdmin(): Promise<{ username: string; password: string | null } | null> {
      const {
        create_initial_admin_user,
        initial_admin_user_username: username,
        initial_admin_user_password,
      } = configuration.current().common
      if (!create_initial_admin_user || (await userStore(open.database).any())) return null
      const given = initial_admin_user_password === null ? null : requirePassword(initial_admin_user_password, username)
      try {
        return { username, password: await makeAdmin(username, given, INITIAL_EMAIL) }
      } catch (cause) {
        // Another process that starts on the same database was faster.
        if (cause instanceof Refusal && ['userAlreadyExists', 'emailTaken'].includes(cause.key)) return null
        throw cause
      }
    },

    createUser: directory.create,
    readNamed: async (username: string): Promise<UserReadAdmin> => directory.read((await requireNamed(username)).id),

    /** Ends the person's sessions. Gives the password when it was generated here. */
    async resetPassword(username: string, given: string | null = null): Promise<string | null> {
      const user = await requireNamed(username)
      const password = given === null ? generatedPassword() : requirePassword(given, user.username)
      const password_hash = await passwords.hash(password)
      await open.transaction(async trx => {
        await userStore(trx).change(user.id, { password_hash })
        await auditUserChange(trx, user, true)
        await sessions.removeAllOf(trx, user.id)
      })
      sessions.announceEndOf(user.id)
      return given === null ? password : null
    },

    /** Gives how many there were. */
    async endSessions(username: string): Promise<number> {
      const user = await requireNamed(username)
      return sessions.endAllOf(user.id, null)
    },
  }
}

/**
 * A placeholder until the person enters their own. It ends in `.lan`, since forms of old clients refuse a top-level
 * domain of more than four letters.
 */
const INITIAL_EMAIL = 'admin@commons.lan'

function adminNamed(username: string, password: string, email: string): UserCreate {
  return {
    username,
    password,
    nickname: username,
    email,
    is_active: true,
    is_superuser: true,
    is_verified: true,
    avatar: null,
    remark: null,
  }
}
