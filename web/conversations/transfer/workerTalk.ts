import type { ImportBatch, Leftover } from './importBatches.ts'
import type { ImportReason, RefusedConversation } from './importReasons.ts'

/** A file to read, and then the word for the next batch, with what of the one before found no room. */
export type WorkerQuestion = Blob | { left: readonly Leftover[] }

export type WorkerAnswer =
  | { kind: 'read'; titles: string[]; refused: RefusedConversation[] }
  | { kind: 'batch'; batch: ImportBatch | null }
  | { kind: 'unreadable'; reason: ImportReason; product: string | null }
