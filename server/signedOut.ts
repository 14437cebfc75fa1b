import { CLOSE } from '#contract/asking.ts'
import type { Users } from '#server/users/users.ts'
import type { User } from '#server/users/user.ts'
import type { Asking } from '#server/asking/asking.ts'
import type { Log } from '#server/foundation/logging.ts'
import type { Sockets } from '#server/foundation/socket/socket.ts'

/**
 * Milliseconds between checks of the sessions behind the open sockets; within five seconds an ended one has nothing
 * open.
 */
const CHECK_EVERY = 4_000

type Dependencies = {
  users: Users
  asking: Pick<Asking, 'stopAllOf'>
  sockets: Pick<Sockets<User>, 'closeWhere' | 'users'>
  log: Log
}

/**
 * Closes the sockets of sessions that have ended: at once when the bus says so, and by polling, since sessions also
 * expire, messages from another process may get lost, and the command line beside an embedded database cannot send any.
 * Returns what stops the polling.
 */
export function closeSignedOut({ users, asking, sockets, log }: Dependencies): () => Promise<void> {
  const close = (isEnded: (user: User) => boolean) => sockets.closeWhere(isEnded, CLOSE.refused, 'errors.loginExpired')

  users.onSessionsEnded(({ user_id, session, except }) => {
    close(user => (session === undefined ? user.id === user_id && user.session !== except : user.session === session))
    // Signed out everywhere, by an administrator or with the account: then nothing is answered for them any more,
    // either.
    if (user_id !== undefined && except === undefined) {
      asking
        .stopAllOf(user_id)
        .catch((error: unknown) => log.error({ err: error }, 'the asks of a person could not be stopped'))
    }
  })

  async function closeEnded(): Promise<void> {
    const ended = await users.endedAmong(sockets.users().map(({ session }) => session))
    if (ended.size > 0) close(({ session }) => ended.has(session))
  }

  let closing: Promise<void> | null = null
  const timer = setInterval(() => {
    closing ??= closeEnded()
      .catch((error: unknown) => log.warn({ err: error }, 'the sessions of open sockets could not be looked at'))
      .finally(() => {
        closing = null
      })
  }, CHECK_EVERY).unref()

  return async () => {
    clearInterval(timer)
    await closing
  }
}
