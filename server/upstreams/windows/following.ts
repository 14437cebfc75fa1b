import { type AccountWindow, windowText } from '#contract/shares.ts'
import { MAX_MINUTE, type ReportedLimit } from '#server/providers/reportedLimits.ts'
import { asCounted, lengthOf, type ReportedRow } from './pools.ts'

/** How far what is said may be from a window and still speak of it. */
const TOLERANCE = 0.1
/** A part of a window of which so much is used has just begun. */
const JUST_BEGUN = 0.02
const DAY = 86_400_000

/** An account, and what it said of its windows before. */
export type FollowedAccount = {
  id: number
  windows: readonly AccountWindow[]
  reports: readonly ReportedRow[]
}

/** What is known of the windows after an answer for a model: each that it spoke of. */
export function followed(
  account: FollowedAccount,
  { limits, model, now }: { limits: readonly ReportedLimit[]; model: string; now: number },
): ReportedRow[] {
  const taken = new Set<AccountWindow>()
  return limits.flatMap(limit => {
    const found = account.windows
      .filter(window => !taken.has(window) && isOf(window, model))
      .map(window => ({ window, fit: fitOf(limit, window, reportOf(account, window), now) }))
      .toSorted((a, b) => a.fit - b.fit)[0]
    if (found === undefined || found.fit === Number.POSITIVE_INFINITY) return []
    taken.add(found.window)
    return [rowAfter(limit, found.window, { account, now })]
  })
}

/**
 * The window that is full until then, after a refusal that says in how many seconds it takes asks again: the shortest
 * that can take so long. Null: that is not about any of them.
 */
export function fullWindow(
  account: FollowedAccount,
  { seconds, model, of_model, now }: { seconds: number; model: string; of_model: boolean; now: number },
): ReportedRow | null {
  if (seconds <= MAX_MINUTE) return null
  const [window] = account.windows
    .filter(each => isOf(each, model) && (!of_model || each.models !== null))
    .filter(each => seconds * 1000 <= spanLength(each) * (1 + TOLERANCE))
    .toSorted((a, b) => lengthOf(a.window) - lengthOf(b.window))
  if (window === undefined) return null
  const before = reportOf(account, window)
  return {
    ...blank(account, window),
    ...before,
    used_then: capacityOf(window, before),
    ends_at: now + seconds * 1000,
    reported_at: now,
  }
}

/** Months have 28 to 31 days. */
const spanLength = ({ window }: AccountWindow): number => (window.kind === 'month' ? 30 * DAY : lengthOf(window))

const isOf = ({ models }: AccountWindow, model: string): boolean => models === null || models.includes(model)

const reportOf = ({ id, reports }: FollowedAccount, window: AccountWindow): ReportedRow | undefined =>
  reports.find(each => each.upstream_id === id && each.window_key === windowText(window))

const capacityOf = ({ unit, amount }: AccountWindow, before: ReportedRow | undefined): number =>
  before?.capacity ?? asCounted(unit, amount)

const isWithin = (given: number, wanted: number): boolean => Math.abs(given - wanted) <= wanted * TOLERANCE

/**
 * How well what is said fits a window, 0 being the best; infinite: it speaks of another one. Where it does not say how
 * long its window is, that follows from a reset of a window that has just begun; or it is the one that was spoken of
 * before, with as much or the same end.
 */
function fitOf(said: ReportedLimit, window: AccountWindow, before: ReportedRow | undefined, now: number): number {
  if (said.unit !== null && said.unit !== window.unit) return Number.POSITIVE_INFINITY
  const length = spanLength(window) / 1000
  const { resets_in } = said
  if (resets_in !== null && resets_in > length * (1 + TOLERANCE)) return Number.POSITIVE_INFINITY
  if (said.length !== null)
    return isWithin(said.length, length) ? Math.abs(said.length - length) / length : Number.POSITIVE_INFINITY
  if (resets_in === null || said.limit === null) return Number.POSITIVE_INFINITY
  const limit = asCounted(window.unit, said.limit)
  const isSame = limit === capacityOf(window, before) || limit === before?.pending_capacity
  if (isSame) return 1
  const isBeginning = said.used !== null && said.used <= Math.max(1, said.limit * JUST_BEGUN)
  if (isBeginning && isWithin(resets_in, length)) return 2
  const hasSameEnd =
    before?.ends_at != null &&
    before.ends_at > now &&
    Math.abs(now + resets_in * 1000 - before.ends_at) <= spanLength(window) * TOLERANCE
  return hasSameEnd ? 3 : Number.POSITIVE_INFINITY
}

const blank = ({ id }: FollowedAccount, window: AccountWindow) => ({
  upstream_id: id,
  window_key: windowText(window),
  capacity: null,
  used_then: null,
  pending_capacity: null,
})

function rowAfter(
  said: ReportedLimit,
  window: AccountWindow,
  { account, now }: { account: FollowedAccount; now: number },
): ReportedRow {
  const before = reportOf(account, window)
  const inForce = capacityOf(window, before)
  const limit = said.limit === null ? null : asCounted(window.unit, said.limit)
  // What doubles or vanishes may be a mistake, or another account.
  const isPending = limit !== null && limit !== inForce && (limit >= inForce * 2 || limit === 0)
  const capacity = limit === null || isPending ? (before?.capacity ?? null) : limit
  const used = said.used_part === null ? said.used : null
  const used_then =
    said.used_part !== null
      ? Math.round(said.used_part * inForce)
      : used === null || limit === 0
        ? null
        : asCounted(window.unit, used)
  const stillEnds = before?.ends_at != null && before.ends_at > now ? before.ends_at : null
  return {
    ...blank(account, window),
    capacity,
    used_then,
    ends_at: said.resets_in === null ? stillEnds : now + Math.round(said.resets_in * 1000),
    reported_at: now,
    pending_capacity: isPending ? limit : null,
  }
}

/** Milliseconds by which an end may be off before that matters. */
const MIN_SHIFT = 1_000
const MAX_SHIFT = 60_000
/** Milliseconds between two times that only what is used is stored. */
const MIN_BETWEEN = 5_000

/**
 * Whether what is known differs enough from what is stored to store it. `received`: how many answers came since; each
 * of them is an ask, and no news.
 */
export function isNews(
  after: ReportedRow,
  before: ReportedRow | undefined,
  window: AccountWindow,
  received: number,
): boolean {
  if (before === undefined) return true
  if (after.capacity !== before.capacity || after.pending_capacity !== before.pending_capacity) return true
  const shift = Math.min(Math.max(lengthOf(window.window) / 200, MIN_SHIFT), MAX_SHIFT)
  if ((after.ends_at === null) !== (before.ends_at === null)) return true
  if (Math.abs((after.ends_at ?? 0) - (before.ends_at ?? 0)) > shift) return true
  if (after.used_then === null || before.used_then === null) return after.used_then !== before.used_then
  const capacity = after.capacity ?? asCounted(window.unit, window.amount)
  const isFull = after.used_then >= capacity && before.used_then < capacity
  // It has begun anew.
  const hasFallen = before.used_then - after.used_then > capacity * TOLERANCE
  if (isFull || hasFallen) return true
  const expected = before.used_then + (window.unit === 'asks' ? asCounted('asks', received) : 0)
  const isOff = Math.abs(after.used_then - expected) > (window.unit === 'asks' ? 0 : capacity / 50)
  return isOff && after.reported_at - before.reported_at >= MIN_BETWEEN
}
