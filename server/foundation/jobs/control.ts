import { Refusal } from '../refusal.ts'
import type { Database } from '../database/open.ts'
import type { LeaseClock } from '../database/lease.ts'
import { isPeriodic, type Job, requireKept } from './job.ts'
import { type JobId, type JobRow, jobStore } from './store.ts'
import type { Json } from '../database/schema/portal.ts'

const MAX_KEY = 200

/** `key` tells apart what the same job is started for: each key runs by itself. */
type Start = { key?: string; input?: Json; started_by?: number | null }

type Dependencies = {
  database: Database
  jobs: ReadonlyMap<string, Job<unknown>>
  time: LeaseClock
  /** Tells all processes that there is something to do. */
  notify(): void
}

/** Starts jobs, stops them and lets them go on, wherever they run. */
export function jobControl({ database, jobs, time, notify }: Dependencies) {
  const store = controlStore(database)
  const { find, listAwaited } = jobStore(database)

  function requireJob(name: string): Job<unknown> {
    const job = jobs.get(name)
    if (job === undefined) throw new Error(`there is no job ${name}`)
    return job
  }

  /** At once, or after the run that goes on: that may end, and another begin, between the two statements. */
  async function startPeriodic(row: Parameters<typeof store.start>[0]): Promise<boolean> {
    for (let attempt = 0; attempt < 10; attempt++) {
      if ((await store.start(row, true)) !== undefined) return true
      if ((await store.startAfterwards(row)) !== undefined) return true
    }
    return false
  }

  /** Ends the wait for a first run or another attempt. */
  async function cancel(job: Job<unknown>, id: JobId): Promise<boolean> {
    const row = await find(id)
    if (row === undefined) return false
    const now = time.now()
    const times = { start_time: now, end_time: now, done: null, total: null }
    const values = {
      end_time: now,
      last_run: row.last_run ?? { ...times, started_by: row.started_by, outcome: 'stopped' as const },
      progress: job.goOn === undefined ? null : row.progress,
    }
    return (await store.cancel(id, values)) !== undefined
  }

  return {
    /**
     * Runs it as soon as a process is free. A periodic job that runs is run again afterwards, since what it is started
     * for may have come too late for this run; false where another job runs or waits already.
     */
    async start(job_name: string, { key = '', input = null, started_by = null }: Start = {}): Promise<boolean> {
      const job = requireJob(job_name)
      if (key.length > MAX_KEY || (isPeriodic(job) && key !== ''))
        throw new RangeError(`not a key of the job ${job_name}`)
      requireKept(input, 'input')
      job.input?.(input)
      const row = { job_name, job_key: key, job_input: input, started_by, next_run: time.now() }
      const isStarted = isPeriodic(job) ? await startPeriodic(row) : (await store.start(row, false)) !== undefined
      if (isStarted) notify()
      return isStarted
    },

    /**
     * Ends the run, wherever it is, or the wait for it. False when there is neither. A periodic job runs again when it
     * is time.
     */
    async stop(job_name: string, key = ''): Promise<boolean> {
      const job = requireJob(job_name)
      const id = { job_name, job_key: key }
      const isRunning = (await store.requestStop(id)) !== undefined
      if (isRunning) notify()
      return isRunning || (!isPeriodic(job) && (await cancel(job, id)))
    },

    /**
     * Lets one go on that was stopped or given up, from what it had saved. Who asks for it makes what is left of the
     * change. One at a time of each name: what another one does meanwhile may be the opposite.
     */
    async goOn(job_name: string, job_key: string, by: number): Promise<void> {
      const job = requireJob(job_name)
      const row = await find({ job_name, job_key })
      if (row === undefined || job.goOn === undefined || !isKept(row)) throw new Refusal('jobNotKept')
      if ((await listAwaited()).some(each => each.job_name === job_name)) throw new Refusal('sameJobRuns')
      if (row.last_run?.outcome === 'finished') throw new Refusal('nothingLeftToDo')
      const { input, progress } = await job.goOn(
        { input: job.input?.(row.job_input) ?? null, progress: row.progress },
        by,
      )
      const values = { job_input: input, progress, started_by: by, next_run: time.now() }
      if ((await store.goOn(row, values)) === undefined) throw new Refusal('sameJobRuns')
      notify()
    },
  }
}

export const mayGoOn = ({ goOn }: Job<unknown>, row: JobRow): boolean =>
  goOn !== undefined && row.next_run === null && row.last_run?.outcome !== 'finished' && isKept(row)

/**
 * Whether it is known how far it came: what earlier versions of this program have stopped would begin anew, and do
 * things twice.
 */
const isKept = ({ progress, last_run }: JobRow): boolean =>
  progress !== null || last_run?.outcome === 'finished' || (last_run?.done ?? null) === null

type Started = JobId & { job_input: unknown; started_by: number | null; next_run: number }

/** What starts and stops jobs. Queries and nothing else. */
function controlStore(database: Database) {
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
