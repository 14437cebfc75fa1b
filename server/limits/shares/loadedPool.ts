import type { Configuration } from '#contract/configuration/configuration.ts'
import type { Source } from '#contract/models.ts'
import type { Database } from '#server/foundation/database/open.ts'
import type { Pool } from '#server/upstreams/windows/pools.ts'
import { HALF_HOUR } from '#server/usage/usageLedger.ts'
import { type LentHistory, lentMore } from './lentHistory.ts'
import type { Member, PoolLine, PoolState, Usual } from './pool.ts'
import { type MemberPolicy, readMemberPolicies, withLatestPlans } from './poolMembers.ts'
import { linesMatterFrom, openPoolState } from './poolState.ts'
import { halfHoursSince, linesAfter, type NumberedLine, type PoolNews } from './poolStore.ts'
import { usualFrom } from './usual.ts'

/** An account with windows, or several that are one pool. */
export type SharedPool = Pool & { source: Source }

/** What a process keeps of a pool. Its lines reach to the cursor, under whose lock nothing is left out. */
export type LoadedPool = {
  shape: string
  state: PoolState
  cursor: number
  /** When people asked here last. */
  asked: Map<number, number>
  lent: Map<number, LentHistory>
  /** What people usually use, as it was known in this half hour. */
  usual: { slot: number; of: ReadonlyMap<number, Usual> }
  /** Null: they may not ask. As of this version, until the first may ask no longer. */
  policies: { version: number; from: Configuration | null; until: number; of: Map<number, MemberPolicy | null> }
  members: Map<number, Member>
  /** Who asked and is not looked up yet. */
  unknown: Set<number>
}

const DAY = 86_400_000
/** What people usually do is learned from so long. */
const LEARNED = 28 * DAY
/** Who has not asked for so long is asleep. */
export const ASLEEP_AFTER = 14 * DAY
/** No transaction lasts so long: what was settled before is stored, and no lower line follows. */
const SETTLED = 600_000

export const poolIdOf = ({ upstream_ids }: Pick<SharedPool, 'upstream_ids'>): number => Math.min(...upstream_ids)

const shapes = new WeakMap<SharedPool, string>()

/** What everything that is loaded of a pool depends on: what an account reports is none of it. */
export function shapeOf(pool: SharedPool): string {
  const known = shapes.get(pool)
  if (known !== undefined) return known
  const { windows, time_zone } = pool.settings
  const shape = JSON.stringify([
    ...[pool.upstream_ids, time_zone],
    windows.map(({ key, unit, window, models }) => [key, unit, window, models]),
  ])
  shapes.set(pool, shape)
  return shape
}

/** Reads a pool from the beginning, as far as lines may follow no more; the rest is read under the lock. */
export async function loadPool(database: Database, pool: SharedPool, now: number): Promise<LoadedPool> {
  const loaded: LoadedPool = {
    ...{ shape: shapeOf(pool), state: openPoolState(pool.settings), cursor: 0 },
    ...{ asked: new Map(), lent: new Map(), members: new Map(), unknown: new Set() },
    usual: await readUsual(database, pool, now),
    policies: { version: -1, from: null, until: 0, of: new Map() },
  }
  await catchUp(database, pool, loaded, now)
  return loaded
}

/** Without a lock: reads on to where lines may still be missing. */
export async function catchUp(database: Database, pool: SharedPool, loaded: LoadedPool, now: number): Promise<void> {
  const from = { cursor: loaded.cursor, asked_from: Math.min(linesMatterFrom(pool.settings, now), now - LEARNED) }
  const found: NumberedLine[] = []
  for await (const lines of linesAfter(database, pool.upstream_ids, from)) {
    const end = lines.findIndex(({ time }) => time > now - SETTLED)
    for (const line of end < 0 ? lines : lines.slice(0, end)) found.push(line)
    if (end >= 0) break
  }
  const last = found.at(-1)
  if (last === undefined || loaded.cursor !== from.cursor) return
  // Asks end in another order than they begin in: by their beginnings they are added in no time, however many they are.
  for (const { line } of found.toSorted((one, other) => one.line.asked_time - other.line.asked_time))
    addLine(pool, loaded, line)
  loaded.cursor = last.id
}

/** Those that are known already are left out. */
export function addLines(pool: SharedPool, loaded: LoadedPool, lines: readonly NumberedLine[]): void {
  for (const { id, line } of lines) {
    if (id <= loaded.cursor) continue
    loaded.cursor = id
    addLine(pool, loaded, line)
  }
}

function addLine({ settings }: SharedPool, loaded: LoadedPool, line: PoolLine): void {
  const [first] = settings.windows
  loaded.state.add(line)
  noteAsked(loaded, line.user_id, line.asked_time)
  if (line.borrowed_key === null || !line.lender_id || first === undefined) return
  const lent = lentMore(loaded.lent.get(line.lender_id) ?? null, line[first.unit], line.asked_time)
  loaded.lent.set(line.lender_id, lent)
}

function noteAsked(loaded: LoadedPool, user_id: number, time: number): void {
  if (time <= (loaded.asked.get(user_id) ?? 0)) return
  loaded.asked.set(user_id, time)
  const member = loaded.members.get(user_id)
  if (member !== undefined) member.asked_at = time
  else if (!loaded.policies.of.has(user_id)) loaded.unknown.add(user_id)
}

export const slotOf = (now: number): number => Math.floor(now / HALF_HOUR)

/** What people usually use of the pool. */
export async function readUsual(database: Database, pool: SharedPool, now: number): Promise<LoadedPool['usual']> {
  if (pool.sharing === 'first_come') return { slot: slotOf(now), of: new Map() }
  const of = new Map<number, Usual>()
  for (const [user_id, halfHours] of await halfHoursSince(database, pool.upstream_ids, now - LEARNED)) {
    const usual = usualFrom(halfHours, pool.settings, now)
    if (usual !== null) of.set(user_id, usual)
  }
  return { slot: slotOf(now), of }
}

/** Puts what is known of what people usually use in place of what was. */
export function setUsual(loaded: LoadedPool, usual: LoadedPool['usual']): void {
  loaded.usual = usual
  for (const member of loaded.members.values()) member.usual = usual.of.get(member.user_id) ?? null
}

type Asking = { caller_id: number | null; configuration: Configuration; now: number }

/** Brings the members up to date: those who asked lately and may ask, and whoever asks now. */
export async function updateMembers(
  database: Database,
  pool: SharedPool,
  loaded: LoadedPool,
  news: PoolNews,
  { caller_id, configuration, now }: Asking,
): Promise<void> {
  for (const { user_id, asked_time } of news.running) noteAsked(loaded, user_id, asked_time)
  // Whoever came and found nothing has a share, too.
  for (const [user_id, { time }] of news.claims) noteAsked(loaded, user_id, time)
  for (const { line } of news.lines) noteAsked(loaded, line.user_id, line.asked_time)
  const known = loaded.policies
  const isStale = known.version !== news.members_version || known.from !== configuration || now > known.until
  const policies: LoadedPool['policies'] = isStale
    ? { version: news.members_version, from: configuration, until: Infinity, of: new Map() }
    : known
  const asking = isStale ? awake(loaded, now) : loaded.unknown
  const missing = [...asking, caller_id, pool.settings.owner_id].filter(
    (id): id is number => id !== null && !policies.of.has(id),
  )
  if (!isStale && missing.length === 0) return
  const latest = await withLatestPlans(database, configuration, news.plans_version)
  const asked = { source: pool.source, user_ids: [...new Set(missing)], configuration: latest, now }
  const found = await readMemberPolicies(database, asked)
  // Others may have brought them up to date meanwhile: all of it is put in place at once.
  if (isStale) Object.assign(loaded, { policies, members: new Map() })
  else if (loaded.policies !== policies)
    return updateMembers(database, pool, loaded, news, { caller_id, configuration, now })
  for (const user_id of asked.user_ids) setPolicy(loaded, policies, user_id, found.get(user_id) ?? null)
}

const awake = ({ asked }: LoadedPool, now: number): number[] => {
  const ids: number[] = []
  for (const [user_id, time] of asked) if (time > now - ASLEEP_AFTER) ids.push(user_id)
  return ids
}

function setPolicy(
  loaded: LoadedPool,
  policies: LoadedPool['policies'],
  user_id: number,
  policy: MemberPolicy | null,
): void {
  policies.of.set(user_id, policy)
  loaded.unknown.delete(user_id)
  if (policy === null) return
  const { until, ...ofPlan } = policy
  if (until !== null) policies.until = Math.min(policies.until, until)
  const [asked_at, usual] = [loaded.asked.get(user_id) ?? null, loaded.usual.of.get(user_id) ?? null]
  loaded.members.set(user_id, { user_id, ...ofPlan, asked_at, usual })
}
