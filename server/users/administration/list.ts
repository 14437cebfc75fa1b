import { type Expression, type ExpressionBuilder, sql, type SqlBool } from 'kysely'
import type { Configuration } from '#contract/configuration/configuration.ts'
import { UNLIMITED } from '#contract/limits.ts'
import type { Source } from '#contract/models.ts'
import { DEFAULT_PLAN } from '#contract/plans.ts'
import { rowsAsked } from '#contract/paging.ts'
import {
  type UserFilter,
  type UserListQuery,
  type UserPage,
  type UserRow,
  type SourceSummary,
  EXPIRES_SOON,
} from '#contract/userAdministration.ts'
import { queuePositions } from '#server/asks/queueStore.ts'
import { activeAsks, chatStatusOf } from '#server/asks/store.ts'
import { countValidOf, validConversations } from '#server/conversations/store.ts'
import { countUsers, allUsers } from '#server/users/store.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase, Database, Tables } from '#server/foundation/database/open.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { type EffectiveSetting, effectiveSettings, effectiveColumns } from '#server/policy/effectiveSetting.ts'
import { planStore, policyValues } from '#server/policy/planStore.ts'
import { type PlanRow, plansOf } from '#server/policy/planTree.ts'
import { settingStore, settingsOfEach } from '#server/policy/store.ts'
import { countedOf } from '#server/usage/counts.ts'
import { countSessions, sessionsOf } from '#server/users/sessionStore.ts'
import type { Engine } from '#server/foundation/database/schema/definition.ts'
import { holdsWords } from '#server/foundation/search/search.ts'
import { IN_ALL } from '#server/usage/store.ts'

type Dependencies = { open: OpenDatabase; clock: Clock; configuration(): Configuration }

/** The list of people for administrators: searched, filtered, sorted and paged, off the main thread. */
export function userList({ open, clock, configuration }: Dependencies) {
  const database = open.readOnly()
  const asked = () => ({ database, engine: open.engine, configuration: configuration(), now: clock.now() })

  async function rowsOf(ids: readonly number[]): Promise<UserRow[]> {
    return readListed(asked(), ids)
  }

  return {
    async page({ page, size, sort, order, model, ...filter }: UserListQuery): Promise<UserPage> {
      const at = asked()
      const { limit, offset } = rowsAsked({ page, size })
      const found = matchingUsers(at, filter)
      const [ids, total, { all, in_5m }] = await Promise.all([
        inOrder(found, at, { sort, order, source: filter.source, model })
          .select('users.id')
          .limit(limit)
          .offset(offset)
          .execute(),
        countOf(found),
        countUsers(database, at.now),
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
      const found = matchingUsers(asked(), filter)
      return (await found.select('users.id').orderBy('users.id').execute()).map(({ id }) => id)
    },
  }
}
export type UserList = ReturnType<typeof userList>

const countOf = async (found: ReturnType<typeof matchingUsers>): Promise<number> =>
  (await found.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow()).count

/**
 * Rows of the list in the order of the ids, by a fixed number of queries. People who were removed meanwhile are left
 * out.
 */
async function readListed(
  { database, configuration, now }: { database: Database; configuration: Configuration; now: number },
  ids: readonly number[],
): Promise<UserRow[]> {
  if (ids.length === 0) return []
  const [users, sources, credits, statuses, positions, conversations, sessions, values] = await Promise.all([
    shownOf(database, ids),
    effectiveSettings(database, configuration, ids, now),
    settingStore(database).credits(ids),
    chatStatusOf(database)(ids),
    positionsOf(database, ids),
    countValidOf(database, ids),
    countSessions(database, ids, now),
    planStore(database).listOf(ids),
  ])
  const usersById = new Map(users.map(user => [user.id, user]))
  const planOf = new Map(values.map(row => [row.user_id, plansOf(configuration).wayUp(row.plan_id)[0]]))
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
      plan: shownPlan(planOf.get(id) ?? plansOf(configuration).wayUp(null)[0]),
      openai_web: summary('openai_web', own),
      openai_api: summary('openai_api', own),
      conversations: own.conversations.reduce((sum, { count }) => sum + count, 0),
      sessions: sessionsOf.get(id) ?? 0,
    }
  })
}

const shownPlan = (row: PlanRow | undefined) => ({ plan_id: row?.id ?? DEFAULT_PLAN, name: row?.name ?? '' })

/** Pictures are left out: one may have 200,000 characters. */
const shownOf = (database: Database, ids: readonly number[]) =>
  allUsers(database)
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

type UserExpression = ExpressionBuilder<Tables, 'users'>
type Sort = NonNullable<UserListQuery['sort']>
type Order = Pick<UserListQuery, 'sort' | 'order' | 'source' | 'model'>
/** Where and when people are looked for; the configuration has the plan that they inherit. */
type ListContext = { database: Database; engine: Engine; configuration: Configuration; now: number }

const DAY = 86_400_000 // milliseconds

/** Subquery: the people who match a filter. */
function matchingUsers(asked: ListContext, filter: UserFilter) {
  return allUsers(asked.database).where(eb =>
    eb.and([
      ...(filter.words === undefined ? [] : holdsWords(eb.ref('users.search_text'), filter.words, asked.engine)),
      ...conditionsOf(asked, eb, filter),
    ]),
  )
}

function conditionsOf(
  asked: ListContext,
  eb: UserExpression,
  { state, role, allowed, expiry, source, plan }: UserFilter,
): Expression<SqlBool>[] {
  return [
    ...(state === undefined ? [] : isInState(asked.database, eb, state)),
    ...(role === undefined ? [] : [eb('users.is_superuser', '=', role === 'superuser')]),
    ...(allowed === undefined ? [] : [eb.exists(allowedSources(asked, eb, allowed).select('source'))]),
    ...(expiry === undefined ? [] : expires(asked, eb, expiry, source)),
    ...(plan === undefined ? [] : [isInPlan(asked.database, eb, plan)]),
  ]
}

/** Everybody whom no other plan has is in the default one. */
function isInPlan(database: Database, eb: UserExpression, plan: number): Expression<SqlBool> {
  const ofPerson = policyValues(database).where('user_policy_values.user_id', '=', eb.ref('users.id')).select('plan_id')
  return plan === DEFAULT_PLAN
    ? eb.not(eb.exists(ofPerson.where('plan_id', 'is not', null)))
    : eb.exists(ofPerson.where('plan_id', '=', plan))
}

function isInState(
  database: Database,
  eb: UserExpression,
  state: NonNullable<UserFilter['state']>,
): Expression<SqlBool>[] {
  if (state === 'active' || state === 'inactive') return [eb('users.is_active', '=', state === 'active')]
  const asks = (ask_state: string | null) =>
    eb.exists(
      activeAsks(database)
        .select('ask_id')
        .where('asks.user_id', '=', eb.ref('users.id'))
        .$if(ask_state !== null, query => query.where('ask_state', '=', ask_state ?? '')),
    )
  if (state === 'asking') return [asks('asking')]
  if (state === 'queueing') return [asks('queueing'), eb.not(asks('asking'))]
  return [eb('users.is_active', '=', true), eb.not(asks(null))]
}

/** Subquery: the sources that a person may use, or only `source` if given. */
const allowedSources = (asked: ListContext, eb: UserExpression, source: string | undefined) =>
  settingsOfEach(asked.database, eb.ref('users.id'))
    .where(effectiveColumns(asked).allow_to_use, '=', true)
    .$if(source !== undefined, query => query.where('source', '=', source ?? ''))

function expires(
  asked: ListContext,
  eb: UserExpression,
  expiry: NonNullable<UserFilter['expiry']>,
  source: string | undefined,
): Expression<SqlBool>[] {
  const { valid_until } = effectiveColumns(asked)
  const sources = allowedSources(asked, eb, source).select('source')
  if (expiry === 'expired') return [eb.exists(sources.where(valid_until, '<', asked.now))]
  if (expiry === 'soon') {
    const soon = sources.where(valid_until, '>=', asked.now).where(valid_until, '<=', asked.now + EXPIRES_SOON * DAY)
    return [eb.exists(soon)]
  }
  return [eb.exists(sources), eb.not(eb.exists(sources.where(valid_until, 'is not', null)))]
}

/** Names are sorted ascending by default, times and numbers descending. */
const ASCENDING: readonly Sort[] = ['nickname', 'username', 'email']

/** Sorts as the query asks. Equal rows are sorted by id, so that pages do not overlap. */
function inOrder(
  found: ReturnType<typeof matchingUsers>,
  asked: ListContext,
  { sort = 'last_active_time', order, source, model }: Order,
) {
  const direction = order ?? (ASCENDING.includes(sort) ? 'asc' : 'desc')
  return found
    .orderBy(
      eb => sortedBy(asked, eb, sort, { source, model }),
      by => (direction === 'asc' ? by.asc() : by.desc()).nullsLast(),
    )
    .orderBy('users.id')
}

function sortedBy(
  asked: ListContext,
  eb: UserExpression,
  sort: Sort,
  of: Pick<Order, 'source' | 'model'>,
): Expression<unknown> {
  const { database, now } = asked
  const id = eb.ref('users.id')
  switch (sort) {
    case 'nickname':
      return eb.ref('users.search_text') // it begins with the nickname
    case 'username':
      return eb.fn('lower', ['users.username'])
    case 'email':
      return eb.fn('lower', ['users.email'])
    case 'create_time':
    case 'last_active_time':
      return eb.ref(`users.${sort}`)
    case 'conversations':
      return validConversations(database)
        .where('conversations.user_id', '=', id)
        .select(({ fn }) => fn.countAll<number>().as('count'))
    case 'sessions':
      return sessionsOf(database, id, now).select(({ fn }) => fn.countAll<number>().as('count'))
    case 'valid_until':
      return allowedSources(asked, eb, of.source).select(({ fn }) =>
        fn.min<number>(effectiveColumns(asked).valid_until).as('first'),
      )
    case 'used_share':
    case 'remaining':
      return ofCounts(asked, eb, sort, of)
  }
}

/** Null where there is no count. */
function ofCounts(
  asked: ListContext,
  eb: UserExpression,
  sort: 'used_share' | 'remaining',
  { source, model = IN_ALL }: Pick<Order, 'source' | 'model'>,
): Expression<unknown> {
  const columns = effectiveColumns(asked)
  return settingsOfEach(asked.database, eb.ref('users.id'))
    .$if(source !== undefined, query => query.where('source', '=', source ?? ''))
    .where(row => row(columns.allowed(row, model), '>=', 0))
    .select(row => measured(sort, columns.used(row, model), columns.allowed(row, model)).as('measured'))
}

/** A count of 0 allowed is all used. */
const measured = (sort: 'used_share' | 'remaining', used: Expression<number>, allowed: Expression<number>) =>
  sort === 'remaining'
    ? sql<number>`min(case when ${used} > ${allowed} then 0 else ${allowed} - ${used} end)`
    : sql<number>`max(case when ${used} >= ${allowed} then 1.0 else 1.0 * ${used} / ${allowed} end)`
