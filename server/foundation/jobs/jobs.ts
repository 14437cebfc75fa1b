import { setTimeout as pause } from 'node:timers/promises'
import type { Bus } from '../database/bus.ts'
import type { Clock } from '../clock.ts'
import type { OpenDatabase } from '../database/open.ts'
import { leaseClock } from '../database/lease.ts'
import type { Log } from '../logging.ts'
import { isPeriodic, type Job } from './job.ts'
import { jobControl, mayGoOn } from './control.ts'
import { type JobRow, jobStore } from './store.ts'
import type { Json, LastRun } from '../database/schema/portal.ts'
import { openWorker } from './worker.ts'

const TOPIC = 'jobs'
/** Milliseconds. */
const TIMES = { tick_ms: 10_000, lease_ms: 30_000, grace_ms: 5_000, pause_ms: 30_000 }
/** Milliseconds that the rows of ended jobs without a period are kept. */
const RETENTION_MS = 30 * 86_400_000
/** Milliseconds between two looks at a job whose end is waited for. */
const POLL_INTERVAL_MS = 50
/** Rows of a list, each of which may have a long result. */
const MAX_LISTED = 200

export type JobState = {
  name: string
  key: string
  every: number | null
  /** idle = until somebody starts it. */
  state: 'idle' | 'waiting' | 'running' | 'stopping'
  started_by: number | null
  start_time: number | null
  next_run: number | null
  done: number | null
  total: number | null
  failures: number
  /** Where a run has come to, as far as its job says. */
  cursor: Json
  last_run: LastRun | null
  /** Whether it was stopped or given up before its work was done, and may go on from there. */
  may_go_on: boolean
}

export type Jobs = ReturnType<typeof openJobs>

type Dependencies = { open: OpenDatabase; bus: Bus; clock: Clock; log: Log } & Partial<typeof TIMES>

/**
 * Work that is done again and again, or takes long: at most once at a time over all processes, by leases in the
 * database, so that another process or the next start goes on where one has ended. Messages of the bus start and stop
 * jobs at once; a look now and then finds what the bus has lost.
 */
export function openJobs({ open, bus, clock, log, ...times }: Dependencies) {
  const store = jobStore(open.database)
  const time = leaseClock(open, clock)
  const jobs = new Map<string, Job<unknown>>()
  const worker = openWorker({ jobs, store, transaction: open.transaction, time, log, ...TIMES, ...times })
  const unsubscribe = bus.subscribe(TOPIC, worker.wake)
  let isBegun = false
  let closed: Promise<void> | null = null

  /** Before `begin`. */
  function define<Input>(job: Job<Input>): void {
    if (isBegun || jobs.has(job.name)) throw new Error(`the job ${job.name} is defined twice, or too late`)
    jobs.set(job.name, job)
  }

  /** One of those with keys; null when there is none, or it has ended long ago. */
  async function find(job_name: string, job_key: string): Promise<JobState | null> {
    const job = jobs.get(job_name)
    if (job === undefined) return null
    const row = await store.find({ job_name, job_key })
    return row === undefined ? null : stateOf(job, row, time.now())
  }

  define({
    name: 'old jobs',
    every: 86_400_000,
    run: async () => {
      await store.removeEnded(time.now() - RETENTION_MS)
    },
  })

  return {
    define,
    ...jobControl({ database: open.database, jobs, time, notify: () => bus.publish(TOPIC) }),

    /** From now on jobs run here. */
    async begin(): Promise<void> {
      isBegun = true
      await time.set()
      if (open.engine === 'sqlite') await store.endAllLeases()
      const now = time.now()
      await store.addPeriodic(
        [...jobs.values()]
          .filter(isPeriodic)
          .map(({ name, at }) => ({ job_name: name, job_key: '', next_run: at?.(now) ?? now })),
      )
      worker.begin()
    },

    /** All jobs, those that were never started too, by name. Of those with keys that have ended, the latest. */
    async list(): Promise<JobState[]> {
      const rows = await store.listLatest(MAX_LISTED)
      const states = [...jobs.values()].flatMap(job => {
        const own = rows.filter(({ job_name }) => job_name === job.name)
        return own.length === 0 ? [stateOf(job)] : own.map(row => stateOf(job, row, time.now()))
      })
      return states.toSorted((one, other) => (one.name < other.name ? -1 : Number(one.name > other.name)))
    },

    find,

    waitForEnd: waitingForEnd(find, clock),

    /** Whether it is one that runs again and again; null when there is no such job. */
    isPeriodic: (job_name: string): boolean | null => {
      const job = jobs.get(job_name)
      return job === undefined ? null : isPeriodic(job)
    },

    /**
     * Gives the leases back, so that another process goes on at once. A run that does not end in time is left alone.
     */
    close(): Promise<void> {
      unsubscribe()
      return (closed ??= worker.close().then(() => bus.publish(TOPIC)))
    },
  }
}

type Find = (job_name: string, job_key: string) => Promise<JobState | null>

/** Waits until a job has ended; gives its state then, or null when the time is over first. */
function waitingForEnd(find: Find, clock: Clock) {
  return async (job_name: string, job_key: string, longest_ms: number): Promise<JobState | null> => {
    const latest = clock.monotonic() + longest_ms
    while (clock.monotonic() < latest) {
      const state = await find(job_name, job_key)
      if (state?.state === 'idle') return state
      await pause(POLL_INTERVAL_MS)
    }
    return null
  }
}

function stateOf(job: Job<unknown>, row?: JobRow, now = 0): JobState {
  return {
    name: job.name,
    key: row?.job_key ?? '',
    every: job.every ?? null,
    state: row === undefined ? 'idle' : stateIn(row, now),
    started_by: row?.started_by ?? null,
    start_time: row?.start_time ?? null,
    next_run: row?.next_run ?? null,
    done: row?.progress?.done ?? null,
    total: row?.progress?.total ?? null,
    // A run that goes on is counted as failed for as long as its end is not stored.
    failures: (row?.failures ?? 0) - (row?.holder ? 1 : 0),
    cursor: row?.progress?.cursor ?? null,
    last_run: row?.last_run ?? null,
    may_go_on: row !== undefined && mayGoOn(job, row),
  }
}

function stateIn({ next_run, lease_until, stop_requested }: JobRow, now: number): JobState['state'] {
  if (lease_until !== null && lease_until > now) return stop_requested ? 'stopping' : 'running'
  return next_run === null ? 'idle' : 'waiting'
}
