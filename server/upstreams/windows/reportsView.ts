import { type AccountWindow, windowText } from '#contract/shares.ts'
import type { AccountWindowReport } from '#contract/upstreamSharing.ts'
import { asSaid, type ReportedRow } from './pools.ts'

/** What an account said of the windows that are set, as administrators see it. */
export const reportsView = (
  windows: readonly AccountWindow[],
  reports: readonly ReportedRow[],
): AccountWindowReport[] =>
  windows.flatMap(({ unit, window, models }) => {
    const report = reports.find(({ window_key }) => window_key === windowText({ unit, window, models }))
    if (report === undefined) return []
    const { capacity, used_then, ends_at, reported_at, pending_capacity } = report
    const said = (amount: number | null) => (amount === null ? null : asSaid(unit, amount))
    return [
      {
        ...{ unit, window, models },
        capacity: said(capacity),
        used: said(used_then),
        ends_at: ends_at === null ? null : new Date(ends_at).toISOString(),
        reported_at: new Date(reported_at).toISOString(),
        pending_capacity: said(pending_capacity),
      },
    ]
  })
