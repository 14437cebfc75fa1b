import type { Database } from '../database/open.ts'
import type { JobRow } from './store.ts'

/**
 * The fields that hold people’s numbers in what is kept of a job, by its name. The same number elsewhere is a count, or
 * another thing’s.
 */
type PersonFields = Readonly<Record<string, readonly string[]>>

/**
 * Removes a person from the stored jobs. Ended runs that name them are deleted with their results; in the row of a job
 * without keys, only the one who started it is forgotten.
 */
export async function forgetInJobs(database: Database, user_id: number, fields: PersonFields): Promise<void> {
  for (const row of await database.selectFrom('jobs').selectAll().execute()) {
    if (row.job_key === '') await forgetStarter(database, row, user_id)
    else if (row.holder === null && namesPerson(row, user_id, [...STARTER, ...(fields[row.job_name] ?? [])]))
      await database
        .deleteFrom('jobs')
        .where('job_name', '=', row.job_name)
        .where('job_key', '=', row.job_key)
        .where('next_run', 'is', null)
        .execute()
  }
}

/** Of every job. */
const STARTER = ['started_by']

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

/** In one of these fields, or in a list there. Filters have numbers as text. */
function namesPerson(value: unknown, user_id: number, fields: readonly string[], field = ''): boolean {
  if (typeof value !== 'object' || value === null) return fields.includes(field) && String(value) === String(user_id)
  return Object.entries(value).some(([name, part]) =>
    namesPerson(part, user_id, fields, Array.isArray(value) ? field : name),
  )
}
