import type { Selectable, Updateable } from 'kysely'
import type { Database, Tables } from '../database/open.ts'
import type { Progress } from '../database/schema/portal.ts'

export type JobRow = Selectable<Tables['jobs']>
export type JobId = Pick<JobRow, 'job_name' | 'job_key'>

type End = Pick<JobRow, 'next_run' | 'started_by' | 'failures' | 'progress' | 'end_time' | 'last_run'>

const RELEASED = { holder: null, lease_until: null, start_time: null, stop_requested: false }

/** Queries and nothing else. */
export function jobStore(database: Database) {
  const one = ({ job_name, job_key }: JobId) =>
    database.updateTable('jobs').where('job_name', '=', job_name).where('job_key', '=', job_key)
  const own = (id: JobId, holder: string) => one(id).where('holder', '=', holder)

  return {
    find: ({ job_name, job_key }: JobId) =>
      database
        .selectFrom('jobs')
        .selectAll()
        .where('job_name', '=', job_name)
        .where('job_key', '=', job_key)
        .executeTakeFirst(),

    /** Those without a key, and those that run or wait; then those that have ended, the latest first. */
    listLatest: (limit: number) =>
      database
        .selectFrom('jobs')
        .selectAll()
        .orderBy(({ eb, or }) =>
          eb
            .case()
            .when(or([eb('job_key', '=', ''), eb('next_run', 'is not', null)]))
            .then(0)
            .else(1)
            .end(),
        )
        .orderBy('end_time', 'desc')
        .limit(limit)
        .execute(),

    /** Those that run, and those that will without being started, the longest awaited first. */
    listAwaited: () =>
      database.selectFrom('jobs').selectAll().where('next_run', 'is not', null).orderBy('next_run').execute(),

    /** Those that are not known yet. */
    addPeriodic: (rows: readonly (JobId & Pick<JobRow, 'next_run'>)[]) =>
      database
        .insertInto('jobs')
        .values(rows)
        .onConflict(conflict => conflict.doNothing())
        .execute(),

    /** Only as the row was read: of several processes that saw it, one gets it. */
    claim: (row: JobRow, values: Updateable<Tables['jobs']>) =>
      one(row)
        .set(values)
        .where('next_run', '=', row.next_run)
        .where('lease_until', row.lease_until === null ? 'is' : '=', row.lease_until)
        .returning('job_name')
        .executeTakeFirst(),

    /** Undefined when another process has it by now. */
    renew: (id: JobId, holder: string, lease_until: number) =>
      own(id, holder).set({ lease_until }).returning('stop_requested').executeTakeFirst(),

    save: (id: JobId, holder: string, progress: Progress) =>
      own(id, holder).set({ progress, failures: 1 }).returning('job_name').executeTakeFirst(),

    /** After a run. A start that came meanwhile has set another time than the claim, and stands. */
    end: (claimed: JobRow, holder: string, { next_run, started_by, ...values }: End) =>
      own(claimed, holder)
        .set(({ eb, ref }) => {
          const isAsClaimed = eb('next_run', '=', claimed.next_run)
          return {
            ...values,
            ...RELEASED,
            next_run: eb.case().when(isAsClaimed).then(next_run).else(ref('next_run')).end(),
            started_by: eb.case().when(isAsClaimed).then(started_by).else(ref('started_by')).end(),
          }
        })
        .execute(),

    /** In the middle of a run, when the process ends. */
    giveBack: (id: JobId, holder: string, next_run: number, failures: number) =>
      own(id, holder)
        .set({ ...RELEASED, next_run, failures })
        .execute(),

    /** Where there is one process only, whatever is held at its start was left behind by an earlier one. */
    endAllLeases: () =>
      database.updateTable('jobs').set({ lease_until: null }).where('holder', 'is not', null).execute(),

    removeEnded: (before: number) =>
      database.deleteFrom('jobs').where('next_run', 'is', null).where('end_time', '<', before).execute(),
  }
}
export type JobStore = ReturnType<typeof jobStore>

/**
 * The fields that hold people’s numbers in what is kept of a job, by its name. The same number elsewhere is a count, or
 * another thing’s.
 */
type UserFields = Readonly<Record<string, readonly string[]>>

/**
 * Removes a person from the stored jobs. Ended runs that name them are deleted with their results; in the row of a job
 * without keys, only the one who started it is forgotten.
 */
export async function forgetInJobs(database: Database, user_id: number, fields: UserFields): Promise<void> {
  for (const row of await database.selectFrom('jobs').selectAll().execute()) {
    if (row.job_key === '') await forgetStarter(database, row, user_id)
    else if (row.holder === null && namesUser(row, user_id, [...STARTER, ...(fields[row.job_name] ?? [])]))
      await database
        .deleteFrom('jobs')
        .where('job_name', '=', row.job_name)
        .where('job_key', '=', row.job_key)
        .where('next_run', 'is', null)
        .execute()
  }
}

/** What finished runs of a job with keys were started with, which may be words that people wrote, is needed no more. */
export async function forgetInputs(database: Database, job_name: string): Promise<void> {
  const rows = await database
    .selectFrom('jobs')
    .select(['job_key', 'last_run'])
    .where('job_name', '=', job_name)
    .where('next_run', 'is', null)
    .where('job_input', 'is not', null)
    .execute()
  const finished = rows.filter(({ last_run }) => last_run?.outcome === 'finished').map(({ job_key }) => job_key)
  if (finished.length === 0) return
  await database
    .updateTable('jobs')
    .set({ job_input: null })
    .where('job_name', '=', job_name)
    .where('job_key', 'in', finished)
    .where('next_run', 'is', null)
    .execute()
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
function namesUser(value: unknown, user_id: number, fields: readonly string[], field = ''): boolean {
  if (typeof value !== 'object' || value === null) return fields.includes(field) && String(value) === String(user_id)
  return Object.entries(value).some(([name, part]) =>
    namesUser(part, user_id, fields, Array.isArray(value) ? field : name),
  )
}
