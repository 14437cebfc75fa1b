import { type Expression, type ExpressionBuilder, sql, type SqlBool } from 'kysely'
import { EXPIRES_SOON, type UserFilter, type UserListQuery } from '#contract/users.ts'
import { people } from '#server/accounts/store.ts'
import { sessionsOf } from '#server/accounts/sessionStore.ts'
import { livingAsks } from '#server/asks/store.ts'
import { validConversations } from '#server/conversations/store.ts'
import type { Database, Tables } from '#server/foundation/database/open.ts'
import type { Engine } from '#server/foundation/database/definition.ts'
import { holdsWords } from '#server/foundation/database/holdsWords.ts'
import { countsOfEach, settingsOfEach } from '#server/quotas/store.ts'

type Person = ExpressionBuilder<Tables, 'users'>
type Sort = NonNullable<UserListQuery['sort']>
type Order = Pick<UserListQuery, 'sort' | 'order' | 'source' | 'model'>

const DAY = 86_400_000 // milliseconds

/** Subquery: the people who match a filter. */
export function peopleFound(database: Database, engine: Engine, filter: UserFilter, now: number) {
  return people(database).where(eb =>
    eb.and([
      ...(filter.words === undefined ? [] : holdsWords(eb.ref('users.search_text'), filter.words, engine)),
      ...conditionsOf(database, eb, filter, now),
    ]),
  )
}

function conditionsOf(
  database: Database,
  eb: Person,
  { state, role, allowed, expiry, source }: UserFilter,
  now: number,
): Expression<SqlBool>[] {
  return [
    ...(state === undefined ? [] : isInState(database, eb, state)),
    ...(role === undefined ? [] : [eb('users.is_superuser', '=', role === 'superuser')]),
    ...(allowed === undefined ? [] : [eb.exists(allowedSources(database, eb, allowed).select('source'))]),
    ...(expiry === undefined ? [] : expires(database, eb, expiry, source, now)),
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
const allowedSources = (database: Database, eb: Person, source: string | undefined) =>
  settingsOfEach(database, eb.ref('users.id'))
    .where('allow_to_use', '=', true)
    .$if(source !== undefined, query => query.where('source', '=', source ?? ''))

function expires(
  database: Database,
  eb: Person,
  expiry: NonNullable<UserFilter['expiry']>,
  source: string | undefined,
  now: number,
): Expression<SqlBool>[] {
  const sources = allowedSources(database, eb, source).select('source')
  if (expiry === 'expired') return [eb.exists(sources.where('valid_until', '<', now))]
  if (expiry === 'soon') {
    const soon = sources.where('valid_until', '>=', now).where('valid_until', '<=', now + EXPIRES_SOON * DAY)
    return [eb.exists(soon)]
  }
  return [eb.exists(sources), eb.not(eb.exists(sources.where('valid_until', 'is not', null)))]
}

/** Names are sorted ascending by default, times and numbers descending. */
const ASCENDING: readonly Sort[] = ['nickname', 'username', 'email']

/** Sorts as the query asks. Equal rows are sorted by id, so that pages do not overlap. */
export function inOrder(
  found: ReturnType<typeof peopleFound>,
  database: Database,
  { sort = 'last_active_time', order, source, model }: Order,
  now: number,
) {
  const direction = order ?? (ASCENDING.includes(sort) ? 'asc' : 'desc')
  return found
    .orderBy(
      eb => sortedBy(database, eb, sort, { source, model }, now),
      by => (direction === 'asc' ? by.asc() : by.desc()).nullsLast(),
    )
    .orderBy('users.id')
}

function sortedBy(
  database: Database,
  eb: Person,
  sort: Sort,
  of: Pick<Order, 'source' | 'model'>,
  now: number,
): Expression<unknown> {
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
      return allowedSources(database, eb, of.source).select(({ fn }) => fn.min('valid_until').as('first'))
    case 'used_share':
    case 'remaining':
      return ofCounts(database, eb, sort, of)
  }
}

/** Null where there is no count. */
function ofCounts(
  database: Database,
  eb: Person,
  sort: 'used_share' | 'remaining',
  { source, model }: Pick<Order, 'source' | 'model'>,
): Expression<unknown> {
  const id = eb.ref('users.id')
  if (model === undefined) {
    return settingsOfEach(database, id)
      .$if(source !== undefined, query => query.where('source', '=', source ?? ''))
      .where('total_ask_count', '>=', 0)
      .select(({ ref }) => measured(sort, ref('total_ask_count'), ref('total_ask_allowed')).as('measured'))
  }
  return countsOfEach(database, id)
    .$if(source !== undefined, query => query.where('source', '=', source ?? ''))
    .where('model', '=', model)
    .where('ask_count', '>=', 0)
    .select(({ ref }) => measured(sort, ref('ask_count'), ref('ask_allowed')).as('measured'))
}

/** A count of 0 allowed is all used. */
const measured = (sort: 'used_share' | 'remaining', remaining: Expression<number>, allowed: Expression<number>) =>
  sort === 'remaining'
    ? sql<number>`min(${remaining})`
    : sql<number>`max(case when ${allowed} = 0 then 1.0 else 1.0 - 1.0 * ${remaining} / ${allowed} end)`
