import { wallTimeOf } from '#server/foundation/clock.ts'
import type { PoolSettings, PoolWindow, Usual } from './pool.ts'

/** What a person used in a half hour, of one model: a row of the sums of the ledger. Asks in thousandths. */
export type HalfHour = { start_time: number; model: string; asks: number; tokens: number; money: number }

const HALF_HOUR = 1_800_000
const WEEK = 336 * HALF_HOUR
const SLOTS = 336
const MAX_WEEKS = 4

/**
 * What a person usually uses: the mean of the same hours of the week in the last four whole weeks, or in as many as
 * there are since they first asked here. Null without one: no history.
 */
export function usualFrom(
  halfHours: readonly HalfHour[],
  { windows, time_zone }: Pick<PoolSettings, 'windows' | 'time_zone'>,
  now: number,
): Usual | null {
  const first = Math.min(...halfHours.map(({ start_time }) => start_time))
  const weeks = Math.min(MAX_WEEKS, Math.floor((now - first) / WEEK))
  if (!(weeks >= 1)) return null
  const known = halfHours.filter(({ start_time }) => start_time >= now - weeks * WEEK && start_time <= now)
  const learning = { weeks, ahead: aheadOf(time_zone), now }
  return { profiles: new Map(windows.map(window => [window.key, profileOf(known, window, learning)])) }
}

/** A moment of the week: whole weeks since the beginning of time, half hours of the last one, and a part of one. */
type Position = { weeks: number; slot: number; part: number }

const positionOf = (moment: number): Position => {
  const weeks = Math.floor(moment / WEEK)
  const slots = (moment - weeks * WEEK) / HALF_HOUR
  return { weeks, slot: Math.floor(slots), part: slots - Math.floor(slots) }
}

/** Between two moments, of many people: where they lie in the week is computed once. */
export function usualBetween(from: number, to: number): (usual: Usual, window_key: string) => number {
  const [start, end] = [positionOf(from), positionOf(to)]
  return ({ profiles }, window_key) => {
    const profile = profiles.get(window_key)
    return profile === undefined || to <= from ? 0 : upTo(profile, end) - upTo(profile, start)
  }
}

function upTo(profile: Float64Array, { weeks, slot, part }: Position): number {
  const before = profile[slot] ?? 0
  return weeks * (profile[SLOTS] ?? 0) + before + part * ((profile[slot + 1] ?? before) - before)
}

type Learning = { weeks: number; ahead: (moment: number) => number; now: number }

function profileOf(halfHours: readonly HalfHour[], window: PoolWindow, { weeks, ahead, now }: Learning): Float64Array {
  const sums = new Float64Array(SLOTS + 1)
  const today = ahead(now)
  for (const { start_time, model, ...sum } of halfHours) {
    if (window.models !== null && !window.models.includes(model)) continue
    // The same hour on the wall: clocks may have been changed since.
    const moment = start_time + ahead(start_time) - today
    const slot = Math.floor((moment - Math.floor(moment / WEEK) * WEEK) / HALF_HOUR)
    sums[slot + 1] = (sums[slot + 1] ?? 0) + sum[window.unit] / weeks
  }
  for (let slot = 1; slot <= SLOTS; slot++) sums[slot] = (sums[slot] ?? 0) + (sums[slot - 1] ?? 0)
  return sums
}

const offsets = new Map<string, number>()
const MAX_KEPT = 2_000

/** How far the wall clock of a zone is ahead of UTC, known by the hour. */
const aheadOf =
  (time_zone: string) =>
  (moment: number): number => {
    const hour = Math.floor(moment / (2 * HALF_HOUR)) * 2 * HALF_HOUR
    const key = `${time_zone} ${hour}`
    const known = offsets.get(key)
    if (known !== undefined) return known
    const offset = Date.parse(`${wallTimeOf(hour, time_zone).replace(' ', 'T')}Z`) - hour
    if (offsets.size >= MAX_KEPT) offsets.clear()
    offsets.set(key, offset)
    return offset
  }
