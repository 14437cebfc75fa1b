import type { Source } from '#contract/models.ts'
import type { AccountMeter } from '#contract/status.ts'
import type { UsageDot } from '#web/kit/Dots.tsx'
import { type Fullness, fullnessOf } from '#web/kit/UsageMeter.tsx'

/** Who is answered and who waits. Of a long queue only the head is known by name; the others are a number. */
export function dotsOf({ line, running, waiting }: AccountMeter): UsageDot[] {
  const known = line.map(({ is_me, state }): UsageDot => (is_me ? 'you' : state === 'asking' ? 'busy' : 'waiting'))
  return [...known, ...Array.from({ length: Math.max(0, running + waiting - known.length) }, () => 'waiting' as const)]
}

/**
 * Seconds rounded up to 10 s below two minutes, to whole minutes above: anything more exact would be a false promise.
 */
export function rounded(seconds: number): number {
  const step = seconds < 120 ? 10 : 60
  return Math.max(step, Math.ceil(seconds / step) * step)
}

/** Seconds in which the queue moves on by one, rounded. */
export function paceOf({ seconds_per_answer, places }: AccountMeter): number | null {
  return seconds_per_answer === null ? null : rounded(seconds_per_answer / places)
}

/** Seconds until the turn of the one at this position. */
export function waitOf(position: number, { seconds_per_answer, places }: AccountMeter): number | null {
  return seconds_per_answer === null ? null : rounded((seconds_per_answer * position) / places)
}

/** The word beside the meter. Null without a limit. */
export function accountFullness({ used, allowed }: Pick<AccountMeter, 'used' | 'allowed'>): Fullness | null {
  return allowed === null ? null : fullnessOf(used, allowed)
}

/** Whether a question asked now is answered at once. */
export function isFree({ running, places, waiting, paused }: AccountMeter): boolean {
  return !paused && running < places && waiting === 0
}

/**
 * Where a new question of a source goes: to the least busy account that is not cooling, or the least busy one.
 * Undefined when all are paused.
 */
export function leastBusy(accounts: readonly AccountMeter[], source: Source): AccountMeter | undefined {
  const usable = accounts.filter(each => each.source === source && !each.paused)
  const healthy = usable.filter(({ cooling_until }) => cooling_until === null)
  const [first, ...others] = healthy.length > 0 ? healthy : usable
  return others.reduce((best, each) => (best && busyness(each) < busyness(best) ? each : best), first)
}

const busyness = ({ running, waiting, places }: AccountMeter): number => (running + waiting) / places

const isWithMe = ({ line }: AccountMeter): boolean => line.some(({ is_me }) => is_me)

/**
 * The one account to show where there is space for one. For each source: the account in whose queue the user is, else
 * where a new question would go. Among these, one that is not paused and has a limit is preferred.
 */
export function mostWorthKnowing(accounts: readonly AccountMeter[]): AccountMeter | undefined {
  const known = [...new Set(accounts.map(({ source }) => source))].flatMap(source => {
    const ofSource = accounts.filter(each => each.source === source)
    return ofSource.find(isWithMe) ?? leastBusy(ofSource, source) ?? ofSource[0] ?? []
  })
  const usable = known.filter(({ paused }) => !paused)
  const from = usable.length > 0 ? usable : known
  return from.find(({ allowed }) => allowed !== null) ?? from[0]
}

/** How many accounts the foot of the list has space for. */
const MAX_AT_FOOT = 3

/**
 * The accounts at the foot of the list, in their order. When there are too many, those in whose queue the user is
 * come first.
 */
export function atFoot(accounts: readonly AccountMeter[]): AccountMeter[] {
  const mineFirst = accounts.toSorted((a, b) => Number(isWithMe(b)) - Number(isWithMe(a)))
  const chosen = new Set(mineFirst.slice(0, MAX_AT_FOOT))
  return accounts.filter(account => chosen.has(account))
}

/** Asks that return within the same minute are one step. */
export function returnSteps(
  returns: AccountMeter['returns'],
  timeText: (time: Date) => string,
): { time: string; count: number; at_once: boolean }[] {
  const steps: { time: string; count: number; at_once: boolean }[] = []
  for (const { at, count } of returns) {
    const [time, last] = [timeText(new Date(at)), steps.at(-1)]
    // Only the first of a step returns at that time; the others may follow later.
    if (last?.time === time)
      steps[steps.length - 1] = { time, count: last.count + count, at_once: last.at_once && count === 1 }
    else steps.push({ time, count, at_once: count === 1 })
  }
  return steps
}

export type Queued = { nickname: string | null; is_me: boolean; position: number | null }

/** Everybody in the queue with their position; those who are being answered have none. */
export function queueOf({ line }: AccountMeter): Queued[] {
  const answered = line.filter(({ state }) => state === 'asking').length
  return line.map(({ nickname, is_me, state }, at) => ({
    nickname,
    is_me,
    position: state === 'asking' ? null : at - answered + 1,
  }))
}

/** The accounts of a pool as one: what of them is used is one amount, and their queues are added up. */
export function pooled(accounts: readonly AccountMeter[]): AccountMeter[] {
  return accounts.flatMap((account, at) => {
    if (account.pool === null) return account
    const all = accounts.filter(({ pool }) => pool === account.pool)
    return accounts.findIndex(({ pool }) => pool === account.pool) === at ? together(account, all) : []
  })
}

function together(first: AccountMeter, all: readonly AccountMeter[]): AccountMeter {
  const usable = all.filter(({ paused }) => !paused)
  const line = all.flatMap(account => account.line)
  const sum = (of: (account: AccountMeter) => number) => all.reduce((total, account) => total + of(account), 0)
  return {
    ...first,
    paused: usable.length === 0,
    cooling_until: usable.every(({ cooling_until }) => cooling_until !== null)
      ? (usable.map(({ cooling_until }) => cooling_until).toSorted()[0] ?? null)
      : null,
    running: sum(({ running }) => running),
    places: sum(({ places }) => places),
    waiting: sum(({ waiting }) => waiting),
    line: line.toSorted((a, b) => Number(a.state === 'queueing') - Number(b.state === 'queueing')),
  }
}
