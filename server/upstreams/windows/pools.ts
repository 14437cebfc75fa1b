import { type LimitUnit, type LimitWindow, MILLIONTHS } from '#contract/plans.ts'
import { type AccountWindow, type Keep, type MemberNames, type Sharing, windowText } from '#contract/shares.ts'
import type { RowOf } from '#server/foundation/database/schema/definition.ts'
import type { tables } from '#server/foundation/database/schema/schema.ts'
import { type SharedRow, sharingView } from './sharing.ts'

export type ReportedRow = RowOf<typeof tables.reported_windows>

/** `used` at the moment `at`, by everybody, also by those who ask it elsewhere. Epoch milliseconds. */
export type WindowReport = { used: number | null; ends_at: number | null; at: number }

/** Amounts as pools count: thousandths of an ask, tokens, millionths of money. */
export type PoolWindow = {
  /** The same for as long as it is the same window: `windowText` of contract/shares.ts. */
  key: string
  unit: LimitUnit
  amount: number
  window: LimitWindow
  models: readonly string[] | null
  /** What the account said of it last; null: nothing that still holds. */
  reported: WindowReport | null
}

/** An account, or several that are asked as one. */
export type Pool = {
  /** Those that are in use; the lowest id is the first, and its settings are those of the pool. */
  upstream_ids: readonly number[]
  key: string
  sharing: Sharing
  settings: {
    windows: readonly PoolWindow[]
    keep: Keep
    reserve_percent: number
    owner_id: number | null
    time_zone: string
  }
  names: MemberNames
  label: string
  /** The keys of the windows whose capacity is as the accounts report it. */
  reported: ReadonlySet<string>
}

const THOUSANDTHS = 1000
const COUNTED: Record<LimitUnit, number> = { asks: THOUSANDTHS, tokens: 1, money: MILLIONTHS }

export const asCounted = (unit: LimitUnit, amount: number): number => Math.round(amount * COUNTED[unit])
export const asSaid = (unit: LimitUnit, amount: number): number => amount / COUNTED[unit]

/** Milliseconds that a window lasts; of a month, the shortest. */
const DAY = 86_400_000
const CALENDAR = { day: DAY, week: 7 * DAY, month: 28 * DAY, ever: Number.POSITIVE_INFINITY }
export const lengthOf = (window: LimitWindow): number =>
  'seconds' in window ? window.seconds * 1000 : CALENDAR[window.kind]

type Stored = { rows: readonly SharedRow[]; reports: readonly ReportedRow[]; time_zone: string; now: number }

/** The pool of a shared account. Null: it has no windows, is switched off, or is a person's own. */
export function poolAt(upstream_id: number, stored: Stored): Pool | null {
  const asked = stored.rows.find(row => row.id === upstream_id)
  if (asked === undefined || asked.user_id !== null || !asked.enabled) return null
  const accounts = asked.pool === null ? [asked] : stored.rows.filter(row => isOfPool(row, asked))
  const [first = asked] = accounts
  const { windows, sharing, keep, reserve_percent, names, owner_id } = sharingView(first)
  if (windows.length === 0) return null
  const summed = windows.map(window => sumOf(window, accounts, stored))
  return {
    upstream_ids: accounts.map(({ id }) => id),
    key: String(first.id),
    sharing,
    settings: {
      windows: summed.map(({ window }) => window).toSorted((a, b) => lengthOf(a.window) - lengthOf(b.window)),
      keep,
      reserve_percent: owner_id === null ? 0 : reserve_percent,
      owner_id,
      time_zone: stored.time_zone,
    },
    names,
    label: first.label,
    reported: new Set(summed.filter(({ isReported }) => isReported).map(({ window }) => window.key)),
  }
}

const isOfPool = (row: SharedRow, { source, pool }: SharedRow): boolean =>
  row.user_id === null && row.enabled && row.source === source && row.pool === pool

/** What the accounts of a pool have of a window: those without it add nothing. */
function sumOf(
  { unit, window, models, amount: _amount }: AccountWindow,
  accounts: readonly SharedRow[],
  { reports, now }: Stored,
): { window: PoolWindow; isReported: boolean } {
  const key = windowText({ unit, window, models })
  const parts = accounts.flatMap(({ id, windows }) => {
    const set = windows?.find(each => windowText(each) === key)
    if (set === undefined) return []
    const report = reports.find(each => each.upstream_id === id && each.window_key === key)
    return [{ set: asCounted(unit, set.amount), report }]
  })
  const amount = parts.reduce((sum, { set, report }) => sum + (report?.capacity ?? set), 0)
  const isReported = parts.length > 0 && parts.every(({ report }) => report?.capacity != null)
  // The windows of several accounts end at different times: what each said of its own says nothing of them together.
  const only = accounts.length === 1 ? parts[0]?.report : undefined
  const reported = only === undefined ? null : inForce(only, lengthOf(window), now)
  return { window: { key, unit, amount, window, models, reported }, isReported }
}

/** What was said of how much was used holds until the window ends. */
function inForce({ used_then, ends_at, reported_at }: ReportedRow, length: number, now: number): WindowReport | null {
  const ended = (ends_at ?? reported_at + length) <= now
  if (ended && ends_at === null) return null
  return { used: ended ? null : used_then, ends_at, at: reported_at }
}
