import * as z from 'zod/mini'
import { type Call, nothing } from './call.ts'
import { storable, Time } from './envelope.ts'

/** The jobs of a portal, by the names under which they are stored. Each has a text in every language. */
const JOB_NAMES = [
  'changes at upstreams',
  'chunks of ended asks',
  'conversations',
  'expired sessions',
  'keeping',
  'models of endpoints',
  'old audit',
  'old jobs',
  'old log files',
  'old statistics',
  'overwriting of deleted',
  'scheduled sync',
  'search index',
  'sums of asks',
  'sync of conversations',
  'unfinished deletions',
  'unfinished uploads',
  'users',
] as const
export type JobName = (typeof JOB_NAMES)[number]

export function isKnownJob(name: string): name is JobName {
  return (JOB_NAMES as readonly string[]).includes(name)
}

/** A person as the admin area names them. */
export const NamedUser = z.object({ id: z.int(), username: z.string(), nickname: z.string() })
export type NamedUser = z.infer<typeof NamedUser>

/** Why a run failed: a key of the texts with what it names, or a line that no language has. */
const JobFailure = z.object({
  /** `errors.<key>`. */
  message: z.nullable(z.string()),
  values: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  text: z.nullable(z.string()),
})

export const JobRun = z.object({
  outcome: z.enum(['finished', 'failed', 'stopped']),
  /** Null: by itself, or by somebody whose account is removed. */
  started_by: z.nullable(NamedUser),
  start_time: Time,
  end_time: Time,
  done: z.nullable(z.int()),
  total: z.nullable(z.int()),
  /** Of a run that failed. */
  failure: z.nullable(JobFailure),
  /** The result of a run that finished or was stopped; each job has a shape of its own. Null in lists. */
  result: z.unknown(),
})
export type JobRun = z.infer<typeof JobRun>

export const JobRead = z.object({
  name: z.string(),
  /** Distinguishes several starts of the same job; blank for a job without keys. */
  key: z.string(),
  /** Seconds from the end of a run to the next one; null for a job that runs only when it is started. */
  every: z.nullable(z.number()),
  /** idle = until it is started. */
  state: z.enum(['idle', 'waiting', 'running', 'stopping']),
  /** Of the run that goes on or waits. */
  started_by: z.nullable(NamedUser),
  start_time: z.nullable(Time),
  next_run: z.nullable(Time),
  done: z.nullable(z.int()),
  /** Null as long as nobody knows. */
  total: z.nullable(z.int()),
  /** Runs in a row that failed. */
  failures: z.int(),
  last_run: z.nullable(JobRun),
  /** Whether it was stopped or given up before its work was done, and can go on from there. */
  may_go_on: z.boolean(),
})
export type JobRead = z.infer<typeof JobRead>

const Name = z.string().check(z.minLength(1), z.maxLength(100), storable)
const Key = z.string().check(z.maxLength(200), storable)
const byName = z.object({ name: Name })

/** Jobs that run only when started are listed while they run, and the latest of them that have ended. */
export const listJobs = {
  ...nothing,
  access: 'superuser',
  method: 'GET',
  path: '/system/jobs',
  summary: 'What the portal does again and again, and what takes long: how far it is, and how it ended.',
  result: z.array(JobRead),
} as const satisfies Call

export const readJob = {
  ...nothing,
  access: 'superuser',
  method: 'GET',
  path: '/system/jobs/:name/:key',
  summary: 'One job with a key, with its result when it has ended.',
  params: z.object({ name: Name, key: Key }),
  result: JobRead,
} as const satisfies Call

/** Starts a recurring job; the others are started by calls of their own. False when it is waiting to run already. */
export const startJob = {
  ...nothing,
  access: 'superuser',
  method: 'POST',
  path: '/system/jobs/:name/start',
  summary: 'Runs a periodic job now.',
  params: byName,
  result: z.boolean(),
} as const satisfies Call

/** Stops a run; false when it has ended by itself. A recurring job runs again at its next time. */
export const stopJob = {
  ...nothing,
  access: 'superuser',
  method: 'POST',
  path: '/system/jobs/:name/stop',
  summary: 'Ends a job that runs or waits to run; what it has done stays done.',
  params: byName,
  query: z.object({ key: z.optional(Key) }),
  result: z.boolean(),
} as const satisfies Call

/**
 * Does what is left of a run that was stopped or given up, in the name of whoever asks. Refused while another of that
 * name runs or waits.
 */
export const goOnWithJob = {
  ...nothing,
  access: 'superuser',
  method: 'POST',
  path: '/system/jobs/:name/go-on',
  summary: 'Goes on with a change of many that was stopped or given up.',
  params: byName,
  query: z.object({ key: Key }),
  result: JobRead,
} as const satisfies Call
