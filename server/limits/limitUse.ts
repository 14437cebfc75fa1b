import type { Source } from '#contract/models.ts'
import { UNLIMITED } from '#contract/limits.ts'
import { CHARGED_WHOLE } from '#contract/quietAsks.ts'
import type { LimitUnit } from '#contract/plans.ts'
import type { Database } from '#server/foundation/database/open.ts'
import { limitKey, type PolicyLimit } from '#server/policy/limitList.ts'
import { windowStore } from '#server/usage/usageLedger.ts'
import { linesOfHalfHour, linesOfKey, type ModelUse, sumsAfter, usedWithin, type Using } from './limitUseStore.ts'
import { spanOf, type WindowSpan } from './windows.ts'

/** What is used of a limit, in asks, tokens or millionths; what running asks may still use counts as used. */
export type LimitUse<Limit extends PolicyLimit = PolicyLimit> = {
  limit: Limit
  /** The key whose limit it is; null: it is its person's. */
  key_id: number | null
  used: number
  /** Never below 0; -1 where it is unlimited. */
  left: number
  window: WindowSpan
  /**
   * When as much is left as is needed, if nobody does anything: now, or a later moment; null where waiting does not
   * help.
   */
  opens_at: number | null
  /** Too little is left only as long as asks run that may still use it. */
  held?: boolean
}

export type LimitQuery<Limit extends PolicyLimit = PolicyLimit> = {
  user_id: number
  source: Source
  /** Of this source. */
  limits: readonly Limit[]
  now: number
  time_zone: string
  /** Of what was asked by this key alone; left out: of all that the person asked. */
  key_id?: number | null
  /** How much of each unit is to be left; one of each, where it is left out. */
  needed?: Readonly<Record<LimitUnit, number>>
}

const ONE_OF_EACH: Record<LimitUnit, number> = { asks: 1, tokens: 1, money: 1 }

/**
 * What is used of limits and when more is left. One statement reads the ledger and the running asks together, so that
 * an ask which ends meanwhile is counted once. Whoever is to rely on it holds the lock of the person.
 */
export async function readLimitUse<Limit extends PolicyLimit>(
  database: Database,
  { user_id, source, limits, now, time_zone, key_id = null, needed = ONE_OF_EACH }: LimitQuery<Limit>,
): Promise<LimitUse<Limit>[]> {
  const opened = limits.some(({ window }) => window.kind === 'from_first')
    ? new Map((await windowStore(database).of(user_id)).map(each => [each.limit_key, each.opened_at]))
    : new Map<string, number>()
  const spans = limits.map(limit =>
    spanOf(limit.window, { now, time_zone, opened_at: opened.get(windowKey(limit, key_id)) ?? null }),
  )
  const using = await usedWithin(database, { user_id, source, key_id, now, spans: distinct(spans, limits) })
  return Promise.all(
    limits.map(async (limit, at) => {
      const window = spans[at] ?? { starts: null, ends: null }
      const used = isNotOpen(limit, window) ? 0 : usedOf(limit, using, keyOfSpan(window))
      if (limit.amount === UNLIMITED) return { limit, key_id, used, left: UNLIMITED, window, opens_at: now }
      const left = Math.max(0, limit.amount - used)
      const state = { limit, key_id, used, left, window }
      const need = needed[limit.unit]
      if (left >= need) return { ...state, opens_at: now }
      const held = limit.amount - usedOf(limit, { ...using, running: new Map() }, keyOfSpan(window)) >= need
      const opens_at =
        limit.amount < need ? null : await openingOf(database, { user_id, source, now }, { ...state, need })
      return { ...state, opens_at, held }
    }),
  )
}

/** Under which name it is stored when a window was opened: a key has windows of its own. */
export const windowKey = (limit: PolicyLimit, key_id: number | null): string =>
  key_id === null ? limitKey(limit) : `${OF_KEY}${key_id} ${limitKey(limit)}`

const OF_KEY = 'key '

/** Whose window a name is of; null: the person's. */
export const keyOfWindow = (name: string): number | null =>
  name.startsWith(OF_KEY) ? Number.parseInt(name.slice(OF_KEY.length), 10) : null

export const keyOfSpan = ({ starts, ends }: WindowSpan): string => `${starts} ${ends}`

/** A window that no ask has opened yet. */
const isNotOpen = ({ window }: PolicyLimit, { starts }: WindowSpan): boolean =>
  window.kind === 'from_first' && starts === null

function distinct(spans: readonly WindowSpan[], limits: readonly PolicyLimit[]): Map<string, WindowSpan> {
  return new Map(
    spans.flatMap((span, at) => {
      const limit = limits[at]
      return limit === undefined || isNotOpen(limit, span) ? [] : [[keyOfSpan(span), span] as const]
    }),
  )
}

const isOf = ({ models }: PolicyLimit, model: string): boolean => models === null || models.includes(model)

const amountIn = (unit: LimitUnit, { asks, tokens, cost }: Omit<ModelUse, 'model'>): number =>
  unit === 'asks' ? asks / CHARGED_WHOLE : unit === 'tokens' ? tokens : cost

function usedOf(limit: PolicyLimit, using: Using, span: string): number {
  const uses = [...(using.settled.get(span) ?? []), ...(using.running.get(span) ?? [])]
  return uses.filter(({ model }) => isOf(limit, model)).reduce((sum, use) => sum + amountIn(limit.unit, use), 0)
}

type Asked = { user_id: number; source: Source; now: number }
type Full = Omit<LimitUse, 'opens_at'> & { need: number }

/** When enough of a full window is left: at its end, or when the oldest of a rolling one have left it. */
function openingOf(database: Database, asked: Asked, full: Full): Promise<number | null> | number | null {
  const { kind } = full.limit.window
  if (kind === 'rolling') return rollingOpening(database, asked, full)
  return kind === 'ever' ? null : full.window.ends
}

/**
 * Reads on from the oldest half hour until enough has left, and of the last one each ask: the moment is exact,
 * however long the window is.
 */
async function rollingOpening(
  database: Database,
  { user_id, source, now }: Asked,
  { limit, key_id, used, window, need }: Full,
): Promise<number | null> {
  if (!('seconds' in limit.window)) return null
  const length = limit.window.seconds * 1000
  const from = window.starts ?? 0
  let surplus = used - (limit.amount - need)
  const lines = { user_id, source, from, models: limit.models }
  if (key_id !== null) {
    for (const line of await linesOfKey(database, { ...lines, key_id })) {
      surplus -= amountIn(limit.unit, line)
      if (surplus <= 0) return Math.max(now, line.asked_time + length)
    }
    return now + length
  }
  for (const { start_time, ...sum } of await sumsAfter(database, lines)) {
    const whole = amountIn(limit.unit, sum)
    // The first half hour may have begun before the window: its sum may be too much, so its lines are read.
    if (start_time >= from && whole < surplus) {
      surplus -= whole
      continue
    }
    for (const line of await linesOfHalfHour(database, { ...lines, start_time })) {
      surplus -= amountIn(limit.unit, line)
      if (surplus <= 0) return Math.max(now, line.asked_time + length)
    }
  }
  // What is left of it is reserved by asks that run: at the latest when these have left the window.
  return now + length
}
