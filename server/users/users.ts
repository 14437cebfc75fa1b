import type { Configuration } from '#contract/configuration.ts'
import type { ChatStatus } from '#contract/limits.ts'
import type { Bus } from '#server/foundation/bus.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { Log } from '#server/foundation/logging.ts'
import type { Resolve } from '#server/foundation/outbound/addresses.ts'
import type { SecretBox } from '#server/foundation/secrets.ts'
import { userRecords } from './userRecords.ts'
import { administration } from './calls.ts'
import { browserSession } from './browserSession.ts'
import { openPreferences, ownAccount } from './ownAccount.ts'
import { personSessions } from './personSessions.ts'
import { type PasswordCost, passwordHashing } from './passwords.ts'
import { openSessions } from './sessions.ts'
import { adjusting } from '#server/policy/adjustments.ts'
import { changingSettings } from '#server/policy/settings.ts'
import { signInAttempts } from './signInAttempts.ts'
import { signingIn } from './signIn.ts'
import type { User } from './user.ts'
import { openDirectory } from './directory.ts'

export type UserDependencies = {
  open: OpenDatabase
  clock: Clock
  configuration: { current(): Configuration }
  secretBox: SecretBox
  bus: Bus
  log: Log
  /** Who is being answered or waits. A function, since the record of asks is on a floor above. */
  chatStatus(user_ids: number[]): Promise<Map<number, ChatStatus>>
  /** Lower in tests, which need no hashes that hold for years. */
  password_cost?: PasswordCost
  /** Another one in tests, which use host names that do not exist. */
  resolve?: Resolve
}

export type Users = ReturnType<typeof openUsers>

/** Who people are, how they sign in, and what they may (the specification, sections 3 and 6). */
export function openUsers(dependencies: UserDependencies) {
  const { open, clock, configuration, log } = dependencies
  const sessions = openSessions({
    ...dependencies,
    onFailure: cause => log.warn({ err: cause }, 'last activity was not written'),
  })
  const shared = {
    ...dependencies,
    sessions,
    passwords: passwordHashing({ cost: dependencies.password_cost }),
    attempts: signInAttempts({ database: open.database, clock }),
    records: userRecords({ ...dependencies, database: open.database }),
  }
  const directory = openDirectory(shared)
  const publicOrigin = () => configuration.current().portal.public_origin

  return {
    directory,
    own: ownAccount(shared),
    personSessions: personSessions(shared),
    preferences: openPreferences({ open, clock }),
    ...changingSettings(shared),
    adjust: adjusting({ open, clock, configuration }),
    browser: browserSession({ signIn: signingIn(shared), sessions, publicOrigin }),
    ...administration({ ...shared, directory }),

    /** Whose session has this token; null without one that is still good. */
    authenticate: (token: string): Promise<User | null> => sessions.find(token),
    /** The same person as they are now; null when the session has ended. For what outlives a request: a socket, before each ask. */
    authenticateAgain: ({ session }: User) => sessions.findAgain(session),
    endedAmong: sessions.endedAmong,
    onSessionsEnded: sessions.onEnded,
    removeExpiredSessions: sessions.removeExpired,

    close: sessions.close,
  }
}
