import { sql } from 'kysely'
import { openDatabase, type OpenDatabase } from '#server/foundation/database/open.ts'
import { systemClock } from '#server/foundation/clock.ts'
import { askSums } from '#server/statistics/statisticsJobs.ts'

export type Size = { people: number; conversations: number; asks: number; half_hours: number }

export const FULL: Size = { people: 5_000, conversations: 50_000, asks: 1_000_000, half_hours: 365 * 48 }
export const QUICK: Size = { people: 500, conversations: 5_000, asks: 50_000, half_hours: 30 * 48 }

const DAY = 86_400_000
const HALF_HOUR = 1_800_000
/** Asks lie in the last 30 days. */
const DAYS_OF_ASKS = 30
const ROUTES = 20
const PLANS = 40
const PEOPLE_A_ROUTE = 3
/** Rows per statement: the portal can write between two of them. */
const AT_ONCE = 50_000

/**
 * Fills the portal in a data folder by bulk SQL, while it runs: people, their conversations and asks, and a year of
 * sums of requests.
 */
export async function seed(data_dir: string, size: Size): Promise<void> {
  const open = await openDatabase({ data_dir }, { migrate: false })
  try {
    const now = Date.now()
    const first = await seedPeople(open, size.people, now)
    await seedConversations(open, size, first, now)
    await inBatches(size.asks, (from, to) => seedAsks(open, { from, to }, size, first, now))
    await seedUsage(open, now)
    await seedPlans(open, first, now)
    await inBatches(size.half_hours, (from, to) => seedRequests(open, { from, to }, size, first, now), 1_000)
    await askSums({ open, clock: systemClock }).run({
      input: null,
      progress: null,
      signal: new AbortController().signal,
      save: async () => {},
      saveWith: () => Promise.reject(new Error('the sums are saved by themselves')),
    })
    await sql`analyze`.execute(open.database)
  } finally {
    await open.close()
  }
}

type Part = { from: number; to: number }

async function inBatches(count: number, fill: (from: number, to: number) => Promise<void>, size = AT_ONCE) {
  for (let from = 0; from < count; from += size) await fill(from, Math.min(count, from + size))
}

/** The numbers of a part, as a table of one column n. */
const numbers = ({ from, to }: Part) =>
  sql`with recursive numbers(n) as (select cast(${from} as integer) union all select n + 1 from numbers where n + 1 < ${to})`

/** A pseudo-random number derived from n. */
const mixed = (salt: number, below: number) =>
  sql`(((n + ${sql.lit(salt)}) * 2654435761 % 4294967296) / 7 % ${sql.lit(below)})`

/** Returns the id of the first. */
async function seedPeople({ database }: OpenDatabase, people: number, now: number): Promise<number> {
  const part = { from: 0, to: people }
  await sql`${numbers(part)}
    insert into users (username, nickname, email, password_hash, create_time, last_active_time)
    select 'seeded' || n, char(0x4e00 + ${mixed(1, 2_000)}) || char(0x4e00 + ${mixed(2, 2_000)}) || n, 'seeded' || n || '@example.org', '-',
      ${now} - ${mixed(3, 400)} * ${DAY}, ${now} - ${mixed(4, 40)} * ${DAY}
    from numbers`.execute(database)
  const { rows } = await sql<{ id: number }>`select min(id) as id from users where username like 'seeded%'`.execute(
    database,
  )
  const [{ id } = { id: 0 }] = rows
  for (const source of ['openai_web', 'openai_api'])
    await sql`insert into user_source_settings (user_id, source, max_conv_count, total_ask_allowed, available_models)
      select id, ${source}, 100, case when id % 7 = 0 then id % 50 else -1 end, '["gpt_3_5","gpt_4"]'
      from users where id >= ${id}`.execute(database)
  return id
}

async function seedConversations({ database }: OpenDatabase, size: Size, first: number, now: number): Promise<void> {
  await inBatches(size.conversations, async (from, to) => {
    await sql`${numbers({ from, to })}
      insert into conversations (conversation_id, source, title, user_id, is_valid, current_model, create_time, update_time, upstream_id)
      select ${idOf(sql`n`)}, case when n % 3 = 0 then 'openai_web' else 'openai_api' end,
        'About ' || char(0x4e00 + ${mixed(5, 3_000)}) || char(0x4e00 + ${mixed(6, 3_000)}) || ' and chapter ' || n,
        case when n % 50 = 0 then null else ${first} + ${mixed(7, size.people)} end, n % 10 > 0, 'gpt_4',
        ${now} - ${mixed(8, 360)} * ${DAY}, ${now} - ${mixed(9, 86_400_000)} * 20, 1
      from numbers`.execute(database)
  })
  await sql`update conversations set folded_title = lower(title)`.execute(database)
}

async function seedAsks({ database }: OpenDatabase, part: Part, size: Size, first: number, now: number): Promise<void> {
  await sql`${numbers(part)}
    insert into ask_logs (log_time, source, model, user_id, conversation_id, queueing_time, ask_time, upstream_id, outcome, failure_key,
      answered, prompt_tokens, completion_tokens, tokens_estimated)
    select cast(${now} - ${DAYS_OF_ASKS * DAY} + n * (${DAYS_OF_ASKS * DAY} * 1.0 / ${size.asks}) as integer),
      case when n % 3 = 0 then 'openai_web' else 'openai_api' end,
      case ${mixed(10, 6)} when 0 then 'gpt_3_5' when 1 then 'gpt_4_plugins' when 2 then 'small-model' when 3 then 'large-model' else 'gpt_4' end,
      ${first} + ${mixed(11, size.people)}, ${idOf(mixed(12, size.conversations))}, ${mixed(13, 90_000)} / 1000.0,
      ${mixed(14, 60_000)} / 1000.0, 1,
      case ${mixed(15, 40)} when 0 then 'failed' when 1 then 'refused' when 2 then 'left' when 3 then 'stopped' else 'finished' end, null,
      ${mixed(15, 40)} > 2, ${mixed(16, 4_000)}, ${mixed(17, 2_000)}, n % 3 = 0
    from numbers`.execute(database)
}

/** What the asks used, at a price of each; they are moved over the year. */
async function seedUsage({ database }: OpenDatabase, now: number): Promise<void> {
  const spread = sql.lit(Math.floor(365 / DAYS_OF_ASKS))
  const moved = sql`cast(${now} - (${now} - log_time) * ${spread} as integer)`
  await sql`insert into usage_sums
      (user_id, start_time, source, upstream_id, model, asks, input_tokens, cached_tokens, output_tokens, estimated_asks, cost,
      credit_cost, ask_time_ms)
    select user_id, ${moved} / ${sql.lit(HALF_HOUR)} * ${sql.lit(HALF_HOUR)}, source, upstream_id, model, count(*), sum(prompt_tokens),
      0, sum(completion_tokens), sum(tokens_estimated), sum(prompt_tokens * 2 + completion_tokens * 8), 0,
      cast(sum(ask_time) * 1000 as integer)
    from ask_logs where answered and user_id is not null group by 1, 2, 3, 4, 5
    on conflict do nothing`.execute(database)
  const month = sql`cast(strftime('%s', start_time / 1000, 'unixepoch', 'start of month') as integer) * 1000`
  await sql`insert into usage_months
      (user_id, start_time, source, upstream_id, model, asks, input_tokens, cached_tokens, output_tokens, estimated_asks, cost,
      credit_cost, ask_time_ms)
    select user_id, ${month}, source, upstream_id, model, sum(asks), sum(input_tokens), sum(cached_tokens), sum(output_tokens),
      sum(estimated_asks), sum(cost), sum(credit_cost), sum(ask_time_ms)
    from usage_sums where true group by 1, 2, 3, 4, 5
    on conflict do nothing`.execute(database)
}

/** Plans below each other, with everybody in one of them. */
async function seedPlans({ database }: OpenDatabase, first: number, now: number): Promise<void> {
  await sql`${numbers({ from: 2, to: 2 + PLANS })}
    insert into plans (id, name, parent_id, plan_limits, plan_values, create_time, update_time)
    select n, 'Plan ' || n, max(1, n / 3), '[]', '{}', ${now}, ${now} from numbers`.execute(database)
  await sql`insert into user_policy_values (user_id, plan_id)
    select id, 2 + id % ${sql.lit(PLANS)} from users where id >= ${first}`.execute(database)
}

/** Sums by half hour and six hours, with the people of each half hour. */
async function seedRequests(
  { database }: OpenDatabase,
  part: Part,
  size: Size,
  first: number,
  now: number,
): Promise<void> {
  const latest = now - (now % (12 * HALF_HOUR))
  const start = sql`(${latest} - n * ${HALF_HOUR})`
  await sql`${numbers(part)}, routes(r) as (select value from json_each(${JSON.stringify(Array.from({ length: ROUTES }, (_, at) => at))}))
    insert into request_sums (span_ms, start_time, route_path, method, requests, elapsed_ms)
    select ${HALF_HOUR}, ${start}, '/seeded/' || r || '/:id', 'GET', 1 + ${mixed(18, 500)} / (r + 1), ${mixed(19, 90_000)} * 1.0
    from numbers, routes where 1
    union all
    select ${12 * HALF_HOUR}, ${start}, '/seeded/' || r || '/:id', 'GET', 12 * (1 + ${mixed(18, 500)} / (r + 1)), ${mixed(19, 90_000)} * 12.0
    from numbers, routes where n % 12 = 0`.execute(database)
  await sql`${numbers(part)},
      routes(r) as (select value from json_each(${JSON.stringify(Array.from({ length: ROUTES }, (_, at) => at))})),
      people(p) as (select value from json_each(${JSON.stringify(Array.from({ length: PEOPLE_A_ROUTE }, (_, at) => at))}))
    insert into request_people (span_ms, start_time, route_path, method, user_id, requests)
    select ${HALF_HOUR}, ${start}, '/seeded/' || r || '/:id', 'GET', ${first} + (${mixed(20, size.people)} + p) % ${size.people}, 1 + p
    from numbers, routes, people`.execute(database)
}

/** A conversation id derived from a number. */
const idOf = (n: ReturnType<typeof sql>) => sql`printf('%08x-0000-4000-8000-%012x', ${n}, ${n})`
