import { runAs } from '../actor.ts'
import type { OpenDatabase, Transaction } from '../database/open.ts'
import type { LeaseClock } from '../database/lease.ts'
import type { Log } from '../logging.ts'
import { Refusal } from '../refusal.ts'
import {
  EndedEarly,
  isPeriodic,
  type Job,
  jobErrorOf,
  longestOf,
  MAX_FAILURES,
  type Outcome,
  pauseUntilNext,
  requireKept,
} from './job.ts'
import { type JobRow, type JobStore, jobStore } from './store.ts'
import type { Json, Progress } from '../database/schema/portal.ts'

/** Why a run is told to end before its work is done. */
type StopReason = 'stopped' | 'too long' | 'lost' | 'closing'

type AttemptResult = { is: 'done'; result: Json } | { is: 'failed'; error: unknown } | { is: 'going on' }

export type RunningJob = {
  isPeriodic: boolean
  stop(why: StopReason): void
  /** Never rejects. */
  over: Promise<void>
}

type RunDependencies = Pick<OpenDatabase, 'transaction'> & {
  store: JobStore
  holder: string
  time: LeaseClock
  log: Log
  /**
   * Milliseconds that a run has for ending when it is told to. After that it is left alone, and whatever it saves is
   * refused.
   */
  grace_ms: number
  pause_ms: number
}

/** Runs a job whose row this process has claimed. */
export function beginRun(
  { store, transaction, holder, time, log, grace_ms, pause_ms }: RunDependencies,
  job: Job<unknown>,
  row: JobRow,
): RunningJob {
  const start_time = time.now()
  const stopping = new AbortController()
  const { promise: graceOver, resolve: endGrace } = Promise.withResolvers<AttemptResult>()
  const names = { job: row.job_name, ...(row.job_key !== '' && { key: row.job_key }) }
  let why: StopReason | null = null
  let grace: NodeJS.Timeout | undefined
  let isOver = false
  let { progress } = row
  let { failures } = row

  function stop(reason: StopReason): void {
    if (why !== null) return
    why = reason
    grace = setTimeout(endGrace, grace_ms, { is: 'going on' })
    stopping.abort()
  }

  async function attempt(): Promise<AttemptResult> {
    try {
      stopping.signal.throwIfAborted()
      if (!isPeriodic(job) && row.failures > MAX_FAILURES)
        throw new Error('each process that ran it has ended meanwhile')
      const input = job.input === undefined ? null : job.input(row.job_input)
      const work = () => job.run({ input, progress, signal: stopping.signal, save, saveWith })
      const result = (await runAs(actorOf(row), work)) ?? null
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
    const next_run =
      pause === null ? null : outcome.outcome === 'failed' ? now + pause : (job.at?.(now + 1) ?? now + pause)
    const isRepeated = outcome.outcome === 'failed' && next_run !== null
    const { started_by } = row
    const { done = null, total = null } = progress ?? {}
    await store.end(row, holder, {
      next_run,
      started_by: isRepeated ? started_by : null,
      failures: outcome.outcome === 'failed' ? failures : 0,
      progress: isRepeated || (job.goOn !== undefined && outcome.outcome !== 'finished') ? progress : null,
      end_time: now,
      last_run: { started_by, start_time, end_time: now, done, total, ...lastRunOf(outcome) },
    })
    const seconds = Math.round((now - start_time) / 1_000)
    if (outcome.outcome !== 'failed')
      log[isPeriodic(job) ? 'debug' : 'info']({ ...names, seconds }, `a job ${outcome.outcome}`)
  }

  async function finish(settled: AttemptResult): Promise<void> {
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
    await finish(settled).catch((err: unknown) => log.error({ ...names, err }, 'the end of a job could not be stored'))
  }

  return { isPeriodic: isPeriodic(job), stop, over: run() }
}

/** Whoever started it, or the program itself. */
const actorOf = ({ job_name: name, started_by: id }: JobRow) =>
  id === null ? ({ kind: 'system', name } as const) : ({ kind: 'user', id } as const)

/** What is done counts as done, however late. */
function outcomeOf(settled: AttemptResult, why: StopReason | null, job: Job<unknown>): Outcome | 'given back' | 'left' {
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
