import type { Source } from '#contract/models.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { askedByHalfHours, HALF_HOUR } from '#server/usage/usageLedger.ts'

const DAY = 86_400_000
/** So much is looked back upon. */
const LOOK_BACK_DAYS = 28
const SLOTS = DAY / HALF_HOUR
/** Fewer asks say nothing of what is usual. */
const MIN_ASKS = 20
/** Of what is asked in a half hour on average: less is quiet. */
const QUIET_PART = 0.5
/** Milliseconds for which sums are kept. */
const MAX_AGE = 600_000

export type LikelyQuiet = ReturnType<typeof openLikelyQuiet>

/** When it will be quiet at a source, by the half hours of the day in which people usually ask little. */
export function openLikelyQuiet({ open, clock }: { open: OpenDatabase; clock: Pick<Clock, 'now' | 'monotonic'> }) {
  const known = new Map<Source, { time: number; slots: readonly number[] }>()

  async function slotsOf(source: Source): Promise<readonly number[]> {
    const latest = known.get(source)
    if (latest !== undefined && clock.monotonic() - latest.time < MAX_AGE) return latest.slots
    const since = clock.now() - LOOK_BACK_DAYS * DAY
    const slots = bySlots(await askedByHalfHours(open.database, source, since))
    known.set(source, { time: clock.monotonic(), slots })
    return slots
  }

  /** Before a moment; null where nobody can tell, or it is never quiet before then. */
  return async (source: Source, until: number): Promise<number | null> =>
    firstQuiet(await slotsOf(source), clock.now(), until)
}

const slotAt = (time: number): number => Math.floor((time % DAY) / HALF_HOUR)

/** How much was asked in each half hour of the day. */
export function bySlots(sums: readonly { start_time: number; asks: number }[]): number[] {
  const slots = Array.from({ length: SLOTS }, () => 0)
  for (const { start_time, asks } of sums) slots[slotAt(start_time)] = (slots[slotAt(start_time)] ?? 0) + asks
  return slots
}

/** The first half hour from now on in which little is asked; now, where this is one. */
export function firstQuiet(slots: readonly number[], now: number, until: number): number | null {
  const all = slots.reduce((sum, asks) => sum + asks, 0)
  if (all < MIN_ASKS) return null
  const most = (all / SLOTS) * QUIET_PART
  for (let start = now - (now % HALF_HOUR); start < until; start += HALF_HOUR)
    if ((slots[slotAt(start)] ?? 0) <= most) return Math.max(now, start)
  return null
}
