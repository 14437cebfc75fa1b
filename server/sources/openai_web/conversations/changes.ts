import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { Job } from '#server/foundation/jobs/job.ts'
import type { Jobs } from '#server/foundation/jobs/jobs.ts'
import type { Log } from '#server/foundation/logging.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { requirePort } from '#server/providers/provider.ts'
import { type UpstreamCopy, type UpstreamCopies, isUnknown } from './copies.ts'
import { type UpstreamChange, upstreamChangeStore } from './store.ts'

const JOB = 'changes at upstreams'
/** Milliseconds. Each change starts the job at once; the period is for changes that are to be tried again. */
const EVERY = 300_000
/** Changes that are read at a time. */
const BATCH = 20
/** Milliseconds until a change is tried once more; doubles with each failure. */
const PAUSE = 60_000
/** After so many failures a change is given up. */
const MAX_FAILURES = 8

type Dependencies = { open: OpenDatabase; clock: Clock; log: Log; copies: UpstreamCopies }

/**
 * Sends stored changes to upstreams, in the background: titles, and what was hidden or shown again. The stored state
 * counts, whether or not the upstream takes the change; one that it does not take is sent again later.
 */
export function changeJob({ open, clock, log, copies }: Dependencies): Job {
  const store = upstreamChangeStore(open.database)

  async function notify(change: UpstreamChange, signal: AbortSignal): Promise<'sent' | 'failed'> {
    const copy = copies.of(change)
    try {
      if (copy instanceof Refusal && copy.key !== 'upstreamGone') throw copy
      if (copy !== null && !(copy instanceof Refusal)) await send(copy, change, signal)
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof Refusal)) throw error
      await postpone(change, error)
      return 'failed'
    }
    await store.remove(change)
    return 'sent'
  }

  async function postpone(change: UpstreamChange, refusal: Refusal): Promise<void> {
    const { key, values } = refusal
    const { conversation_id, what } = change
    // Without its key the account is not asked: that is no failure, and passes when the key is entered again.
    const failures = change.failures + (key === 'keyUnreadable' ? 0 : 1)
    // The upstream does not know the conversation, or cannot do this.
    const isGivenUp = failures >= MAX_FAILURES || isUnknown(refusal) || key === 'notSupportedBySource'
    const text = isGivenUp ? 'an upstream was not told of a change' : 'an upstream could not be told of a change'
    log.warn({ conversation_id, what, failures, refusal: key, ...values }, text)
    if (isGivenUp) await store.remove(change)
    else await store.postpone(change, { failures, next_try: clock.now() + PAUSE * 2 ** Math.max(0, failures - 1) })
  }

  return {
    name: JOB,
    every: EVERY,
    async run({ signal }) {
      const counts = { sent: 0, failed: 0 }
      while (!signal.aborted) {
        const due = await store.due(clock.now(), BATCH)
        if (due.length === 0) return counts
        for (const change of due) {
          if (signal.aborted) break
          counts[await notify(change, signal)] += 1
        }
      }
      return counts
    },
  }
}

async function send(
  { provider, endpoint, id }: UpstreamCopy,
  change: UpstreamChange,
  signal: AbortSignal,
): Promise<void> {
  const { what, title, is_valid } = change
  if (what === 'title') {
    if (title !== null) await requirePort(provider, 'renameConversation')(endpoint, id, title, signal)
  } else if (is_valid) await requirePort(provider, 'showConversation')(endpoint, id, signal)
  else await requirePort(provider, 'hideConversation')(endpoint, id, signal)
}

/** Starts the job after a change was stored. Nobody waits for it. */
export const openChangeSending =
  ({ jobs, log }: { jobs: Jobs; log: Log }) =>
  (): void => {
    jobs.start(JOB).catch((error: unknown) => log.warn({ err: error }, 'upstreams are told of changes later'))
  }
