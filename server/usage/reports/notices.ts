import type { ResultOf } from '#contract/call.ts'
import type { takeUsageNotices, UsageNotice } from '#contract/usage.ts'
import type { Configuration } from '#contract/configuration/configuration.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { requestStore } from '../requestStore.ts'
import { keyOfLimit, type LimitUses, type ReadLimitUse, sentLimitUse } from './limitUses.ts'
import type { UsageRequests } from './requests.ts'

type Dependencies = {
  open: OpenDatabase
  clock: Clock
  configuration(): Configuration
  limitUses: Pick<LimitUses, 'ofPerson'>
  requests: UsageRequests
}

/** Of a limit, from which on somebody is shown that it is nearly used up. */
const NEARLY = 0.8
/** Milliseconds: an answer that somebody did not come to see in so long is no news. */
const NEWS_MS = 30 * 86_400_000

type Note = (notice_key: string, until: number | null) => Promise<boolean>
export type UsageNotices = ReturnType<typeof openUsageNotices>

/** What people are shown once, in whichever browser they are first: it is noted here that they were. */
export function openUsageNotices({ open, clock, configuration, limitUses, requests }: Dependencies) {
  /** Notes what is shown now; false for what was shown before. Nothing is written for what is known to have been. */
  async function noting(user_id: number) {
    const shown = new Set(await requestStore(open.database).shownTo(user_id, clock.now()))
    return async (notice_key: string, until: number | null): Promise<boolean> =>
      !shown.has(notice_key) && requestStore(open.database).noteShown({ user_id, notice_key, until }, clock.now())
  }

  /** The level that somebody has not been shown in this window: nearly used up is no news to who has seen the end. */
  async function levelToShow(note: Note, limit: ReadLimitUse): Promise<80 | 100 | null> {
    if (limit.amount <= 0 || limit.used < limit.amount * NEARLY) return null
    const until = shownUntil(limit, clock.now())
    const key = (level: number) => `limit ${keyOfLimit(limit)} ${limit.amount} ${level}`
    const isNearlyNew = await note(key(80), until)
    if (limit.left > 0) return isNearlyNew ? 80 : null
    return (await note(key(100), until)) ? 100 : null
  }

  return async (user_id: number): Promise<ResultOf<typeof takeUsageNotices>> => {
    const store = requestStore(open.database)
    const [note, limits, open_requests, answered] = await Promise.all([
      noting(user_id),
      limitUses.ofPerson(user_id),
      requests.openOf(user_id),
      store.answered(user_id),
    ])
    const notices: UsageNotice[] = []
    for (const limit of limits) {
      const level = await levelToShow(note, limit)
      if (level !== null) notices.push({ kind: 'limit', level, limit: sentLimitUse(limit) })
    }
    const news = answered.filter(({ decide_time }) => (decide_time ?? 0) > clock.now() - NEWS_MS)
    for (const row of news) {
      if (!(await note(`request ${row.id}`, null))) continue
      const [request] = await requests.requestsOf([row])
      if (request !== undefined) notices.push({ kind: 'request', request })
    }
    return { notices, currency: configuration().money.currency, open_requests: open_requests.length }
  }
}

/** Until when a limit is not shown again: the end of its window, or as long as one that moves on with the time. */
function shownUntil({ window, ends }: ReadLimitUse, now: number): number | null {
  if (ends !== null) return ends
  return 'seconds' in window ? now + window.seconds * 1000 : null
}
