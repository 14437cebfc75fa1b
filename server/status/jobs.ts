import type { JobRead, JobRun } from '#contract/jobs.ts'
import { namesOf } from '#server/users/store.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { LastRun } from '#server/foundation/database/schema/portal.ts'
import { jobFailureView } from '#server/foundation/jobs/job.ts'
import type { JobState, Jobs } from '#server/foundation/jobs/jobs.ts'
import { Refusal } from '#server/foundation/refusal.ts'

type Dependencies = { open: OpenDatabase; jobs: Jobs }

/** What the portal does again and again, and what takes long, as superusers see and steer it. */
export function openJobAdministration({ open, jobs }: Dependencies) {
  async function shown(states: readonly JobState[], withResults: boolean): Promise<JobRead[]> {
    const nameOf = await namesOf(
      open.database,
      states.flatMap(({ started_by, last_run }) => [started_by, last_run?.started_by ?? null]),
    )
    return states.map(({ every, started_by, start_time, next_run, cursor: _cursor, last_run, ...state }) => ({
      ...state,
      every: every === null ? null : every / 1_000,
      started_by: nameOf(started_by),
      start_time: timeOf(start_time),
      next_run: timeOf(next_run),
      last_run: last_run === null ? null : runOf(last_run, nameOf(last_run.started_by), withResults),
    }))
  }

  async function read(name: string, key: string): Promise<JobRead> {
    const state = await jobs.find(name, key)
    const [found] = state === null ? [] : await shown([state], true)
    if (found === undefined) throw new Refusal('jobNotFound')
    return found
  }

  return {
    list: async (): Promise<JobRead[]> => shown(await jobs.list(), false),

    read,

    async goOn(name: string, key: string, by: number): Promise<JobRead> {
      if (jobs.isPeriodic(name) === null) throw new Refusal('jobNotFound')
      await jobs.goOn(name, key, by)
      return read(name, key)
    },

    start(name: string, started_by: number): Promise<boolean> {
      if (jobs.isPeriodic(name) !== true) throw new Refusal('jobNotFound')
      return jobs.start(name, { started_by })
    },

    stop(name: string, key: string): Promise<boolean> {
      if (jobs.isPeriodic(name) === null) throw new Refusal('jobNotFound')
      return jobs.stop(name, key)
    },
  }
}
export type JobAdministration = ReturnType<typeof openJobAdministration>

const timeOf = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString())

function runOf(run: LastRun, started_by: JobRun['started_by'], withResult: boolean): JobRun {
  const { outcome, start_time, end_time, done, total } = run
  return {
    outcome,
    started_by,
    start_time: new Date(start_time).toISOString(),
    end_time: new Date(end_time).toISOString(),
    done,
    total,
    failure: run.outcome === 'failed' ? jobFailureView(run.error) : null,
    result: withResult && run.outcome !== 'failed' ? (run.result ?? null) : null,
  }
}
