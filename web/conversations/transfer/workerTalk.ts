import type { ImportBatch } from './importBatches.ts'
import type { ImportReason, RefusedConversation } from './importReasons.ts'

/** A file to read, and then the word for the next batch. */
export type WorkerQuestion = Blob | 'next'

export type WorkerAnswer =
  | { kind: 'read'; titles: string[]; refused: RefusedConversation[] }
  | { kind: 'batch'; batch: ImportBatch | null }
  | { kind: 'unreadable'; reason: ImportReason; product: string | null }
