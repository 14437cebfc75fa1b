import type { KeptAttachment } from '#contract/messages.ts'
import type { Source } from '#contract/models.ts'
import type { LoadedAttachment } from '#server/files/attached.ts'
import type { Configuration } from '#contract/configuration/configuration.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { LeaseClock } from '#server/foundation/database/lease.ts'
import type { Instructions } from '#server/instructions/instructions.ts'
import type { PriceAt } from '#server/limits/settlement.ts'
import type { Log } from '#server/foundation/logging.ts'
import type { Providers } from '#server/providers/providers.ts'
import type { AskNotices } from '#server/notices/askNotices.ts'
import type { Sources } from '#server/sources/source.ts'
import type { Upstreams } from '#server/upstreams/upstreams.ts'
import type { Admit } from './admission.ts'
import type { BeginWaiting } from './beginning.ts'
import type { KeepPictures } from './answerPictures.ts'
import type { Chunks } from './chunks.ts'
import type { Complete } from './completion.ts'
import type { Queue } from './queue.ts'

/** Counts an ask while it lasts, and measures its upstream. */
export type AskMeter = {
  started(): void
  asked(): void
  /** Something has arrived from the upstream; only the first call counts. */
  received(): void
  /** The answer is complete. */
  answered(): void
  ended(outcome: string): void
}

export type AskMetrics = { ask(source: Source, queueing: boolean): AskMeter }

export type AskDependencies = {
  open: OpenDatabase
  clock: Clock
  log: Log
  metrics: AskMetrics
  configuration(): Configuration
  upstreams: Pick<
    Upstreams,
    | 'endpoint'
    | 'report'
    | 'noteLimits'
    | 'learnContext'
    | 'learnedContext'
    | 'learnCapabilities'
    | 'capabilitiesOfOwn'
    | 'capabilities'
  >
  /** What went with questions of a person, as it is sent; gone is what is no longer here. */
  loadAttached(user_id: number, attachments: readonly KeptAttachment[]): Promise<LoadedAttachment[]>
  /** Files of a person that are pictures and are here, as what goes with a question. */
  picturesOf(user_id: number, ids: readonly string[]): Promise<KeptAttachment[]>
  providers: Providers
  keepPictures: KeepPictures
  admit: Admit
  beginWaiting: BeginWaiting
  complete: Complete
  queue: Queue
  chunks: Chunks
  sources: Sources
  instructions: Pick<Instructions, 'forAsk'>
  /** What people are told of who are not looking. */
  notices: AskNotices
  /** What a model cost when it was asked. */
  priceAt: PriceAt
  /** The name of this process among those that share the database. */
  holder: string
  leaseTime: Pick<LeaseClock, 'now'>
  /** Wakes other processes when a reply has grown or ended. */
  publishChange(ask_id: string): void
  /** Asks other processes to stop an ask. */
  publishStop(ask_id: string): void
  /** Aborts when the process ends. */
  closing: AbortSignal
}
