import type { Database } from '../database/open.ts'
import type { JobId, JobRow } from './store.ts'

type Started = JobId & { job_input: unknown; started_by: number | null; next_run: number }

/** What starts and stops jobs. Queries and nothing else. */
export function controlStore(database: Database) {
  const one = ({ job_name, job_key }: JobId) =>
    database.updateTable('jobs').where('job_name', '=', job_name).where('job_key', '=', job_key)

  return {
    /** Undefined when it runs already or, without a period, waits for its first attempt. */
    start: ({ job_name, job_key, ...values }: Started, isPeriodic: boolean) =>
      database
        .insertInto('jobs')
        .values({ job_name, job_key, ...values })
        .onConflict(conflict =>
          conflict
            .columns(['job_name', 'job_key'])
            .doUpdateSet({ ...values, failures: 0, progress: null, stop_requested: false })
            .where('jobs.holder', 'is', null)
            .where(({ eb, or }) =>
              isPeriodic ? eb.lit(true) : or([eb('jobs.next_run', 'is', null), eb('jobs.failures', '>', 0)]),
            ),
        )
        .returning('job_name')
        .executeTakeFirst(),

    /** One that was stopped or given up, as the row was read: of several that ask for it, one gets it. */
    goOn: ({ end_time, ...id }: JobRow, values: Omit<Started, keyof JobId> & Pick<JobRow, 'progress'>) =>
      one(id)
        .set({ ...values, failures: 0, stop_requested: false })
        .where('holder', 'is', null)
        .where('next_run', 'is', null)
        .where('end_time', end_time === null ? 'is' : '=', end_time)
        .returning('job_name')
        .executeTakeFirst(),

    /** After the run that goes on. */
    startAfterwards: ({ started_by, next_run, ...id }: Started) =>
      one(id).set({ started_by, next_run }).where('holder', 'is not', null).returning('job_name').executeTakeFirst(),

    requestStop: (id: JobId) =>
      one(id).set({ stop_requested: true }).where('holder', 'is not', null).returning('job_name').executeTakeFirst(),

    /** One that waits to run, and is not to. */
    cancel: (id: JobId, values: Pick<JobRow, 'end_time' | 'last_run' | 'progress'>) =>
      one(id)
        .set({ ...values, next_run: null, failures: 0 })
        .where('holder', 'is', null)
        .where('next_run', 'is not', null)
        .returning('job_name')
        .executeTakeFirst(),
  }
}
