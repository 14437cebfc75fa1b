import { storableText } from '#contract/storableText.ts'
import { beginningOf } from '#contract/cutText.ts'
import type { JobRun } from '#contract/jobs.ts'
import type { Transaction } from '../database/open.ts'
import type { JobError, Json, Progress } from '../database/schema/portal.ts'
import { masked } from '../logging.ts'
import { Refusal } from '../refusal.ts'

export type Run<Input> = {
  input: Input
  /** What was saved last, by this process or by the one that ran the job before; null at a beginning. */
  progress: Progress | null
  /**
   * Aborted when the run is to end: stopped, too long, the lease lost or the program closing. A run that returns has
   * done its work all the same; one that has not throws.
   */
  signal: AbortSignal
  /** Stores how far it has come. Throws when the job is not this run's any more. */
  save(progress: Progress): Promise<void>
  /**
   * Stores what the work does in one transaction with how far it has come: all of it or none, and nothing when the job
   * is not this run's any more.
   */
  saveWith(work: (trx: Transaction) => Promise<Progress>): Promise<void>
}

/**
 * Work that is done again and again, or takes long. It may be repeated from what it saved last: after a crash, and for
 * a moment beside another process when this one was away for longer than its lease.
 */
export type Job<Input = null> = {
  name: string
  /** Milliseconds from the end of a run to the next one. A job without a period runs when it is started. */
  every?: number
  /** Of one with a period: when it runs next, where that is a time of the day. */
  at?(now: number): number
  /** Milliseconds that one run may take; an hour with a period, else a day. */
  longest?: number
  /**
   * Parses what the job is started with, also after it was stored, readable: it holds no secrets. Throws when it is
   * wrong.
   */
  input?(value: unknown): Input
  run(run: Run<Input>): Promise<Json | void>
  /**
   * Makes a run that was stopped or given up one that may go on. `by`: who has it go on. Gives what it goes on with, of
   * what it was started with and saved last; refuses where nothing is left to do.
   */
  goOn?(left: UnfinishedRun<Input>, by: number): Promise<UnfinishedRun<Input>>
}

/** What a run that has not done its work was started with, and what it saved last. */
export type UnfinishedRun<Input> = Pick<Run<Input>, 'input' | 'progress'>

/** How a run ended, as it is stored. */
export type Outcome =
  | { outcome: 'finished'; result: Json }
  | { outcome: 'failed'; error: JobError; isFinal: boolean }
  | { outcome: 'stopped'; result?: Json }

/**
 * Thrown by a run that was told to end before its work is done. `result` is stored when somebody has stopped the run.
 */
export class EndedEarly extends Error {
  readonly result: Json

  constructor(result: Json) {
    super('ended early')
    this.result = result
  }
}

/** Milliseconds. A failed run is repeated after a pause, which doubles with each failure in a row up to this. */
const MAX_PAUSE = 3_600_000
/** Milliseconds by which clocks may differ, or be corrected, and nothing follows from it. */
const CLOCK_ERROR = 60_000
/**
 * A job without a period is given up after so many failures in a row. Whatever is saved in between begins a new row.
 */
export const MAX_FAILURES = 5
const MAX_RUN_MS = { periodic: 3_600_000, once: 86_400_000 }
/** Characters of JSON. What is longer belongs into a table or a file of its own. */
const MAX_KEPT = 10_000
const MAX_MESSAGE = 500

export const isPeriodic = ({ every }: Pick<Job, 'every'>): boolean => every !== undefined

export const longestOf = (job: Pick<Job, 'every' | 'longest'>): number =>
  job.longest ?? (isPeriodic(job) ? MAX_RUN_MS.periodic : MAX_RUN_MS.once)

/** `pause_ms`: until a job that failed once is repeated. */
export type Pace = { every: number | undefined; pause_ms: number }

/** A periodic job that fails is repeated no later than it would run anyway. */
export function pauseAfter(failures: number, { every = Infinity, pause_ms }: Pace): number {
  return Math.min(pause_ms * 2 ** (failures - 1), MAX_PAUSE, every)
}

/** Milliseconds until the job runs again, after a run that ended so; null = when somebody starts it. */
export function pauseUntilNext(outcome: Outcome, failures: number, pace: Pace): number | null {
  if (outcome.outcome !== 'failed') return pace.every ?? null
  const isGivenUp = pace.every === undefined && (outcome.isFinal || failures >= MAX_FAILURES)
  return isGivenUp ? null : pauseAfter(failures, pace)
}

type Times = { next_run: number | null; lease_until: number | null }

/**
 * Whether the job waits for a process. A time further ahead than any that is given means that the clock was set back,
 * or the period became shorter.
 */
export function isDue({ next_run, lease_until }: Times, every: number | undefined, now: number): boolean {
  if (next_run === null || (lease_until !== null && lease_until > now)) return false
  return next_run <= now || next_run > now + (every ?? MAX_PAUSE) + CLOCK_ERROR
}

/** Throws where the value is longer than what is kept. */
export function requireKept(value: Json, what: string): void {
  if (JSON.stringify(value).length > MAX_KEPT)
    throw new RangeError(`the ${what} of a job has at most ${MAX_KEPT} characters`)
}

export function jobErrorOf(error: unknown): JobError {
  if (error instanceof Refusal) return { refusal: error.key, values: error.values }
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return { message: beginningOf(storableText(masked(text)), MAX_MESSAGE) }
}

/** A failure as superusers read it. */
export const jobFailureView = (error: JobError): NonNullable<JobRun['failure']> =>
  'refusal' in error
    ? { message: `errors.${error.refusal}`, values: error.values, text: null }
    : { message: null, values: {}, text: error.message }
