import type { RefusalKey, RefusalValues } from '#contract/refusals.ts'
import { json, table } from './definition.ts'

/** What is kept as JSON. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

/** How far a run has come. `cursor` is where the next process goes on when this one ends. */
export type Progress = { done: number; total?: number | null; cursor?: Json }

/** A refusal is shown in the reader's language; anything else is a line for the administrator. */
export type JobError = { refusal: RefusalKey; values: RefusalValues } | { message: string }

type Ended = {
  started_by: number | null
  start_time: number
  end_time: number
  done: number | null
  total: number | null
}

export type LastRun = Ended &
  (
    | { outcome: 'finished'; result: Json }
    | { outcome: 'failed'; error: JobError }
    | { outcome: 'stopped'; result?: Json }
  )

export const settingTables = {
  stored_settings: table({
    columns: {
      setting_path: { kind: 'text' },
      setting_value: json<unknown>(),
      update_time: { kind: 'ms' },
      updated_by: { kind: 'int', nullable: true },
    },
    primaryKey: ['setting_path'],
  }),
}

export const jobTables = {
  /** One row for each job; one for each key where a job is started for several things (an import for each account). */
  jobs: table({
    columns: {
      job_name: { kind: 'text' },
      job_key: { kind: 'text' }, // blank for a job that has no keys
      job_input: json<unknown>({ nullable: true }),
      started_by: { kind: 'int', nullable: true }, // of the run that waits or runs; null = the program itself
      next_run: { kind: 'ms', nullable: true }, // null = not before somebody starts it
      holder: { kind: 'text', nullable: true },
      lease_until: { kind: 'ms', nullable: true },
      stop_requested: { kind: 'bool', default: false },
      failures: { kind: 'int', default: 0 }, // in a row
      start_time: { kind: 'ms', nullable: true }, // of the run that holds the lease
      progress: json<Progress>({ nullable: true }),
      end_time: { kind: 'ms', nullable: true }, // of the last run
      last_run: json<LastRun>({ nullable: true }),
    },
    primaryKey: ['job_name', 'job_key'],
  }),
}

/**
 * Sums that are kept, so that no plot adds up single asks and requests. Times are the beginnings of spans, whole
 * multiples of them since the epoch.
 */
export const statisticsTables = {
  /**
   * By half hour and six hours, of half hours that are over, derived from the log of asks
   * (server/statistics/statisticsJobs.ts).
   */
  ask_sums: table({
    columns: {
      span_ms: { kind: 'int' },
      start_time: { kind: 'ms' },
      source: { kind: 'text' },
      model: { kind: 'text' },
      outcome: { kind: 'text' },
      asks: { kind: 'int' },
      queueing_time: { kind: 'real' }, // seconds, summed up
      longest_queueing_time: { kind: 'real' },
      ask_time: { kind: 'real' },
    },
    primaryKey: ['span_ms', 'start_time', 'source', 'model', 'outcome'],
  }),

  request_sums: table({
    columns: {
      span_ms: { kind: 'int' },
      start_time: { kind: 'ms' },
      route_path: { kind: 'text' },
      method: { kind: 'text' },
      requests: { kind: 'int' },
      elapsed_ms: { kind: 'real' }, // summed up
    },
    primaryKey: ['span_ms', 'start_time', 'route_path', 'method'],
  }),

  /** Who made them; 0 where nobody was signed in. */
  request_people: table({
    columns: {
      span_ms: { kind: 'int' },
      start_time: { kind: 'ms' },
      route_path: { kind: 'text' },
      method: { kind: 'text' },
      user_id: { kind: 'int' },
      requests: { kind: 'int' },
    },
    primaryKey: ['span_ms', 'start_time', 'route_path', 'method', 'user_id'],
  }),
}
