import { type AccountWindow, windowText } from '#contract/shares.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { Bus } from '#server/foundation/database/bus.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { Log } from '#server/foundation/logging.ts'
import type { Refusal } from '#server/foundation/refusal.ts'
import type { ReportedLimit } from '#server/providers/reportedLimits.ts'
import type { Snapshot } from './snapshot.ts'
import { reportedWindowStore } from './store.ts'
import { type FollowedAccount, followed, fullWindow, isNews } from './windows/following.ts'
import type { ReportedRow } from './windows/pools.ts'

type Dependencies = {
  open: OpenDatabase
  bus: Bus
  clock: Clock
  log: Log
  snapshot: Snapshot
  onChange(): void
}

/** Refusals that say that an account has nothing left. */
const OF_LIMITS: ReadonlySet<string> = new Set(['openai.429', 'openai.quota'])

/**
 * What shared accounts say of their windows. It counts in this process at once; what is news is stored, and so reaches
 * the other processes. What a person's own endpoint says is heard by nobody.
 */
export function openReportedWindows({ open, bus, clock, log, snapshot, onChange }: Dependencies) {
  const store = reportedWindowStore(open.database)
  /** On their way to the database. */
  const known = new Map<string, ReportedRow>()
  /** How many answers came since what is known was said, by windows. */
  const received = new Map<string, number>()
  let storing: Promise<void> = Promise.resolve()

  function all(): readonly ReportedRow[] {
    if (known.size === 0) return snapshot.reports()
    return [...snapshot.reports().filter(row => !known.has(keyOf(row))), ...known.values()]
  }

  function accountOf(upstream_id: number): FollowedAccount | null {
    const row = snapshot.rows().find(({ id }) => id === upstream_id)
    return row?.windows == null ? null : { id: row.id, windows: row.windows, reports: all() }
  }

  function keep(account: FollowedAccount, after: ReportedRow): void {
    const key = keyOf(after)
    const window = account.windows.find(each => windowText(each) === after.window_key)
    if (window === undefined) return
    const before = account.reports.find(row => keyOf(row) === key)
    const count = (received.get(key) ?? 0) + 1
    if (!isNews(after, before, window, count)) return void received.set(key, count)
    received.delete(key)
    known.set(key, after)
    if (after.pending_capacity !== null && after.pending_capacity !== before?.pending_capacity)
      log.warn({ ...after }, 'an account says that a window of it has changed much: an administrator has to say yes')
    onChange()
    storing = storing.then(() => write(key, after))
  }

  async function write(key: string, row: ReportedRow): Promise<void> {
    try {
      // The account may be gone, or not have this window any more.
      if (isSet(snapshot, row)) await store.keep(row)
      await snapshot.reload()
      bus.publish('upstreams')
    } catch (error) {
      log.warn({ err: error, upstream_id: row.upstream_id }, 'what an account says of a window could not be stored')
    } finally {
      if (known.get(key) === row) known.delete(key)
    }
  }

  return {
    all,

    /** What an answer for a model said. */
    noteLimits(upstream_id: number, model: string, limits: readonly ReportedLimit[]): void {
      const account = accountOf(upstream_id)
      if (account === null) return
      for (const row of followed(account, { limits, model, now: clock.now() })) keep(account, row)
    },

    /** A refusal that says until when nothing is left, unless its headers have said of which window. */
    noteRefusal(upstream_id: number, model: string, { key, values }: Refusal): void {
      const account = accountOf(upstream_id)
      const seconds = values['retry_after_seconds']
      if (account === null || !OF_LIMITS.has(key) || typeof seconds !== 'number') return
      const now = clock.now()
      if (account.reports.some(row => isFullUntil(row, account, now + seconds * 1000))) return
      const row = fullWindow(account, { seconds, model, of_model: values['of_model'] === true, now })
      if (row !== null) keep(account, row)
    },

    stored: () => storing,
  }
}

const keyOf = ({ upstream_id, window_key }: Pick<ReportedRow, 'upstream_id' | 'window_key'>): string =>
  `${upstream_id} ${window_key}`

const isSet = (snapshot: Snapshot, { upstream_id, window_key }: ReportedRow): boolean =>
  snapshot
    .rows()
    .some(({ id, windows }) => id === upstream_id && windows?.some(each => windowText(each) === window_key) === true)

/** Milliseconds: what is said in two ways is rounded in two ways. */
const SAME_END = 2_000

function isFullUntil(row: ReportedRow, { id, windows }: FollowedAccount, end: number): boolean {
  const isOwn = row.upstream_id === id && windows.some((each: AccountWindow) => windowText(each) === row.window_key)
  return isOwn && row.ends_at !== null && Math.abs(row.ends_at - end) <= SAME_END
}
