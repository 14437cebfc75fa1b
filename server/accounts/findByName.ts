import { Username } from '#contract/accountFields.ts'
import type { Database } from '#server/foundation/database/open.ts'
import { type UserRow, userStore } from './store.ts'
import { usernameKey } from './user.ts'

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
