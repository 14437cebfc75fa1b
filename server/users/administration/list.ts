import type { Configuration } from '#contract/configuration/configuration.ts'
import { UNLIMITED } from '#contract/limits.ts'
import type { Source } from '#contract/models.ts'
import { rowsAsked } from '#contract/paging.ts'
import type { UserFilter, UserListQuery, UserPage, UserRow, SourceSummary } from '#contract/userAdministration.ts'
import { queuePositions } from '#server/asks/queueStore.ts'
import { chatStatusOf } from '#server/asks/store.ts'
import { countValidOf } from '#server/conversations/store.ts'
import { countPeople, people } from '#server/users/store.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase, Database } from '#server/foundation/database/open.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { type EffectiveSetting, effectiveSettings } from '#server/policy/effectiveSetting.ts'
import { settingStore } from '#server/policy/store.ts'
import { countedOf } from '#server/usage/counts.ts'
import { countSessions } from '#server/users/sessionStore.ts'
import { inOrder, peopleFound } from './listQuery.ts'

type Dependencies = { open: OpenDatabase; clock: Clock; configuration(): Configuration }

/** The list of people for administrators: searched, filtered, sorted and paged, off the main thread. */
export function userList({ open, clock, configuration }: Dependencies) {
  const database = open.readOnly()
  const asked = () => ({ database, configuration: configuration(), now: clock.now() })

  async function rowsOf(ids: readonly number[]): Promise<UserRow[]> {
    return readPeople(asked(), ids)
  }

  return {
    async page({ page, size, sort, order, model, ...filter }: UserListQuery): Promise<UserPage> {
      const at = asked()
      const { limit, offset } = rowsAsked({ page, size })
      const found = peopleFound(at, open.engine, filter)
      const [ids, total, { all, in_5m }] = await Promise.all([
        inOrder(found, at, { sort, order, source: filter.source, model })
          .select('users.id')
          .limit(limit)
          .offset(offset)
          .execute(),
        countOf(found),
        countPeople(database, at.now),
      ])
      return { rows: await rowsOf(ids.map(({ id }) => id)), total, counts: { all, online: in_5m } }
    },

    async one(id: number): Promise<UserRow> {
      const [row] = await rowsOf([id])
      if (row === undefined) throw new Refusal('userNotExist')
      return row
    },

    /** The ids of all people who match, in order. */
    async idsOf(filter: UserFilter): Promise<number[]> {
      const found = peopleFound(asked(), open.engine, filter)
      return (await found.select('users.id').orderBy('users.id').execute()).map(({ id }) => id)
    },
  }
}
export type UserList = ReturnType<typeof userList>

const countOf = async (found: ReturnType<typeof peopleFound>): Promise<number> =>
  (await found.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow()).count

/**
 * Rows of the list in the order of the ids, by a fixed number of queries. People who were removed meanwhile are left
 * out.
 */
async function readPeople(
  { database, configuration, now }: { database: Database; configuration: Configuration; now: number },
  ids: readonly number[],
): Promise<UserRow[]> {
  if (ids.length === 0) return []
  const [users, sources, credits, statuses, positions, conversations, sessions] = await Promise.all([
    shownOf(database, ids),
    effectiveSettings(database, configuration, ids),
    settingStore(database).credits(ids),
    chatStatusOf(database)(ids),
    positionsOf(database, ids),
    countValidOf(database, ids),
    countSessions(database, ids, now),
  ])
  const usersById = new Map(users.map(user => [user.id, user]))
  const creditsOf = new Map(credits.map(row => [row.user_id, row.credits]))
  const sourcesOf = Map.groupBy(sources, row => row.user_id)
  const sessionsOf = new Map(sessions.map(row => [row.user_id, row.count]))
  const conversationsOf = Map.groupBy(conversations, row => row.user_id)
  return ids.flatMap(id => {
    const [user, settingRows] = [usersById.get(id), sourcesOf.get(id)]
    if (user === undefined || settingRows === undefined) return []
    const own = { settings: settingRows, conversations: conversationsOf.get(id) ?? [] }
    return {
      ...user,
      create_time: timeText(user.create_time),
      last_active_time: user.last_active_time === null ? null : timeText(user.last_active_time),
      chat_status: statuses.get(id) ?? 'idling',
      queue_position: positions.get(id) ?? null,
      credits: creditsOf.get(id) ?? 0,
      openai_web: summary('openai_web', own),
      openai_api: summary('openai_api', own),
      conversations: own.conversations.reduce((sum, { count }) => sum + count, 0),
      sessions: sessionsOf.get(id) ?? 0,
    }
  })
}

/** Pictures are left out: one may have 200,000 characters. */
const shownOf = (database: Database, ids: readonly number[]) =>
  people(database)
    .select(['id', 'username', 'nickname', 'email', 'remark', 'create_time', 'last_active_time'])
    .select(['is_superuser', 'is_active', 'is_verified'])
    .where('id', 'in', ids)
    .execute()

/** The queue position of each person's first waiting ask. */
async function positionsOf(database: Database, ids: readonly number[]): Promise<Map<number, number>> {
  const asked = new Set(ids)
  const positions = new Map<number, number>()
  for (const { user_id, position } of await queuePositions(database).execute()) {
    if (asked.has(user_id)) positions.set(user_id, Math.min(position, positions.get(user_id) ?? position))
  }
  return positions
}

type Own = {
  settings: EffectiveSetting[]
  conversations: { source: string; count: number }[]
}

function summary(source: Source, { settings, conversations }: Own): SourceSummary {
  const setting = settings.find(row => row.source === source)
  if (setting === undefined) throw new Error(`there are no settings for ${source}`)
  return {
    allow_to_use: setting.allow_to_use,
    valid_until: setting.valid_until === null ? null : timeText(setting.valid_until),
    total: countedOf(setting.total),
    conversations: {
      used: conversations.find(row => row.source === source)?.count ?? 0,
      allowed: setting.max_conv_count,
    },
    models: [...setting.models]
      .filter(([, { allowed }]) => allowed !== UNLIMITED)
      .map(([model, state]) => ({ model, count: countedOf(state) })),
  }
}

const timeText = (time: number) => new Date(time).toISOString()
