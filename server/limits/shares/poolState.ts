import type { MemberUse, PoolLine, PoolSettings, PoolState, PoolWindow, WindowUse } from './pool.ts'
import { windowLength } from './poolSpan.ts'

/** Made anew when the windows of the pool change; their amounts and what the account reports may change meanwhile. */
export function openPoolState({ windows }: Pick<PoolSettings, 'windows'>): PoolState {
  const ledgers = new Map(windows.map(window => [window.key, windowLedger(window)]))
  const last_asked = new Map<number, number>()
  return {
    last_asked,
    add: line => {
      last_asked.set(line.user_id, Math.max(line.asked_time, last_asked.get(line.user_id) ?? 0))
      for (const ledger of ledgers.values()) ledger.add(line)
    },
    useWithin: (key, from, to) => ledgers.get(key)?.useWithin(from, to) ?? NOTHING,
    costWithin: (key, from, to) => ledgers.get(key)?.costWithin(from, to) ?? 0,
    timesAfter: (key, moment) => ledgers.get(key)?.timesAfter(moment) ?? [],
  }
}

/** How far back lines matter to a pool, at a moment: what is older need not be read. */
export const linesMatterFrom = ({ windows }: Pick<PoolSettings, 'windows'>, now: number): number =>
  now - Math.max(0, ...windows.map(windowLength)) - DAY

const DAY = 86_400_000
const HALF_HOUR = 1_800_000
const NOTHING: WindowUse = { cost: 0, members: new Map() }

/** Beyond so many lines old ones are dropped, and then those of a person in a half hour become one. */
const MAX_ENTRIES = 100_000
const NEWEST_ENTRIES = 10_000

/** A line as a window counts it. `before`: the cost of all earlier ones. */
type Entry = {
  at: number
  user_id: number
  cost: number
  charged: number
  borrowed: number
  lender_id: number
  before: number
}

export const costIn = ({ unit }: PoolWindow, line: PoolLine): number => line[unit]
export const chargedOf = (cost: number, thousandths: number): number => Math.ceil((cost * thousandths) / 1000)
export const countsIn = ({ models }: PoolWindow, model: string): boolean => models === null || models.includes(model)

/** Adds a line to sums by person, or takes it away. */
export function count(
  members: Map<number, MemberUse>,
  { user_id, charged, borrowed, lender_id }: Omit<Entry, 'at' | 'cost' | 'before'>,
  sign: 1 | -1,
): void {
  const use = members.get(user_id) ?? { charged: 0, borrowed: 0, lent: 0 }
  use.charged += sign * charged
  use.borrowed += sign * borrowed
  members.set(user_id, use)
  if (borrowed === 0) return
  const lender = members.get(lender_id) ?? { charged: 0, borrowed: 0, lent: 0 }
  lender.lent += sign * borrowed
  members.set(lender_id, lender)
}

export function entryOf(window: PoolWindow, line: PoolLine): Entry {
  const cost = costIn(window, line)
  const charged = chargedOf(cost, line.charged)
  const borrowed = line.borrowed_key === window.key ? charged : 0
  const { user_id, asked_time } = line
  return { at: asked_time, user_id, cost, charged, borrowed, lender_id: line.lender_id ?? 0, before: 0 }
}

/** Lines by time; the sums are those of `entries` from `low` on, before `high`. */
function windowLedger(window: PoolWindow) {
  const length = windowLength(window)
  let entries: Entry[] = []
  let [low, high, from, to, cost, limit] = [0, 0, 0, 0, 0, MAX_ENTRIES]
  const members = new Map<number, MemberUse>()

  const apply = (entry: Entry, sign: 1 | -1): void => {
    cost += sign * entry.cost
    count(members, entry, sign)
  }
  const sumBefore = (index: number): number => {
    const entry = entries[index] ?? entries.at(-1)
    return entry === undefined ? 0 : index < entries.length ? entry.before : entry.before + entry.cost
  }
  function insert(entry: Entry): void {
    let index = entries.length
    while (index > 0 && (entries[index - 1]?.at ?? 0) > entry.at) index--
    entry.before = sumBefore(index)
    entries.splice(index, 0, entry)
    for (let later = index + 1; later < entries.length; later++) (entries[later] as Entry).before += entry.cost
    if (entry.at < from) low++
    if (entry.at < to) high++
    if (entry.at >= from && entry.at < to) apply(entry, 1)
  }
  function shrink(): void {
    const oldest = (entries.at(-1)?.at ?? 0) - 2 * length - DAY
    const kept = entries.filter(({ at }) => at >= oldest)
    entries = kept.length <= limit ? kept : inHalfHours(kept)
    limit = Math.max(limit, 2 * entries.length)
    members.clear()
    let before = 0
    for (const entry of entries) {
      entry.before = before
      before += entry.cost
    }
    ;[low, high, from, to, cost] = [0, 0, 0, 0, 0]
  }
  return {
    add(line: PoolLine): void {
      if (!countsIn(window, line.model)) return
      const entry = entryOf(window, line)
      if (entry.cost !== 0) insert(entry)
      if (entries.length > limit) shrink()
    },
    useWithin(start: number, end: number): WindowUse {
      if (end <= start) return NOTHING
      const [first, last] = [indexFrom(entries, start), indexFrom(entries, end)]
      while (high < last) apply(entries[high++] as Entry, 1)
      while (low > first) apply(entries[--low] as Entry, 1)
      while (high > last) apply(entries[--high] as Entry, -1)
      while (low < first) apply(entries[low++] as Entry, -1)
      ;[from, to] = [start, end]
      return { cost, members }
    },
    costWithin: (start: number, end: number): number =>
      Math.max(0, sumBefore(indexFrom(entries, end)) - sumBefore(indexFrom(entries, start))),
    timesAfter: (moment: number): number[] => entries.slice(indexFrom(entries, moment + 1)).map(({ at }) => at),
  }
}

/** Of the first entry at a moment or after it. */
function indexFrom(entries: readonly Entry[], moment: number): number {
  let [low, high] = [0, entries.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((entries[middle]?.at ?? 0) < moment) low = middle + 1
    else high = middle
  }
  return low
}

/** All but the newest: one a person, lender and half hour, at the time of its last line. */
function inHalfHours(entries: readonly Entry[]): Entry[] {
  const merged = new Map<string, Entry>()
  for (const entry of entries.slice(0, -NEWEST_ENTRIES)) {
    const key = `${entry.user_id} ${entry.lender_id} ${entry.borrowed > 0} ${Math.floor(entry.at / HALF_HOUR)}`
    const sum = merged.get(key)
    if (sum === undefined) merged.set(key, entry)
    else {
      sum.at = entry.at
      sum.cost += entry.cost
      sum.charged += entry.charged
      sum.borrowed += entry.borrowed
    }
  }
  return [...merged.values()].toSorted((one, other) => one.at - other.at).concat(entries.slice(-NEWEST_ENTRIES))
}
