import { sql } from 'kysely'
import type { Reserved, ReservedShare } from '#server/asks/ask.ts'
import { type AskRow, activeAsks } from '#server/asks/store.ts'
import type { Database } from '#server/foundation/database/open.ts'
import { prepared } from '#server/foundation/database/schema/prepared.ts'
import { membersVersion } from '#server/policy/members.ts'
import { plansVersion } from '#server/policy/planStore.ts'
import { usedLines, usedSums } from '#server/usage/usageLedger.ts'
import { giftsOfPool } from './poolGifts.ts'
import { type Claim, type Gift, type Need, type PoolLine, THOUSANDTHS } from './pool.ts'
import type { HalfHour } from './usual.ts'

/** The lowest id of the pool's upstreams, and all of them. */
export type PoolIds = { pool_id: number; upstream_ids: readonly number[] }
/** `since`: when the longest window began, at the earliest. */
type Moment = { now: number; since: number }

/** A line that is settled. `time`: when it was. */
export type NumberedLine = { id: number; time: number; line: PoolLine }

/** What has happened since the line `cursor`, and what is the case now. */
export type PoolNews = {
  lines: NumberedLine[]
  running: PoolLine[]
  claims: Map<number, Claim>
  openings: Map<string, number>
  gifts: Gift[]
  members_version: number
  plans_version: number
}

type NewsRow = {
  says: number
  number: number
  time: number
  user_id: number
  moment: number
  model: string
  asks: number
  tokens: number
  money: number
  charged: number
  named: string | null
  lender_id: number | null
  reserved: unknown
}

/** What a row of the statement says. */
const [LINE, RUNNING, CLAIM, OPENING, VERSION, GIFT] = [0, 1, 2, 3, 4, 5] as const

const TEXTS: readonly string[] = ['model', 'named', 'reserved']
const COLUMNS = [
  'number',
  'time',
  'user_id',
  'moment',
  'model',
  'asks',
  'tokens',
  'money',
  'charged',
  'named',
  'lender_id',
  'reserved',
] as const

/** The columns of a row that says this, by what they are called in its table; the others are empty. */
const row = (says: number, named: Partial<Record<(typeof COLUMNS)[number], string>>) => [
  sql.lit(says).as('says'),
  ...COLUMNS.map(column => {
    const name = named[column]
    if (name !== undefined) return sql.ref(name).as(column)
    return (TEXTS.includes(column) ? sql`cast(null as text)` : sql`cast(null as bigint)`).as(column)
  }),
]

const USED = {
  number: 'id',
  time: 'time',
  user_id: 'user_id',
  moment: 'asked_time',
  model: 'model',
  asks: 'asks',
  tokens: 'tokens',
  money: 'cost',
  charged: 'charged',
  named: 'borrowed_key',
  lender_id: 'lender_id',
}

const GIVEN = {
  ...{ number: 'id', user_id: 'to_id', lender_id: 'from_id', named: 'window_key' },
  ...{ moment: 'until', asks: 'amount', tokens: 'used' },
}

type NewsQuery = { cursor: number; pool_id: number } & Moment & Record<`upstream${number}`, number>

/** Of so many upstreams. One statement, so that all of it is read at one moment; each part has an index of its own. */
const newsStatement = () =>
  prepared((database, { cursor, pool_id, now, since, ...upstreams }: NewsQuery) => {
    const upstream_ids = Object.values(upstreams)
    const versions = { number: 'version', asks: 'plans_version' }
    return usedLines(database)
      .where('upstream_id', 'in', upstream_ids)
      .where('id', '>', cursor)
      .select(row(LINE, USED))
      .$castTo<NewsRow>()
      .unionAll(
        activeAsks(database)
          .where('upstream_id', 'in', upstream_ids)
          .select(
            row(RUNNING, {
              ...{ user_id: 'user_id', moment: 'create_time', model: 'model' },
              ...{ charged: 'charged', reserved: 'reserved' },
            }),
          )
          .$castTo<NewsRow>(),
      )
      .unionAll(
        database
          .selectFrom('share_claims')
          .where('upstream_id', '=', pool_id)
          .select(
            row(CLAIM, {
              ...{ user_id: 'user_id', moment: 'time' },
              ...{ asks: 'need_asks', tokens: 'need_tokens', money: 'need_money' },
            }),
          )
          .$castTo<NewsRow>(),
      )
      .unionAll(
        database
          .selectFrom('pool_openings')
          .where('upstream_id', '=', pool_id)
          .select(row(OPENING, { moment: 'opened_at', named: 'window_key' }))
          .$castTo<NewsRow>(),
      )
      .unionAll(
        database
          .selectFrom(membersVersion(database).select(plansVersion(database).as('plans_version')).as('versions'))
          .select(row(VERSION, versions))
          .$castTo<NewsRow>(),
      )
      .unionAll(
        database
          .selectFrom(giftsOfPool(database, { now, since, upstream_ids }).as('gifts'))
          .select(row(GIFT, GIVEN))
          .$castTo<NewsRow>(),
      )
  })

/** By how many upstreams they are about: a prepared statement always has as many parameters. */
const statements = new Map<number, ReturnType<typeof newsStatement>>()

/** What has happened in a pool since a line. Under the lock of its queues nothing is left out. */
export async function readNews(
  database: Database,
  { pool_id, upstream_ids }: PoolIds,
  { cursor, ...moment }: Moment & { cursor: number },
): Promise<PoolNews> {
  const statement = statements.get(upstream_ids.length) ?? newsStatement()
  statements.set(upstream_ids.length, statement)
  const upstreams = Object.fromEntries(upstream_ids.map((id, at) => [`upstream${at}`, id]))
  const news: PoolNews = {
    ...{ lines: [], running: [], claims: new Map(), openings: new Map(), gifts: [] },
    ...{ members_version: 0, plans_version: 0 },
  }
  for (const each of await statement.rows(database, { cursor, pool_id, ...moment, ...upstreams })) note(news, each)
  news.lines.sort((one, other) => one.id - other.id)
  return news
}

function note(news: PoolNews, row: NewsRow): void {
  const { says, user_id, moment, asks, tokens, money, named } = row
  if (says === LINE) news.lines.push(numbered(row))
  else if (says === RUNNING) news.running.push(runningLine(row))
  else if (says === CLAIM) news.claims.set(user_id, { time: moment, need: { asks, tokens, money } })
  else if (says === OPENING) news.openings.set(named ?? '', moment)
  else if (says === GIFT) news.gifts.push(givenGift(row))
  else Object.assign(news, { members_version: row.number, plans_version: asks })
}

const givenGift = ({ number, user_id, lender_id, named, moment, asks, tokens }: NewsRow): Gift => ({
  ...{ id: number, from: lender_id ?? 0, to: user_id, window_key: named ?? '' },
  ...{ amount: asks, until: moment, used: tokens },
})

type UsedRow = Pick<NewsRow, 'number' | 'time' | 'user_id' | 'moment' | 'model' | keyof Need | 'charged'> &
  Pick<NewsRow, 'named' | 'lender_id'>

const numbered = ({ number, time, moment, named, asks, ...line }: UsedRow): NumberedLine => ({
  id: number,
  time,
  line: {
    ...{ user_id: line.user_id, asked_time: moment, model: line.model },
    ...{ asks: asks * THOUSANDTHS, tokens: line.tokens, money: line.money },
    ...{ charged: line.charged, borrowed_key: named, lender_id: line.lender_id },
  },
})

/** What an ask that runs may use at most. */
function runningLine({ user_id, moment, model, charged, reserved }: NewsRow): PoolLine {
  const { use, share } = reserved as Reserved // as admission wrote it
  return {
    ...{ user_id, asked_time: moment, model },
    ...{ asks: THOUSANDTHS, tokens: use?.tokens ?? 0, money: use?.cost ?? 0 },
    charged,
    borrowed_key: share?.borrowed_key ?? null,
    lender_id: share?.lender_id ?? null,
  }
}

/** Below what a reading connection gives at once. */
const PAGE = 20_000

/**
 * Lines of a pool, in the order in which they were settled: after a line, and of asks from a moment on. Page by page,
 * since a company's month is long.
 */
export async function* linesAfter(
  database: Database,
  upstream_ids: readonly number[],
  { cursor, asked_from }: { cursor: number; asked_from: number },
): AsyncGenerator<NumberedLine[]> {
  for (let after = cursor; ;) {
    const rows = await usedLines(database)
      .where('upstream_id', 'in', [...upstream_ids])
      .where('id', '>', after)
      .where('asked_time', '>=', asked_from)
      .select(row(LINE, USED))
      .$castTo<NewsRow>()
      .orderBy('id')
      .limit(PAGE)
      .execute()
    yield rows.map(numbered)
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE) return
    after = last.number
  }
}

/** What people used of a pool by half hours, since a moment. */
export async function halfHoursSince(
  database: Database,
  upstream_ids: readonly number[],
  since: number,
): Promise<Map<number, HalfHour[]>> {
  const found = new Map<number, HalfHour[]>()
  for (let [user, time, read] = [0, 0, PAGE]; read === PAGE;) {
    const rows = await usedSums(database)
      .where('start_time', '>=', since)
      .where('upstream_id', 'in', [...upstream_ids])
      .where(({ or, and, eb }) =>
        or([eb('user_id', '>', user), and([eb('user_id', '=', user), eb('start_time', '>', time)])]),
      )
      .groupBy(['user_id', 'start_time', 'model'])
      .orderBy('user_id')
      .orderBy('start_time')
      .select([
        ...(['user_id', 'start_time', 'model'] as const),
        sql<number>`cast(sum(asks) as bigint)`.as('asks'),
        sql<number>`cast(sum(input_tokens + output_tokens) as bigint)`.as('tokens'),
        sql<number>`cast(sum(cost) as bigint)`.as('money'),
      ])
      .limit(PAGE)
      .execute()
    read = rows.length
    // The last half hour of a full page may go on in the next one, which begins with it again.
    const last = read === PAGE ? rows.at(-1) : undefined
    for (const { user_id, ...half } of rows) {
      if (user_id === last?.user_id && half.start_time === last.start_time) continue
      const known = found.get(user_id) ?? []
      known.push({ ...half, asks: half.asks * THOUSANDTHS })
      found.set(user_id, known)
    }
    if (last !== undefined) [user, time] = [last.user_id, last.start_time - 1]
  }
  return found
}

type Opening = PoolKey & { window_key: string; opened_at: number }
type PoolKey = { pool_id: number }

const open = prepared((database, { pool_id, window_key, opened_at }: Opening) =>
  database
    .insertInto('pool_openings')
    .values({ upstream_id: pool_id, window_key, opened_at })
    .onConflict(conflict =>
      conflict.columns(['upstream_id', 'window_key']).doUpdateSet({ opened_at: sql<number>`excluded.opened_at` }),
    ),
)

/**
 * Windows of pools, and who waits for what comes back. Queries and nothing else. In a transaction that holds the lock
 * of the queues.
 */
export function poolStore(database: Database) {
  return {
    /** A window that is over is opened anew. */
    open: (opening: Opening) => open.run(database, opening),

    /** An ask that got no answer has opened nothing. */
    close: ({ pool_id, window_key, opened_at }: Opening) =>
      database
        .deleteFrom('pool_openings')
        .where('upstream_id', '=', pool_id)
        .where('window_key', '=', window_key)
        .where('opened_at', '=', opened_at)
        .execute(),

    claim: (pool_id: number, user_id: number, { time, need }: { time: number; need: Need }) =>
      database
        .insertInto('share_claims')
        .values({
          ...{ upstream_id: pool_id, user_id, time },
          ...{ need_asks: need.asks, need_tokens: need.tokens, need_money: need.money },
        })
        .onConflict(conflict => conflict.doNothing())
        .execute(),

    /** They have been served, or nobody knows of it any more. */
    dropClaims: (pool_id: number, { user_id, before }: { user_id: number; before: number }) =>
      database
        .deleteFrom('share_claims')
        .where('upstream_id', '=', pool_id)
        .where(({ or, eb }) => or([eb('user_id', '=', user_id), eb('time', '<', before)]))
        .execute(),
  }
}

/**
 * An ask of a pool ended without an answer: windows that it opened are closed again, unless another ask was asked in
 * them.
 */
export async function closePoolWindows(
  trx: Database,
  { pool_id, upstream_ids, windows }: ReservedShare,
  { create_time }: Pick<AskRow, 'create_time'>,
): Promise<void> {
  if (windows.length === 0) return
  const used = usedLines(trx)
    .select('id')
    .where('upstream_id', 'in', upstream_ids)
    .where('asked_time', '>=', create_time)
  const runs = activeAsks(trx).select('ask_id').where('upstream_id', 'in', upstream_ids)
  if (await used.limit(1).executeTakeFirst()) return
  if (await runs.where('create_time', '>=', create_time).limit(1).executeTakeFirst()) return
  for (const window_key of windows) await poolStore(trx).close({ pool_id, window_key, opened_at: create_time })
}
