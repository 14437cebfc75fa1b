import { isSyncFailure, type LogPages } from './connection.ts'

/** Pages to copy after which a checkpoint starts: SQLite's own default. */
const START_AT = 1_000
/** Pages of the log, 64 MB, above which the write queue waits for a checkpoint. */
const WAIT_ABOVE = 16_384

type Dependencies = {
  pages(): LogPages
  /** Copies into the database what it can of the log, on another thread, and waits for the disk. */
  checkpoint(): Promise<unknown>
  /** The disk has refused to flush: nobody knows what it has and what it has not. */
  onSyncFailure(cause: unknown): void
  /** Any other failure, told once until a checkpoint succeeds: the log grows meanwhile. */
  onFailure(cause: unknown): void
  start_at?: number
  wait_above?: number
}

/**
 * Runs a checkpoint when the log has grown, one at a time. SQLite writes the log from its beginning again only when a checkpoint has copied all
 * of it, which it never has while others go on writing: so they wait once in a while. Whatever fails but the disk's flush loses nothing: the
 * log still has all of it, and the next batch tries again.
 */
export function checkpoints({
  pages,
  checkpoint,
  onSyncFailure,
  onFailure,
  start_at = START_AT,
  wait_above = WAIT_ABOVE,
}: Dependencies) {
  let running: Promise<void> | null = null
  let hasFailed = false

  async function run(): Promise<void> {
    try {
      await checkpoint()
      hasFailed = false
    } catch (cause) {
      if (isSyncFailure(cause)) onSyncFailure(cause)
      else if (!hasFailed) onFailure(cause)
      hasFailed = true
    } finally {
      running = null
    }
  }

  return {
    /** Resolves at once, unless the log has grown too large: then when one checkpoint has ended. */
    async afterBatch(): Promise<void> {
      const { log, checkpointed } = pages()
      if (log > wait_above || log - checkpointed >= start_at) running ??= run()
      if (log > wait_above) await running
    },
  }
}
