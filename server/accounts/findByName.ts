import { Email, Username } from '#contract/accounts.ts'
import type { Database } from '#server/foundation/database/open.ts'
import { type UserRow, userStore } from './store.ts'
import { emailKey, usernameKey } from './user.ts'

/** One indexed read if the name is written as it is stored; otherwise all names are compared. */
export async function findByName(database: Database, name: string): Promise<UserRow | undefined> {
  const parsed = Username.safeParse(name)
  if (!parsed.success) return undefined
  const store = userStore(database)
  const exact = await store.findExactly(parsed.data)
  if (exact) return exact
  const key = usernameKey(parsed.data)
  const alike = (await store.names()).find(other => usernameKey(other.username) === key)
  return alike && store.find(alike.id)
}

/** For signing in: the account of this name; else the account with this e-mail address, if there is exactly one. */
export async function findByNameOrEmail(database: Database, text: string): Promise<UserRow | undefined> {
  const named = await findByName(database, text)
  const email = Email.safeParse(text)
  if (named !== undefined || !email.success) return named
  const store = userStore(database)
  const [only, ...more] = (await store.emails()).filter(other => emailKey(other.email) === emailKey(email.data))
  return only === undefined || more.length > 0 ? undefined : store.find(only.id)
}
