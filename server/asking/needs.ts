import type { Configuration } from '#contract/configuration.ts'
import type { Source } from '#contract/models.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { Log } from '#server/foundation/logging.ts'
import type { Providers } from '#server/providers/providers.ts'
import type { OwnEndpoint } from '#server/upstreams/endpoints.ts'
import type { Upstreams } from '#server/upstreams/upstreams.ts'
import type { openAdmission } from './admission.ts'
import type { Chunks } from './chunks.ts'
import type { Complete } from './completion.ts'
import type { LeaseClock } from '#server/foundation/lease.ts'
import type { Queue } from './queue.ts'

/** What counts an ask while it lasts, and measures the upstream. */
export type AskMeasure = {
  started(): void
  asksUpstream(): void
  /** Called when something has come from the upstream; only the first call counts. */
  hears(): void
  /** The answer is there, whole. */
  isAnswered(): void
  ended(outcome: string): void
}

export type AskNeeds = {
  open: OpenDatabase
  clock: Clock
  log: Log
  metrics: { ask(source: Source, queueing: boolean): AskMeasure }
  configuration(): Configuration
  upstreams: Upstreams
  providers: Providers
  admit: ReturnType<typeof openAdmission>
  complete: Complete
  queue: Queue
  chunks: Chunks
  /** The name of this process among those that share the database. */
  holder: string
  leaseTime: Pick<LeaseClock, 'now'>
  /** The person's own endpoint, when they have one and may use it. */
  personal(user_id: number, source: Source): Promise<OwnEndpoint | null>
  /** Stores a session that could only be kept in memory: what is asked with it is stored for a session that is. */
  keepSession(session: string): Promise<void>
  /** Tells other processes that a reply has grown or ended. */
  published(ask_id: string): void
  stopElsewhere(ask_id: string): void
  /** Aborts when the process ends. */
  closing: AbortSignal
}
