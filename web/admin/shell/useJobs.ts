import { useQuery } from '@tanstack/react-query'
import { SYNC_JOB } from '#contract/conversationSync.ts'
import { type JobRead, listJobs, type JobRun } from '#contract/jobs.ts'
import { call } from '#web/foundation/call.ts'
import { translateMessage } from '#web/i18n/useTranslate.ts'

/** Seconds between two fetches, while a job runs and while none does. */
const BUSY_SECONDS = 2
const CALM_SECONDS = 30

export const jobsKey = ['admin', listJobs.path] as const

/** All jobs of the portal. Invalidate `jobsKey` after starting one. */
export function useJobs(): readonly JobRead[] | undefined {
  const { data } = useQuery({
    queryKey: jobsKey,
    queryFn: ({ signal }) => call(listJobs, {}, { signal }),
    refetchInterval: ({ state }) => (state.data?.some(isShown) === true ? BUSY_SECONDS : CALM_SECONDS) * 1000,
    meta: { quiet: true },
  })
  return data
}

/** The page where a job is started and its result is shown. Those that run by themselves are on none. */
const PAGES: Readonly<Record<string, string>> = {
  conversations: 'conversation',
  [SYNC_JOB]: 'conversation',
  users: 'user',
}

/** By page: the progress of its running job, from 0 to 1, or null when not known. */
export function useJobShares(): ReadonlyMap<string, number | null> {
  const shares = new Map<string, number | null>()
  for (const job of useJobs()?.filter(isShown) ?? []) {
    const share = job.done === null || !job.total ? null : Math.min(1, job.done / job.total)
    shares.set(PAGES[job.name] ?? '', share)
  }
  return shares
}

function isShown({ name, state }: JobRead): boolean {
  return name in PAGES && (state === 'running' || state === 'stopping')
}

/** Why a run failed, in words; null when it did not, or only the log says why. */
export function refusalOfRun(run: JobRun | null): string | null {
  const message = run?.failure?.message ?? null
  return message === null ? null : translateMessage(message, run?.failure?.values)
}

/** How many it had not come to. */
export const leftOfRun = (run: JobRun | null): number => Math.max(0, (run?.total ?? 0) - (run?.done ?? 0))
