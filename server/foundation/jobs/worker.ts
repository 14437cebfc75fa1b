import { setTimeout as pause } from 'node:timers/promises'
import type { OpenDatabase, Transaction } from '../database/open.ts'
import { type LeaseClock, newHolder } from '../lease.ts'
import type { Log } from '../logging.ts'
import { Refusal } from '../refusal.ts'
import {
  EndedEarly,
  isDue,
  isPeriodic,
  type Job,
  jobErrorOf,
  longestOf,
  MOST_FAILURES,
  type Outcome,
  pauseAfter,
  pauseUntilNext,
  requireKept,
} from './job.ts'
import { type JobRow, type JobStore, jobStore } from './store.ts'
import type { Json, Progress } from './stored.ts'

/** Jobs without a period that one process runs at once; the others wait. Nobody's export is to slow the answers down. */
const MOST_AT_ONCE = 2

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
    return isPeriodic(job) || [...running.values()].filter(each => !each.isPeriodic).length < MOST_AT_ONCE
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

/** Why a run is told to end before its work is done. */
type Why = 'stopped' | 'too long' | 'lost' | 'closing'

type Settled = { is: 'done'; result: Json } | { is: 'failed'; error: unknown } | { is: 'going on' }

type RunningJob = {
  isPeriodic: boolean
  stop(why: Why): void
  /** Never rejects. */
  over: Promise<void>
}

type RunDependencies = Pick<OpenDatabase, 'transaction'> & {
  store: JobStore
  holder: string
  time: LeaseClock
  log: Log
  /** Milliseconds that a run has to end when it is told to; then it is left alone, and whatever it saves is refused. */
  grace_ms: number
  pause_ms: number
}

/** Runs a job whose row this process has claimed. */
function beginRun(
  { store, transaction, holder, time, log, grace_ms, pause_ms }: RunDependencies,
  job: Job<unknown>,
  row: JobRow,
): RunningJob {
  const start_time = time.now()
  const stopping = new AbortController()
  const { promise: graceOver, resolve: endGrace } = Promise.withResolvers<Settled>()
  const names = { job: row.job_name, ...(row.job_key !== '' && { key: row.job_key }) }
  let why: Why | null = null
  let grace: NodeJS.Timeout | undefined
  let isOver = false
  let { progress } = row
  let { failures } = row

  function stop(reason: Why): void {
    if (why !== null) return
    why = reason
    grace = setTimeout(endGrace, grace_ms, { is: 'going on' })
    stopping.abort()
  }

  async function attempt(): Promise<Settled> {
    try {
      stopping.signal.throwIfAborted()
      if (!isPeriodic(job) && row.failures > MOST_FAILURES)
        throw new Error('each process that ran it has ended meanwhile')
      const input = job.input === undefined ? null : job.input(row.job_input)
      const result = (await job.run({ input, progress, signal: stopping.signal, save, saveWith })) ?? null
      requireKept(result, 'result')
      return { is: 'done', result }
    } catch (error) {
      return { is: 'failed', error }
    }
  }

  async function save(latest: Progress, within: JobStore = store): Promise<void> {
    requireKept(latest.cursor ?? null, 'cursor')
    if (isOver || (await within.save(row, holder, latest)) === undefined) {
      stop('lost')
      throw new Error(`the job ${row.job_name} is not run here any more`)
    }
    if (within === store) remember(latest)
  }

  async function saveWith(work: (trx: Transaction) => Promise<Progress>): Promise<void> {
    const latest = await transaction(
      async trx => {
        const reached = await work(trx)
        await save(reached, jobStore(trx))
        return reached
      },
      { lowPriority: true },
    )
    remember(latest)
  }

  function remember(latest: Progress): void {
    progress = latest
    failures = 1
  }

  async function end(outcome: Outcome): Promise<void> {
    // The clock may have been corrected meanwhile.
    const now = Math.max(time.now(), start_time)
    const pause = pauseUntilNext(outcome, failures, { every: job.every, pause_ms })
    const next_run = pause === null ? null : now + pause
    const isRepeated = outcome.outcome === 'failed' && next_run !== null
    const { started_by } = row
    const { done = null, total = null } = progress ?? {}
    await store.end(row, holder, {
      next_run,
      started_by: isRepeated ? started_by : null,
      failures: outcome.outcome === 'failed' ? failures : 0,
      progress: isRepeated ? progress : null,
      end_time: now,
      last_run: { started_by, start_time, end_time: now, done, total, ...lastRunOf(outcome) },
    })
    const seconds = Math.round((now - start_time) / 1_000)
    if (outcome.outcome !== 'failed')
      log[isPeriodic(job) ? 'debug' : 'info']({ ...names, seconds }, `a job ${outcome.outcome}`)
  }

  async function conclude(settled: Settled): Promise<void> {
    if (settled.is === 'going on') log.error(names, 'a job goes on although it was told to end; it is left alone')
    const outcome = outcomeOf(settled, why, job)
    if (outcome === 'left') return
    if (outcome === 'given back') {
      await store.giveBack(row, holder, time.now(), failures - 1)
      return
    }
    if (outcome.outcome === 'failed') {
      const error = settled.is === 'failed' && why === null ? settled.error : undefined
      const reason =
        error instanceof Refusal
          ? { refusal: error.key, ...error.values, err: error.cause }
          : { err: error, ...outcome.error }
      log[error instanceof Refusal ? 'warn' : 'error']({ ...names, failures, ...reason }, 'a job failed')
    }
    await end(outcome)
  }

  async function run(): Promise<void> {
    const deadline = setTimeout(() => stop('too long'), longestOf(job)).unref()
    if (row.stop_requested) stop('stopped')
    const settled = await Promise.race([attempt(), graceOver])
    isOver = true
    clearTimeout(deadline)
    clearTimeout(grace)
    // Its lease ends by itself, and the job is repeated from what it saved last.
    await conclude(settled).catch((err: unknown) =>
      log.error({ ...names, err }, 'the end of a job could not be stored'),
    )
  }

  return { isPeriodic: isPeriodic(job), stop, over: run() }
}

/** What is done counts as done, however late. */
function outcomeOf(settled: Settled, why: Why | null, job: Job<unknown>): Outcome | 'given back' | 'left' {
  if (settled.is === 'done') return { outcome: 'finished', result: settled.result }
  switch (why) {
    case 'stopped':
      return settled.is === 'failed' && settled.error instanceof EndedEarly
        ? { outcome: 'stopped', result: settled.error.result }
        : { outcome: 'stopped' }
    case 'too long':
      return {
        outcome: 'failed',
        error: { message: `took longer than ${longestOf(job) / 1_000} seconds` },
        isFinal: false,
      }
    case 'lost':
      return 'left'
    case 'closing':
      return settled.is === 'going on' ? 'left' : 'given back'
    case null: {
      const error = settled.is === 'failed' ? settled.error : undefined
      return { outcome: 'failed', error: jobErrorOf(error), isFinal: error instanceof Refusal }
    }
  }
}

function lastRunOf(outcome: Outcome) {
  if (outcome.outcome !== 'failed') return outcome
  const { error } = outcome
  return { outcome: 'failed' as const, error }
}
