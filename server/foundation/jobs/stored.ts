import type { JobRun } from '#contract/jobs.ts'
import type { RefusalKey, RefusalValues } from '#contract/refusals.ts'

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

/** A failure as superusers read it. */
export const jobFailureView = (error: JobError): NonNullable<JobRun['failure']> =>
  'refusal' in error
    ? { message: `errors.${error.refusal}`, values: error.values, text: null }
    : { message: null, values: {}, text: error.message }
