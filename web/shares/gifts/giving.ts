import type { LimitUnit } from '#contract/plans.ts'
import { isMoney } from '#contract/plans.ts'
import type { Share, ShareWindow } from '#contract/shares.ts'
import { piece, type Piece } from '../bar.ts'
import type { MessageKey } from '#web/i18n/dictionary.ts'
import { dayIn, endOfDay, endOfMonthOf } from '#web/usage/calendar.ts'

const DAY_MS = 86_400_000

/** What is given is of this window: the longest of all models, where there is one. */
export function givenWindow({ windows }: Share): ShareWindow | undefined {
  return windows.findLast(({ models }) => models === null) ?? windows.at(-1)
}

/** What is left of mine. */
export const mineLeft = ({ mine }: ShareWindow): number => (mine === null ? 0 : Math.max(0, mine.share - mine.used))

/** My share as a bar, once so much of it is given: used, what I keep, what is given. */
export const giftPieces = (window: ShareWindow, amount: number): Piece[] => [
  ...piece('mine', Math.min(window.mine?.used ?? 0, window.mine?.share ?? 0)),
  ...piece('left', mineLeft(window) - amount),
  ...piece('kept', amount),
]

/** What is offered to be given: a few asks, or a fifth of what is left of other units. */
export function firstAmount(unit: LimitUnit, left: number): string {
  const fifth = Number((left / 5).toPrecision(1))
  if (unit === 'money') return String(fifth)
  return String(Math.max(1, Math.floor(unit === 'asks' ? Math.min(5, left) : fifth)))
}

/** Until when something may last: its name, and the moment. */
export type End = { key: Extract<MessageKey, `gifts.until.${string}`>; seconds: number; time: Date }

const zone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

const today = (now: Date): End => ({
  key: 'gifts.until.today',
  seconds: 0,
  time: endOfDay(dayIn(now, zone()), zone()),
})

function weekLater(time: Date): Date {
  const later = new Date(time)
  later.setDate(later.getDate() + 7)
  return later
}

/** For a gift: the end of the window, and in a week of the next one. */
export function giftEnds({ window, ends_at }: ShareWindow, now: Date): End[] {
  if ('seconds' in window) {
    const { seconds } = window
    const time = new Date(now.getTime() + seconds * 1000)
    const end: End = { key: 'gifts.until.window', seconds, time }
    return seconds * 1000 > DAY_MS ? [today(now), end] : [end]
  }
  if (ends_at === null) return [today(now)]
  const end = new Date(ends_at)
  if (window.kind === 'week')
    return distinct([
      today(now),
      { key: 'gifts.until.week', seconds: 0, time: end },
      { key: 'gifts.until.nextWeek', seconds: 0, time: weekLater(end) },
    ])
  if (window.kind === 'month') return distinct([today(now), { key: 'gifts.until.month', seconds: 0, time: end }])
  return [{ key: 'gifts.until.today', seconds: 0, time: end }]
}

/** For what is asked for: today, the end of the window, the end of the month. */
export function askEnds(window: ShareWindow, now: Date): End[] {
  const month: End = {
    key: 'gifts.until.month',
    seconds: 0,
    time: endOfDay(endOfMonthOf(dayIn(now, zone())), zone()),
  }
  const ends = giftEnds(window, now).filter(({ key }) => key !== 'gifts.until.nextWeek')
  return distinct([...ends, month])
}

/** No two that end within an hour of each other, and none that is over. */
const distinct = (ends: readonly End[]): End[] =>
  ends.filter(
    (end, at) => !ends.slice(0, at).some(({ time }) => Math.abs(time.getTime() - end.time.getTime()) < 3_600_000),
  )

/** The number that was typed, with a comma or a full-width digit as well; null for what is none, or not so many. */
export function typedAmount(text: string, unit: LimitUnit): number | null {
  const amount = Number(text.normalize('NFKC').trim().replace(',', '.'))
  if (text.trim() === '' || !(amount > 0)) return null
  return (unit === 'money' ? isMoney(amount) : Number.isInteger(amount)) ? amount : null
}
