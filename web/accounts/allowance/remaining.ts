import type { SourceAllowance } from '#contract/allowance.ts'
import { UNLIMITED } from '#contract/limits.ts'

/** How many questions are left; `window_seconds` when it is a window that leaves the fewest. */
export type Remaining = { count: number; window_seconds: number | null; frees_at: string | null }

/** The smallest of the model's count, the total and each window. Null when none of them is limited. */
export function remainingOf({ models, total, windows }: SourceAllowance, model: string): Remaining | null {
  const counts = [models.find(each => each.model === model)?.count.remaining ?? UNLIMITED, total.remaining]
  const left: Remaining[] = [
    ...counts.filter(count => count !== UNLIMITED).map(count => ({ count, window_seconds: null, frees_at: null })),
    ...windows.map(({ window_seconds, max_requests, used, frees_at }) => ({
      count: Math.max(0, max_requests - used),
      window_seconds,
      frees_at,
    })),
  ]
  return left.reduce<Remaining | null>(
    (fewest, each) => (fewest === null || each.count < fewest.count ? each : fewest),
    null,
  )
}
