import type { Configuration } from '#contract/configuration/configuration.ts'
import type { ChatStatus } from '#contract/limits.ts'
import type { ProofKind, UserSession } from '#contract/userAdministration.ts'
import type { Bus } from '#server/foundation/database/bus.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { Log } from '#server/foundation/logging.ts'
import type { Resolve } from '#server/foundation/outbound/addresses.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { SecretBox } from '#server/foundation/secrets.ts'
import { adjusting } from '#server/policy/adjustments.ts'
import { changingSettings } from '#server/policy/settings.ts'
import { userRecords } from './userRecords.ts'
import { administration } from './calls.ts'
import { browserSession } from './browserSession.ts'
import { openHolds } from './holds.ts'
import { openPreferences, ownAccount } from './ownAccount.ts'
import { type PasswordCost, passwordHashing } from './passwords.ts'
import { openSessions, type Sessions } from './sessions.ts'
import { sessionStore } from './sessionStore.ts'
import { signInAttempts, signingIn, startingSessions } from './signIn.ts'
import type { User } from './user.ts'
import { openDirectory } from './directory.ts'
import { userStore } from './store.ts'

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
  const signIn = signingIn(shared)
  const publicOrigin = () => configuration.current().portal.public_origin

  return {
    directory,
    own: ownAccount(shared),
    userSessions: personSessions(shared),
    preferences: openPreferences({ open, clock }),
    holds: openHolds({ open, clock }),
    ...changingSettings(shared),
    adjust: adjusting({ open, clock, configuration }),
    startSession: startingSessions(shared),
    signIn,
    browser: browserSession({ signIn, sessions, publicOrigin }),
    endProviderSessions: sessions.endProviderSessions,
    ...administration({ ...shared, directory }),

    /** Whose session has this token; null without one that is still good. */
    authenticate: (token: string): Promise<User | null> => sessions.find(token),
    /**
     * The same person as they are now; null when the session has ended. For what outlives a request: a socket, before
     * each ask.
     */
    authenticateAgain: ({ session }: User) => sessions.findAgain(session),
    endedAmong: sessions.endedAmong,
    onSessionsEnded: sessions.onEnded,
    removeExpiredSessions: sessions.removeExpired,

    close: sessions.close,
  }
}

type Dependencies = { open: OpenDatabase; clock: Clock; sessions: Sessions }

/** What an administrator calls a session by: enough of the hash of its token to be the only one. */
const sessionId = (token_hash: string): string => token_hash.slice(0, 22)

/**
 * Where people are signed in, as administrators see and end it. `current` is the session of the administrator who asks.
 */
function personSessions({ open, clock, sessions }: Dependencies) {
  const store = sessionStore(open.database)

  async function listOf(user_id: number) {
    if (!(await userStore(open.database).find(user_id))) throw new Refusal('userNotExist')
    return store.listOf(user_id, clock.now())
  }

  return {
    async list(user_id: number, current: string): Promise<UserSession[]> {
      return (await listOf(user_id)).map(
        ({ token_hash, create_time, last_seen_time, expire_time, proof, ...visitor }) => ({
          id: sessionId(token_hash),
          create_time: timeText(create_time),
          last_seen_time: timeText(last_seen_time),
          expire_time: timeText(expire_time),
          ...visitor,
          proof: proof as ProofKind, // only `start` writes it
          is_current: token_hash === current,
        }),
      )
    },

    /** Gives how many there were: one, or none when it has ended. */
    async end(user_id: number, id: string): Promise<number> {
      const session = (await listOf(user_id)).find(({ token_hash }) => sessionId(token_hash) === id)?.token_hash
      if (session === undefined) return 0
      await sessions.endFor(user_id, session)
      return 1
    },

    /** All but the one that asks. Gives how many there were. */
    async endAll(user_id: number, current: string): Promise<number> {
      const all = await listOf(user_id)
      const ended = all.filter(({ token_hash }) => token_hash !== current)
      // Of somebody else all are ended, which stops what they have asked, too.
      await sessions.endAllOf(user_id, ended.length < all.length ? current : null)
      return ended.length
    },
  }
}

const timeText = (time: number) => new Date(time).toISOString()
