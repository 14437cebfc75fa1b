import type { Configuration } from '#contract/configuration.ts'
import { UNLIMITED } from '#contract/limits.ts'
import type { Source } from '#contract/models.ts'
import type { SourceSummary, UserRow } from '#contract/userAdministration.ts'
import { countSessions } from '#server/users/sessionStore.ts'
import { people } from '#server/users/store.ts'
import { queuePositions } from '#server/asks/queueStore.ts'
import { chatStatusOf } from '#server/asks/store.ts'
import { countValidOf } from '#server/conversations/store.ts'
import type { Database } from '#server/foundation/database/open.ts'
import { countedOf } from '#server/usage/counts.ts'
import { type EffectiveSetting, effectiveSettings } from '#server/policy/effectiveSetting.ts'
import { settingStore } from '#server/policy/store.ts'

/** Rows of the list in the order of the ids, by a fixed number of queries. People who were removed meanwhile are left out. */
export async function readPeople(
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
