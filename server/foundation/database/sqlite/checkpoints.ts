import { isSyncFailure } from './connection.ts'

/** Pages of the log after which a checkpoint starts: SQLite's own default. */
const START_AT = 1_000
/** Pages of the log, 64 MB, above which the write queue waits for a checkpoint. */
const WAIT_ABOVE = 16_384

type Dependencies = {
  /** Pages of the write-ahead log that are not in the database yet. */
  pagesInLog(): number
  /** Copies into the database what it can of them, on another thread, and waits for the disk. */
  checkpoint(): Promise<unknown>
  /** The disk has refused to flush: nobody knows what it has and what it has not. */
  onSyncFailure(cause: unknown): void
}

/**
 * Runs a checkpoint when the log has grown, one at a time. Whatever fails but the disk's flush loses nothing: the log still has all of it, and
 * the next commit tries again.
 */
export function checkpoints({ pagesInLog, checkpoint, onSyncFailure }: Dependencies) {
  let running: Promise<void> | null = null

  async function run(): Promise<void> {
    try {
      await checkpoint()
    } catch (cause) {
      if (isSyncFailure(cause)) onSyncFailure(cause)
    } finally {
      running = null
    }
  }

  return {
    /** Resolves at once, unless the log has grown too large: then when one checkpoint has ended. */
    async afterCommit(): Promise<void> {
      const pages = pagesInLog()
      if (pages < START_AT) return
      running ??= run()
      if (pages > WAIT_ABOVE) await running
    },
  }
}
