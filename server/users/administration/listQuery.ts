import { type Expression, type ExpressionBuilder, sql, type SqlBool } from 'kysely'
import type { Configuration } from '#contract/configuration/configuration.ts'
import { EXPIRES_SOON, type UserFilter, type UserListQuery } from '#contract/userAdministration.ts'
import { people } from '#server/users/store.ts'
import { sessionsOf } from '#server/users/sessionStore.ts'
import { livingAsks } from '#server/asks/store.ts'
import { validConversations } from '#server/conversations/store.ts'
import type { Database, Tables } from '#server/foundation/database/open.ts'
import type { Engine } from '#server/foundation/database/schema/definition.ts'
import { holdsWords } from '#server/foundation/search/holdsWords.ts'
import { effectiveColumns } from '#server/policy/effectiveSetting.ts'
import { settingsOfEach } from '#server/policy/store.ts'
import { IN_ALL } from '#server/usage/store.ts'

type Person = ExpressionBuilder<Tables, 'users'>
type Sort = NonNullable<UserListQuery['sort']>
type Order = Pick<UserListQuery, 'sort' | 'order' | 'source' | 'model'>
/** Where and when people are looked for; the configuration has the plan that they inherit. */
type Asked = { database: Database; configuration: Configuration; now: number }

const DAY = 86_400_000 // milliseconds

/** Subquery: the people who match a filter. */
export function peopleFound(asked: Asked, engine: Engine, filter: UserFilter) {
  return people(asked.database).where(eb =>
    eb.and([
      ...(filter.words === undefined ? [] : holdsWords(eb.ref('users.search_text'), filter.words, engine)),
      ...conditionsOf(asked, eb, filter),
    ]),
  )
}

function conditionsOf(
  asked: Asked,
  eb: Person,
  { state, role, allowed, expiry, source }: UserFilter,
): Expression<SqlBool>[] {
  return [
    ...(state === undefined ? [] : isInState(asked.database, eb, state)),
    ...(role === undefined ? [] : [eb('users.is_superuser', '=', role === 'superuser')]),
    ...(allowed === undefined ? [] : [eb.exists(allowedSources(asked, eb, allowed).select('source'))]),
    ...(expiry === undefined ? [] : expires(asked, eb, expiry, source)),
  ]
}

function isInState(database: Database, eb: Person, state: NonNullable<UserFilter['state']>): Expression<SqlBool>[] {
  if (state === 'active' || state === 'inactive') return [eb('users.is_active', '=', state === 'active')]
  const asks = (ask_state: string | null) =>
    eb.exists(
      livingAsks(database)
        .select('ask_id')
        .where('asks.user_id', '=', eb.ref('users.id'))
        .$if(ask_state !== null, query => query.where('ask_state', '=', ask_state ?? '')),
    )
  if (state === 'asking') return [asks('asking')]
  if (state === 'queueing') return [asks('queueing'), eb.not(asks('asking'))]
  return [eb('users.is_active', '=', true), eb.not(asks(null))]
}

/** Subquery: the sources that a person may use, or only `source` if given. */
const allowedSources = ({ database, configuration }: Asked, eb: Person, source: string | undefined) =>
  settingsOfEach(database, eb.ref('users.id'))
    .where(effectiveColumns(database, configuration).allow_to_use, '=', true)
    .$if(source !== undefined, query => query.where('source', '=', source ?? ''))

function expires(
  asked: Asked,
  eb: Person,
  expiry: NonNullable<UserFilter['expiry']>,
  source: string | undefined,
): Expression<SqlBool>[] {
  const { valid_until } = effectiveColumns(asked.database, asked.configuration)
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
export function inOrder(
  found: ReturnType<typeof peopleFound>,
  asked: Asked,
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

function sortedBy(asked: Asked, eb: Person, sort: Sort, of: Pick<Order, 'source' | 'model'>): Expression<unknown> {
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
        fn.min<number>(effectiveColumns(database, asked.configuration).valid_until).as('first'),
      )
    case 'used_share':
    case 'remaining':
      return ofCounts(asked, eb, sort, of)
  }
}

/** Null where there is no count. */
function ofCounts(
  { database, configuration }: Asked,
  eb: Person,
  sort: 'used_share' | 'remaining',
  { source, model = IN_ALL }: Pick<Order, 'source' | 'model'>,
): Expression<unknown> {
  const columns = effectiveColumns(database, configuration)
  return settingsOfEach(database, eb.ref('users.id'))
    .$if(source !== undefined, query => query.where('source', '=', source ?? ''))
    .where(row => row(columns.allowed(row, model), '>=', 0))
    .select(row => measured(sort, columns.used(row, model), columns.allowed(row, model)).as('measured'))
}

/** A count of 0 allowed is all used. */
const measured = (sort: 'used_share' | 'remaining', used: Expression<number>, allowed: Expression<number>) =>
  sort === 'remaining'
    ? sql<number>`min(case when ${used} > ${allowed} then 0 else ${allowed} - ${used} end)`
    : sql<number>`max(case when ${used} >= ${allowed} then 1.0 else 1.0 * ${used} / ${allowed} end)`
