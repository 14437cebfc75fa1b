import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { until } from '#testing/until.ts'
import { openBus } from '../database/bus.ts'
import { systemClock } from '../clock.ts'
import { openDatabase, type OpenDatabase } from '../database/open.ts'
import type { Job, Run } from './job.ts'
import { type JobState, type Jobs, openJobs } from './jobs.ts'

type Options = Partial<Parameters<typeof openJobs>[0]> & { define?(jobs: Jobs): void }

/**
 * The jobs of a process, begun and closed after the test. They are looked through often, so that nobody waits for it.
 */
export async function aProcess(open: OpenDatabase, { define = () => undefined, ...options }: Options = {}) {
  const bus = await openBus(open)
  const log = pino({ level: 'silent' })
  const jobs = openJobs({ open, bus, clock: systemClock, log, tick_ms: 25, pause_ms: 10, grace_ms: 50, ...options })
  define(jobs)
  await jobs.begin()
  onTestFinished(async () => {
    await jobs.close()
    await bus.close()
  })
  return jobs
}

/** What defines a single job. */
export const aJob = <Input = null>(job: Job<Input>) => ({ define: ({ define }: Jobs) => define(job) })

/** The database as another process would open it; the embedded one has one process. */
export async function openAgain(open: OpenDatabase): Promise<OpenDatabase> {
  if (open.url === undefined) return open
  const again = await openDatabase({ database_url: open.url })
  onTestFinished(() => again.close())
  return again
}

export async function stateOf(jobs: Jobs, name: string, key = ''): Promise<JobState> {
  const found = (await jobs.list()).find(job => job.name === name && job.key === key)
  if (found === undefined) throw new Error(`no job ${name} ${key}`)
  return found
}

/** When its last run has ended so. */
export const ended = (jobs: Jobs, name: string, outcome: string, key = '') =>
  until(async () => {
    const state = await stateOf(jobs, name, key)
    if (state.last_run?.outcome !== outcome) throw new Error(`${name} is ${JSON.stringify(state)}`)
    return state
  })

/** As it looks when the process that runs it is gone: its lease is over. */
export const loseLease = ({ database }: OpenDatabase, job_name: string) =>
  database.updateTable('jobs').set({ next_run: 0, lease_until: 0 }).where('job_name', '=', job_name).execute()

/** What a run does that takes long and ends when it is told to. */
export const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })

/** What a job that saves nothing is given when a test runs it itself. */
export const aRun = (signal = new AbortController().signal): Run<null> => ({
  input: null,
  progress: null,
  signal,
  save: async () => undefined,
  saveWith: () => Promise.reject(new Error('nothing is saved in this test')),
})
