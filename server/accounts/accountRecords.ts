import type { ChatStatus } from '#contract/limits.ts'
import type { Database } from '#server/foundation/database/open.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { settingStore } from '#server/quotas/store.ts'
import { type UserRow, userStore } from './store.ts'
import type { AccountRecord } from './userView.ts'

type Dependencies = { database: Database; chatStatus(user_ids: number[]): Promise<Map<number, ChatStatus>> }

export type AccountRecords = ReturnType<typeof accountRecords>

/** Reads everything stored about one person or about everybody, in a fixed number of queries either way. */
export function accountRecords({ database, chatStatus }: Dependencies) {
  const store = userStore(database)
  const settings = settingStore(database)

  async function recordsOf(users: UserRow[], user_id: number | null): Promise<AccountRecord[]> {
    const [sources, counts, credits, statuses] = await Promise.all([
      settings.sources(user_id),
      settings.counts(user_id),
      settings.credits(user_id),
      chatStatus(users.map(user => user.id)),
    ])
    const sourcesOf = Map.groupBy(sources, row => row.user_id)
    const countsOf = Map.groupBy(counts, row => row.user_id)
    const creditsOf = new Map(credits.map(row => [row.user_id, row.credits]))
    return users
      .filter(({ id }) => sourcesOf.has(id)) // leaves out whoever was created or removed between the queries
      .map(user => ({
        user,
        credits: creditsOf.get(user.id) ?? 0,
        sources: sourcesOf.get(user.id) ?? [],
        counts: countsOf.get(user.id) ?? [],
        chat_status: statuses.get(user.id) ?? 'idling',
      }))
  }

  return {
    all: async (): Promise<AccountRecord[]> => recordsOf(await store.list(), null),

    async requireOne(user_id: number): Promise<AccountRecord> {
      const user = await store.find(user_id)
      const [record] = user ? await recordsOf([user], user_id) : []
      if (!record) throw new Refusal('userNotExist')
      return record
    },
  }
}
