import { Email, Username } from '#contract/users.ts'
import type { Configuration } from '#contract/configuration/configuration.ts'
import type { ChatStatus } from '#contract/limits.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { Database } from '#server/foundation/database/open.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { SecretBox } from '#server/foundation/secrets.ts'
import { effectiveSettings } from '#server/policy/effectiveSetting.ts'
import { isOwnKeyUnreadable } from '#server/policy/ownEndpoint.ts'
import { settingStore } from '#server/policy/store.ts'
import { type UserRow, userStore } from './store.ts'
import { emailKey, usernameKey } from './user.ts'
import type { AccountRecord } from './userView.ts'

type Dependencies = {
  database: Database
  clock: Clock
  configuration: { current(): Configuration }
  secretBox: SecretBox
  chatStatus(user_ids: number[]): Promise<Map<number, ChatStatus>>
}

export type UserRecords = ReturnType<typeof userRecords>

/** Reads everything stored about one person or about everybody, in a fixed number of queries either way. */
export function userRecords({ database, clock, configuration, secretBox, chatStatus }: Dependencies) {
  const store = userStore(database)

  async function recordsOf(users: UserRow[], only: number[] | null): Promise<AccountRecord[]> {
    const [sources, credits, statuses] = await Promise.all([
      effectiveSettings(database, configuration.current(), only, clock.now()),
      settingStore(database).credits(only),
      chatStatus(users.map(user => user.id)),
    ])
    const sourcesOf = Map.groupBy(sources, row => row.user_id)
    const creditsOf = new Map(credits.map(row => [row.user_id, row.credits]))
    return users
      .filter(({ id }) => sourcesOf.has(id)) // leaves out whoever was created or removed between the queries
      .map(user => ({
        user,
        credits: creditsOf.get(user.id) ?? 0,
        sources: sourcesOf.get(user.id) ?? [],
        chat_status: statuses.get(user.id) ?? 'idling',
        own_key_unreadable: (sourcesOf.get(user.id) ?? []).some(row => isOwnKeyUnreadable(row, secretBox)),
      }))
  }

  return {
    all: async (): Promise<AccountRecord[]> => recordsOf(await store.list(), null),

    async requireOne(user_id: number): Promise<AccountRecord> {
      const user = await store.find(user_id)
      const [record] = user ? await recordsOf([user], [user_id]) : []
      if (!record) throw new Refusal('userNotExist')
      return record
    },
  }
}

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
  if (named !== undefined || !email.success || email.data === '') return named
  const store = userStore(database)
  const [only, ...more] = (await store.emails()).filter(other => emailKey(other.email) === emailKey(email.data))
  return only === undefined || more.length > 0 ? undefined : store.find(only.id)
}
