import * as z from 'zod/mini'
import type { Configuration } from '#contract/configuration/configuration.ts'
import { type AccountSync, type ConversationSync, SYNC_JOB, SYNC_KEY } from '#contract/conversationSync.ts'
import { namesOf } from '#server/users/store.ts'
import { type Job, jobFailureView } from '#server/foundation/jobs/job.ts'
import type { Jobs, JobState } from '#server/foundation/jobs/jobs.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { Upstreams } from '#server/upstreams/upstreams.ts'
import { iso } from '#server/conversations/history.ts'
import { openSyncAccounts, type SyncDependencies } from './accounts.ts'
import { commonRefusal, SyncCursor, SyncResult, syncJob } from './job.ts'

const HOUR = 3_600_000
/** Looks come an hour after the last one ended: one that is half an hour early counts. */
const EARLY = HOUR / 2
/** Milliseconds that an old client waits for the end of a sync; then it goes on without being waited for. */
const MAX_WAIT = 10_000

const SCHEDULE_JOB = 'scheduled sync'
/** Rows of ended jobs are kept for some weeks, intervals may be longer. */
const Latest = z.object({ latest: z.nullable(z.number()) })

type Dependencies = Omit<SyncDependencies, 'accounts' | 'upstreams'> & {
  jobs: Jobs
  upstreams: Pick<Upstreams, 'find' | 'report' | 'inUse' | 'reach'>
  configuration(): Configuration
}

/**
 * The conversations of the shared web accounts, compared with those that are known here: by hand, at the start, and
 * regularly.
 */
export function openConversationSync(dependencies: Dependencies) {
  const { open, clock, jobs, upstreams, configuration } = dependencies
  const accounts = openSyncAccounts({ upstreams, configuration })
  const job = syncJob({ ...dependencies, accounts })

  const find = (): Promise<JobState | null> => jobs.find(SYNC_JOB, SYNC_KEY)

  /** Nothing happens where it runs already. */
  async function start(started_by: number | null): Promise<void> {
    await jobs.start(SYNC_JOB, { key: SYNC_KEY, started_by })
  }

  async function startByHand(started_by: number): Promise<void> {
    if (accounts.list().length === 0) throw new Refusal('noWebAccount')
    await start(started_by)
  }

  /** A sync that somebody started, or the start, counts as one of the schedule. */
  async function startWhenDue(): Promise<{ latest: number | null }> {
    const state = await find()
    const look = (await jobs.find(SCHEDULE_JOB, ''))?.last_run
    const before = look?.outcome === 'finished' ? (Latest.safeParse(look.result).data?.latest ?? null) : null
    const latest = state?.start_time ?? state?.last_run?.start_time ?? before
    const { sync_conversations_schedule, sync_conversations_schedule_interval_hours } = configuration().openai_web
    if (!sync_conversations_schedule) return { latest }
    const isDue = latest === null || clock.now() - latest >= sync_conversations_schedule_interval_hours * HOUR - EARLY
    if (!isDue || accounts.list().length === 0) return { latest }
    await start(null)
    return { latest: clock.now() }
  }
  const schedule: Job = { name: SCHEDULE_JOB, every: HOUR, run: startWhenDue }

  return {
    /** Each does what it does without the other. */
    jobs: [job, schedule] as const,

    /** When jobs run. */
    async begin(): Promise<void> {
      if (configuration().openai_web.sync_conversations_on_startup && accounts.list().length > 0) await start(null)
    },

    start: startByHand,

    /** As old clients expect it: with the refusal of a sync that could read no account. */
    async startAndWait(started_by: number): Promise<void> {
      await startByHand(started_by)
      const ended = await jobs.waitForEnd(SYNC_JOB, SYNC_KEY, MAX_WAIT)
      const refusal = ended === null ? null : refusalIn(ended)
      if (refusal !== null) throw refusal
    },

    async read(): Promise<ConversationSync> {
      const state = await find()
      const nameOf = await namesOf(open.database, [state?.started_by ?? null, state?.last_run?.started_by ?? null])
      const labelOf = (id: number): string | null => upstreams.find(id)?.label ?? null
      return {
        accounts: accounts.list().length,
        state: state?.state ?? 'idle',
        current: state === null || state.state === 'idle' ? null : currentOf(state, nameOf, labelOf),
        last: state === null ? null : lastOf(state, nameOf, labelOf),
      }
    },
  }
}
export type ConversationSyncService = ReturnType<typeof openConversationSync>

type NameOf = Awaited<ReturnType<typeof namesOf>>
type LabelOf = (upstream_id: number) => string | null

function refusalIn({ last_run }: JobState): Refusal | null {
  const result = last_run === null || last_run.outcome === 'failed' ? null : SyncResult.safeParse(last_run.result).data
  return result == null ? null : commonRefusal(result)
}

const sumOf = (accounts: readonly AccountSync[], count: 'added' | 'gone'): number =>
  accounts.reduce((sum, each) => sum + each[count], 0)

function currentOf(state: JobState, nameOf: NameOf, labelOf: LabelOf): NonNullable<ConversationSync['current']> {
  const { accounts = [], current = null } = SyncCursor.safeParse(state.cursor).data ?? {}
  const all = current === null ? accounts : [...accounts, current]
  return {
    started_by: nameOf(state.started_by),
    start_time: state.start_time === null ? null : iso(state.start_time),
    upstream_id: current?.upstream_id ?? null,
    label: current === null ? null : labelOf(current.upstream_id),
    done: state.done ?? 0,
    total: state.total || null,
    added: sumOf(all, 'added'),
    gone: sumOf(all, 'gone'),
  }
}

function lastOf({ last_run }: JobState, nameOf: NameOf, labelOf: LabelOf): ConversationSync['last'] {
  if (last_run === null) return null
  const result = last_run.outcome === 'failed' ? null : SyncResult.safeParse(last_run.result).data
  return {
    outcome: last_run.outcome,
    started_by: nameOf(last_run.started_by),
    start_time: iso(last_run.start_time),
    end_time: iso(last_run.end_time),
    failure: last_run.outcome === 'failed' ? jobFailureView(last_run.error) : null,
    accounts: (result?.accounts ?? []).map(each => ({ ...each, label: labelOf(each.upstream_id) })),
  }
}
