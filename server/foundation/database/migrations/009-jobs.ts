import { tableDefinition } from '../schema/definition.ts'
import { json, table } from '../schema/tables.ts'
import type { Migration } from './migration.ts'

/** As it was made then: what the table becomes later is another migration's. */
const jobs = table({
  columns: {
    job_name: { kind: 'text' },
    job_key: { kind: 'text' },
    job_input: json<unknown>({ nullable: true }),
    started_by: { kind: 'int', nullable: true },
    next_run: { kind: 'ms', nullable: true },
    holder: { kind: 'text', nullable: true },
    lease_until: { kind: 'ms', nullable: true },
    stop_requested: { kind: 'bool', default: false },
    failures: { kind: 'int', default: 0 },
    start_time: { kind: 'ms', nullable: true },
    progress: json<unknown>({ nullable: true }),
    end_time: { kind: 'ms', nullable: true },
    last_run: json<unknown>({ nullable: true }),
  },
  primaryKey: ['job_name', 'job_key'],
})

/** What is done again and again, or takes long, is remembered across processes. */
export const jobsMigration: Migration = {
  version: 9,
  name: '009-jobs',
  statements: engine => tableDefinition(engine, 'jobs', jobs),
}
