import type { JobRun } from '#contract/jobs.ts'
import { translateMessage } from '#web/i18n/useTranslate.ts'

/** Why a run failed, in words; null when it did not, or only the log says why. */
export function refusalOfRun(run: JobRun | null): string | null {
  const message = run?.failure?.message ?? null
  return message === null ? null : translateMessage(message, run?.failure?.values)
}

/** How many it had not come to. */
export const leftOfRun = (run: JobRun | null): number => Math.max(0, (run?.total ?? 0) - (run?.done ?? 0))
