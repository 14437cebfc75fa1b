import type { Database } from '../database/open.ts'
import type { JobRow } from './store.ts'

/**
 * Takes a person out of what is kept of jobs: runs that name them and have ended are removed with what came of them; of a job without keys, only
 * who started it.
 */
export async function forgetInJobs(database: Database, user_id: number): Promise<void> {
  for (const row of await database.selectFrom('jobs').selectAll().execute()) {
    if (row.job_key === '') await forgetStarter(database, row, user_id)
    else if (row.holder === null && namesPerson(row, user_id))
      await database
        .deleteFrom('jobs')
        .where('job_name', '=', row.job_name)
        .where('job_key', '=', row.job_key)
        .where('next_run', 'is', null)
        .execute()
  }
}

async function forgetStarter(database: Database, row: JobRow, user_id: number): Promise<void> {
  const { job_name, job_key, started_by, last_run } = row
  const wasTheirs = last_run?.started_by === user_id
  if (started_by !== user_id && !wasTheirs) return
  await database
    .updateTable('jobs')
    .set({
      ...(started_by === user_id && { started_by: null }),
      ...(wasTheirs && { last_run: { ...last_run, started_by: null } }),
    })
    .where('job_name', '=', job_name)
    .where('job_key', '=', job_key)
    .execute()
}

/** Whether the person's id occurs anywhere in a value. A number that is equal by chance costs a row that is kept for a month only. */
const namesPerson = (value: unknown, user_id: number): boolean =>
  value === user_id ||
  (typeof value === 'object' && value !== null && Object.values(value).some(part => namesPerson(part, user_id)))
