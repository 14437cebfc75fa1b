import { setTimeout as pause } from 'node:timers/promises'
import type { OpenDatabase } from '../database/open.ts'
import { type LeaseClock, newHolder } from '../database/lease.ts'
import type { Log } from '../logging.ts'
import { isDue, isPeriodic, type Job, pauseAfter } from './job.ts'
import { beginRun, type RunningJob } from './run.ts'
import type { JobRow, JobStore } from './store.ts'

/**
 * Jobs without a period that one process runs at once; the others wait. Nobody's export is to slow the answers down.
 */
const MAX_AT_ONCE = 2

type Dependencies = Pick<OpenDatabase, 'transaction'> & {
  jobs: ReadonlyMap<string, Job<unknown>>
  store: JobStore
  time: LeaseClock
  log: Log
  /** Milliseconds from one look at the jobs to the next; a good deal less than the lease, which each look renews. */
  tick_ms: number
  lease_ms: number
  grace_ms: number
  pause_ms: number
}

/** Runs in this process what is due and no other process has, and holds the leases of what runs here. */
export function openWorker({
  jobs,
  store,
  transaction,
  time,
  log,
  tick_ms,
  lease_ms,
  grace_ms,
  pause_ms,
}: Dependencies) {
  const holder = newHolder()
  const running = new Map<string, RunningJob & { row: JobRow }>()
  const closing = new AbortController()
  let isBegun = false
  let isWanted = false
  let ticking: Promise<void> | null = null
  let timer: NodeJS.Timeout | undefined

  async function tick(): Promise<void> {
    await time.set()
    for (const { row, stop } of running.values()) {
      const renewed = await store.renew(row, holder, time.now() + lease_ms)
      // This process was away for longer than a lease.
      if (renewed === undefined) stop('lost')
      else if (renewed.stop_requested) stop('stopped')
    }
    for (const row of await store.listAwaited()) {
      const job = jobs.get(row.job_name)
      if (job !== undefined && mayRun(job, row)) await claim(job, row)
    }
  }

  function mayRun(job: Job<unknown>, row: JobRow): boolean {
    // A clock that was set forward must not begin a second time what runs here.
    if (closing.signal.aborted || running.has(keyOf(row)) || !isDue(row, job.every, time.now())) return false
    return isPeriodic(job) || [...running.values()].filter(each => !each.isPeriodic).length < MAX_AT_ONCE
  }

  /** A run counts as failed until its end is stored: what ends its process is not begun again and again. */
  async function claim(job: Job<unknown>, row: JobRow): Promise<void> {
    const now = time.now()
    const failures = row.failures + 1
    const next_run = now + pauseAfter(failures, { every: job.every, pause_ms })
    const values = { holder, lease_until: now + lease_ms, start_time: now, failures, next_run }
    if ((await store.claim(row, values)) === undefined) return
    const run = beginRun({ store, transaction, holder, time, log, grace_ms, pause_ms }, job, { ...row, ...values })
    running.set(keyOf(row), { ...run, row })
    void run.over.then(() => {
      running.delete(keyOf(row))
      wake()
    })
  }

  /** There may be something to do. */
  function wake(): void {
    isWanted = true
    if (isBegun) ticking ??= tickWhileWanted().finally(() => (ticking = null))
  }

  async function tickWhileWanted(): Promise<void> {
    while (isWanted && !closing.signal.aborted) {
      isWanted = false
      await tick().catch((err: unknown) => log.error({ err }, 'the jobs could not be looked through'))
    }
  }

  async function endAll(): Promise<void> {
    // What a last look has claimed is ended as well.
    await ticking
    for (const { stop } of running.values()) stop('closing')
    await Promise.all([...running.values()].map(({ over }) => over))
  }

  return {
    wake,

    begin(): void {
      isBegun = true
      timer = setInterval(wake, tick_ms).unref()
      wake()
    },

    /** Waits for what runs here to end, and for the database to store it, but not for ever. */
    async close(): Promise<void> {
      closing.abort()
      clearInterval(timer)
      const timeIsUp = new AbortController()
      const bound = pause(3 * grace_ms, undefined, { signal: timeIsUp.signal }).catch(() => undefined)
      await Promise.race([endAll(), bound])
      timeIsUp.abort()
    },
  }
}

const keyOf = ({ job_name, job_key }: JobRow): string => `${job_name}\n${job_key}`
