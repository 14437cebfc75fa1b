import type { ShareLedger, ShareLine } from '#contract/shareLedger.ts'
import type { ShareGift } from '#contract/shares.ts'
import { type PoolLine, THOUSANDTHS } from '#server/limits/shares/pool.ts'
import type { GiftWithUse } from '#server/usage/giftStore.ts'
import { type GivingPool, iso, poolId, sentShare, type WholeWindow } from './pools.ts'

type Ledger = {
  user_id: number
  now: number
  pool: GivingPool
  whole: WholeWindow
  /** Of this person, and of others who borrowed from their share: settled ones, since the window began. */
  lines: readonly PoolLine[]
  /** Given by this person and to them, of this window. */
  gifts: readonly GiftWithUse[]
  currency: string
  name(user_id: number): string
  sent(gift: GiftWithUse): ShareGift
}

/** Amounts are counted as shares are, times in milliseconds. */
type Event = Pick<ShareLine, 'kind' | 'model' | 'is_quiet' | 'is_borrowed' | 'gift_id'> & {
  time: number
  other: number | null
  until: number | null
  amount: number
  change: number
}

/** Further back is nobody's concern. */
export const MAX_LINES = 200

/** Asks of one person in a row that others borrowed for are one line. */
const AT_ONCE_MS = 1_800_000

const NOTHING = { model: null, is_quiet: false, is_borrowed: false, gift_id: null, other: null, until: null }

/** What happened to somebody's share of a window, with what was left after each line. */
export function shareLedger(ledger: Ledger): ShareLedger {
  const { now, pool, whole, gifts, currency, sent } = ledger
  const { window, starts, ends } = whole
  const mine = whole.of(ledger.user_id)
  const amount = (counted: number) => sentShare(window.unit, counted)
  const events = [...askedBy(ledger), ...lentBy(ledger), ...gifts.flatMap(gift => happened(gift, ledger))]
  return {
    upstream_id: poolId(pool),
    label: pool.label,
    unit: window.unit,
    currency,
    window: window.window,
    from: iso(starts),
    ends_at: ends === null ? null : iso(ends),
    share: amount(mine?.share ?? 0),
    left: amount(mine?.left ?? 0),
    coming: gifts
      .filter(gift => gift.from_id === ledger.user_id && gift.end_time > now && gift.used < gift.amount)
      .toSorted((a, b) => a.until - b.until)
      .map(gift => ({ gift: sent(gift), at: iso(gift.until), amount: amount(gift.amount - gift.used) })),
    lines: withLeft(events, ledger),
  }
}

/** The latest first. */
function withLeft(events: readonly Event[], { user_id, whole, name }: Ledger): ShareLine[] {
  const amount = (counted: number) => sentShare(whole.window.unit, counted)
  const mine = whole.of(user_id)
  // Whoever borrows has less than nothing left: it is shown as nothing.
  let after = mine === null ? 0 : mine.share - mine.used
  return events
    .filter(({ time }) => time >= whole.starts)
    .toSorted((a, b) => b.time - a.time)
    .slice(0, MAX_LINES)
    .map(event => {
      const { other, until, ...line } = event
      const now = after
      after -= event.change
      return {
        ...line,
        time: iso(event.time),
        until: until === null ? null : iso(until),
        name: other === null ? null : name(other) || null,
        amount: amount(event.amount),
        change: amount(event.change),
        left: amount(Math.max(0, now)),
      }
    })
}

const counts = ({ whole }: Ledger, { model }: PoolLine): boolean => whole.window.models?.includes(model) ?? true

/** What somebody is charged for it. */
const chargedOf = ({ whole }: Ledger, line: PoolLine): number =>
  Math.ceil((line[whole.window.unit] * line.charged) / THOUSANDTHS)

function askedBy(ledger: Ledger): Event[] {
  const { lines, user_id } = ledger
  return lines
    .filter(line => line.user_id === user_id && counts(ledger, line))
    .map(line => {
      const amount = chargedOf(ledger, line)
      return {
        ...NOTHING,
        kind: 'asked',
        time: line.asked_time,
        model: line.model,
        is_quiet: line.charged < THOUSANDTHS,
        is_borrowed: line.borrowed_key !== null,
        amount,
        change: -amount,
      }
    })
}

/** What others borrowed of this share: nothing is taken from it. */
function lentBy(ledger: Ledger): Event[] {
  const { lines, user_id } = ledger
  const borrowed = lines
    .filter(line => line.lender_id === user_id && line.user_id !== user_id && line.borrowed_key !== null)
    .filter(line => counts(ledger, line))
    .toSorted((a, b) => a.asked_time - b.asked_time)
  return borrowed.reduce<Event[]>((events, line) => {
    const amount = line[ledger.whole.window.unit]
    const last = events.at(-1)
    if (last?.other === line.user_id && line.asked_time - last.time < AT_ONCE_MS)
      return [...events.slice(0, -1), { ...last, time: line.asked_time, amount: last.amount + amount }]
    return [...events, { ...NOTHING, kind: 'lent', time: line.asked_time, other: line.user_id, amount, change: 0 }]
  }, [])
}

/** A gift, and its end. */
function happened(gift: GiftWithUse, { user_id, now }: Ledger): Event[] {
  const isGiver = gift.from_id === user_id
  const sign = isGiver ? -1 : 1
  const isGranted = gift.of_reserve || gift.from_id === null
  const shared = { ...NOTHING, gift_id: gift.id, other: isGiver ? gift.to_id : gift.from_id, until: gift.until }
  const beginning: Event = {
    ...shared,
    kind: isGiver ? 'given' : isGranted ? 'granted' : 'received',
    time: gift.create_time,
    amount: gift.amount,
    change: sign * gift.amount,
  }
  const unused = gift.amount - gift.used
  if (gift.end_time > now || unused <= 0) return [beginning]
  const kind = gift.end_time < gift.until ? 'taken_back' : 'came_back'
  return [beginning, { ...shared, kind, time: gift.end_time, amount: unused, change: -sign * unused }]
}
