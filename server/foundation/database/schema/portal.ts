import type { LastRun, Progress } from '../../jobs/stored.ts'
import { json, table } from '../tables.ts'

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
