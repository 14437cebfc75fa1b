import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { Log } from '#server/foundation/logging.ts'
import { writtenReply } from './chunks.ts'
import type { Complete } from './completion.ts'
import type { LeaseClock } from '#server/foundation/database/lease.ts'
import type { Failure } from './liveReply.ts'
import type { Queue } from './queue.ts'
import type { RunningAsks } from './runningAsks.ts'
import { type AskRow, leaseStore } from '#server/asks/store.ts'

type Dependencies = {
  open: OpenDatabase
  clock: LeaseClock
  log: Log
  running: RunningAsks
  complete: Complete
  queue: Queue
  holder: string
  lease_seconds: number
  publishChange(ask_id: string): void
}

const INTERRUPTED: Failure = { key: 'interrupted', values: {} }

/** Asks of one statement, well below the limit of parameters of either database. */
const BATCH = 500

/**
 * Leases: the process that runs an ask renews its lease. An ask whose lease has expired is completed as interrupted,
 * with the text of its chunks and the charge settled. Nobody resets anything by hand.
 */
export function openLeases(dependencies: Dependencies) {
  const { open, clock, log, running, complete, queue, holder, publishChange } = dependencies
  const store = leaseStore(open.database)
  const lease = dependencies.lease_seconds * 1000
  let busy: Promise<void> = Promise.resolve()

  async function interrupt(ask: AskRow): Promise<void> {
    const reply = await writtenReply(open, ask)
    await complete({
      ask_id: ask.ask_id,
      upstream_id: ask.upstream_id,
      outcome: 'interrupted',
      failure: INTERRUPTED,
      messages: reply.messages(),
      hasText: reply.hasText,
      metered: reply.metered,
      first_token_time: null,
      upstream_conversation_id: reply.upstream_conversation_id,
    })
    publishChange(ask.ask_id)
    queue.wake(ask.upstream_id)
    log.warn({ ask_id: ask.ask_id, source: ask.source }, 'an ask without a sign of life was closed as interrupted')
  }

  async function closeAbandoned(now: number): Promise<void> {
    for (const ask of await store.abandoned(now)) {
      // A clock that is set forward must not end what runs here.
      if (running.has(ask.ask_id)) continue
      if (await store.claim(ask.ask_id, now, holder, clock.now() + lease)) await interrupt(ask)
    }
  }

  async function renew(held: readonly string[]): Promise<void> {
    const lost = new Set(held)
    // Only what runs here: an ask whose end could not be stored names this process too, and is to expire.
    for (let start = 0; start < held.length; start += BATCH) {
      for (const { ask_id } of await store.renew(holder, held.slice(start, start + BATCH), clock.now() + lease))
        lost.delete(ask_id)
    }
    // This process stood still for longer than a lease, and another one has completed them.
    for (const ask_id of lost) running.interruptHere(ask_id)
    // The bus may have lost a stop request of another process.
    for (const { ask_id } of await store.stopRequested(holder)) running.stopHere(ask_id)
  }

  const renewing = setInterval(() => {
    busy = busy
      .then(async () => {
        await clock.set()
        const held = running.ids()
        if (held.length > 0) await renew(held)
        await closeAbandoned(clock.now())
      })
      .catch((error: unknown) => log.error({ err: error }, 'leases could not be renewed'))
  }, lease / 3)
  renewing.unref()

  return {
    /**
     * For the start: completes what an earlier process left behind. On SQLite that is all that runs, since it has one
     * process only.
     */
    async closeLeftBehind(): Promise<void> {
      await clock.set()
      const now = open.engine === 'sqlite' ? Number.MAX_SAFE_INTEGER : clock.now()
      while ((await store.abandoned(now)).length > 0) await closeAbandoned(now)
    },
    async close(): Promise<void> {
      clearInterval(renewing)
      await busy
    },
  }
}
