import type { OpenDatabase, Transaction } from '#server/foundation/database/open.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { userStore } from './store.ts'
import { usernameKey } from './user.ts'

/**
 * Changes accounts one at a time, and requires an active superuser after each change: otherwise two concurrent changes could remove the last
 * two. Before the first account is made there is no superuser to keep.
 */
export async function changeAccounts<T>(open: OpenDatabase, work: (trx: Transaction) => Promise<T>): Promise<T> {
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

/** Call it inside `changeAccounts`: otherwise two people could take the same name at once. */
export async function requireFreeName(trx: Transaction, username: string, for_user: number | null): Promise<void> {
  const key = usernameKey(username)
  const names = await userStore(trx).names()
  if (names.some(other => other.id !== for_user && usernameKey(other.username) === key))
    throw new Refusal('userAlreadyExists')
}
