import type { Member, PoolFacts, PoolLine, PoolSettings, PoolWindow } from './pool.ts'
import { openPoolState } from './poolState.ts'
import type { ShareAsk } from './shareRule.ts'
import { type HalfHour, usualFrom } from './usual.ts'

export const HOUR = 3_600_000
export const DAY = 24 * HOUR
/** A Monday at eight. */
export const NOW = Date.parse('2026-03-02T08:00:00Z')
export const MODEL = 'gpt_4'

/** Ten asks in five hours, which roll. */
export const aWindow = (window: Partial<PoolWindow> & { asks?: number } = {}): PoolWindow => ({
  ...{ key: 'window', unit: 'asks' as const, amount: (window.asks ?? 10) * 1000, models: null },
  ...{ window: { kind: 'rolling' as const, seconds: 18_000 }, ...window },
})

export const aMember = (user_id: number, member: Partial<Member> = {}): Member => ({
  ...{ user_id, weight: 1, may_borrow: true, asked_at: NOW - HOUR, usual: null, ...member },
})

export const aLine = (user_id: number, ago: number, line: Partial<PoolLine> = {}): PoolLine => ({
  ...{ user_id, asked_time: NOW - ago, model: MODEL, asks: 1000, tokens: 0, money: 0, charged: 1000 },
  ...{ borrowed_key: null, lender_id: null, ...line },
})

/** `times` asks of a person, a minute apart, the last one so long ago. */
export const lines = (user_id: number, times: number, ago = HOUR, line: Partial<PoolLine> = {}): PoolLine[] =>
  Array.from({ length: times }, (_, index) => aLine(user_id, ago + (times - 1 - index) * 60_000, line))

type PoolParts = Partial<Omit<PoolFacts, 'settings' | 'state' | 'members'>> & {
  windows?: readonly PoolWindow[]
  settings?: Partial<PoolSettings>
  members?: readonly Member[]
  lines?: readonly PoolLine[]
}

/** A pool of two people, one window and no lines. */
export function aPool({
  windows = [aWindow()],
  members = [aMember(1), aMember(2)],
  lines = [],
  ...given
}: PoolParts = {}): PoolFacts {
  const settings = {
    windows,
    keep: 'share' as const,
    reserve_percent: 0,
    owner_id: null,
    time_zone: 'UTC',
    ...given.settings,
  }
  const state = openPoolState(settings)
  for (const line of lines) state.add(line)
  return {
    ...{ running: [], claims: new Map(), gifts: [], openings: new Map(), now: NOW, ...given },
    ...{ settings, state, members: new Map(members.map(member => [member.user_id, member])) },
  }
}

export const anAsk = (user_id: number, ask: Partial<ShareAsk> = {}): ShareAsk => ({
  ...{ user_id, model: MODEL, need: { asks: 1000, tokens: 0, money: 0 }, charged: 1000, quiet: false, ...ask },
})

/** Whoever asks so often in this hour of every week: a history of four weeks until now. */
export function whoAsks(times: number, at: number, windows: readonly PoolWindow[] = [aWindow()], time_zone = 'UTC') {
  const halfHours: HalfHour[] = [1, 2, 3, 4].map(weeks => ({
    ...{ start_time: at - weeks * 7 * DAY, model: MODEL, asks: times * 1000, tokens: 0, money: 0 },
  }))
  return usualFrom(
    [...halfHours, { ...halfHours[3], start_time: NOW - 28 * DAY, asks: 0 } as HalfHour],
    { windows, time_zone },
    NOW,
  )
}
