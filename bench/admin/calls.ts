import { sql } from 'kysely'
import type { Database } from '#server/foundation/database/open.ts'

const DAY = 86_400_000
const HALF_HOUR = 1_800_000

/**
 * A call of the admin area, and a query written by hand that reads the least it needs: for plots, the sums without
 * decoding their rows.
 */
export type Measured = {
  name: string
  path: string
  byHand(database: Database, now: number): Promise<unknown>
  goal: number | null
}

const since = (days: number): string => new Date(Date.now() - days * DAY).toISOString()

/** Milliseconds that an answer may take. */
const GOAL = 100
/** Of sums over a year of everybody. */
const USAGE_GOAL = 200

export const measuredCalls = (): Measured[] => [
  {
    name: 'people, first page',
    path: '/system/users?page=1&size=50',
    byHand: database => sql`select * from users order by id limit 50`.execute(database),
    goal: GOAL,
  },
  {
    name: 'people, by words',
    path: '/system/users?page=1&size=50&words=seeded49',
    byHand: database =>
      sql`select * from users where username like '%seeded49%' order by id limit 50`.execute(database),
    goal: GOAL,
  },
  {
    name: 'conversations, first page',
    path: '/system/conversations?page=1&size=50',
    byHand: database =>
      sql`select * from conversations left join users on users.id = user_id order by conversations.update_time desc limit 50`.execute(
        database,
      ),
    goal: GOAL,
  },
  {
    name: 'conversations, by words',
    path: '/system/conversations?page=1&size=50&words=chapter%2049',
    byHand: database =>
      sql`select * from conversations where lower(title) like '%chapter 49%' order by update_time desc limit 50`.execute(
        database,
      ),
    goal: GOAL,
  },
  {
    name: 'plot of asks, 30 days by 6 hours',
    path: `/system/plots/asks?from=${since(30)}&granularity=21600`,
    byHand: (database, now) => sumsOfAsks(database, now, 12),
    goal: GOAL,
  },
  {
    name: 'plot of asks, 30 days by half hours',
    path: `/system/plots/asks?from=${since(30)}&granularity=1800`,
    byHand: (database, now) => sumsOfAsks(database, now, 1),
    goal: GOAL,
  },
  {
    name: 'plot of requests, a year by days',
    path: `/system/plots/requests?from=${since(365)}&granularity=86400`,
    byHand: (database, now) => sumsOfRequests(database, { now, days: 365, span: 12 * HALF_HOUR, granularity: DAY }),
    goal: GOAL,
  },
  {
    name: 'plot of requests, a year by half hours (answered by 6 hours)',
    path: `/system/plots/requests?from=${since(365)}&granularity=1800`,
    byHand: (database, now) =>
      sumsOfRequests(database, { now, days: 365, span: 12 * HALF_HOUR, granularity: 12 * HALF_HOUR }),
    goal: GOAL,
  },
  {
    name: 'plot of requests, 30 days by half hours',
    path: `/system/plots/requests?from=${since(30)}&granularity=1800`,
    byHand: (database, now) => sumsOfRequests(database, { now, days: 30, span: HALF_HOUR, granularity: HALF_HOUR }),
    goal: GOAL,
  },
  {
    name: 'people of a bucket',
    path: `/system/plots/people?of=asks&from=${since(2)}&to=${since(1.75)}`,
    byHand: (database, now) =>
      sql`select user_id, count(*) as asks from ask_logs where log_time >= ${now - 2 * DAY} and log_time < ${now - 1.75 * DAY}
        group by user_id order by asks desc limit 8`.execute(database),
    goal: null,
  },
  {
    name: 'log of asks, 7 days, first page',
    path: `/system/asks?from=${since(7)}&page=1&size=50`,
    byHand: (database, now) =>
      sql`select * from ask_logs where log_time >= ${now - 7 * DAY} order by log_time desc limit 50`.execute(database),
    goal: null,
  },
  {
    name: 'totals and shares, 7 days',
    path: `/system/asks/totals?from=${since(7)}`,
    byHand: (database, now) =>
      sql`select user_id, outcome, count(*) as asks, sum(queueing_time), sum(ask_time), sum(prompt_tokens) from ask_logs
        where log_time >= ${now - 7 * DAY} group by user_id, outcome`.execute(database),
    goal: null,
  },
  {
    name: 'usage of everybody, a year',
    path: `/usage?from=${since(365)}&page=1&size=50&sort=money`,
    byHand: (database, now) => sumsOfUsage(database, now, 365),
    goal: USAGE_GOAL,
  },
  {
    name: 'usage of everybody, 30 days',
    path: `/usage?from=${since(30)}&page=1&size=50&sort=asks`,
    byHand: (database, now) => sumsOfUsage(database, now, 30),
    goal: USAGE_GOAL,
  },
  {
    name: 'plans with their people',
    path: '/plan',
    byHand: database =>
      sql`select plans.*, (select count(*) from user_policy_values where plan_id = plans.id) as people from plans`.execute(
        database,
      ),
    goal: GOAL,
  },
]

const sumsOfUsage = (database: Database, now: number, days: number) =>
  sql`select user_id, source, model, upstream_id, sum(asks), sum(input_tokens), sum(output_tokens), sum(cost) from usage_sums
    where start_time >= ${now - days * DAY} group by user_id, source, model, upstream_id`.execute(database)

const sumsOfAsks = (database: Database, now: number, half_hours: number) =>
  sql`select count(*), sum(asks), sum(waited), sum(answered) from (
    select start_time / ${sql.lit(half_hours * HALF_HOUR)} as bucket, sum(asks) as asks, sum(queueing_time) as waited, sum(ask_time) as answered
    from ask_sums where start_time >= ${now - 30 * DAY} group by bucket, source, model, outcome)`.execute(database)

type Sums = { now: number; days: number; span: number; granularity: number }

const sumsOfRequests = (database: Database, { now, days, span, granularity }: Sums) =>
  sql`select count(*), sum(requests), sum(elapsed) from (
    select start_time / ${sql.lit(granularity)} as bucket, sum(requests) as requests, sum(elapsed_ms) as elapsed from request_sums
    where span_ms = ${span} and start_time >= ${now - days * DAY} group by bucket, route_path, method)`.execute(
    database,
  )
