import type { SqliteFile } from './connection.ts'

/** Commits, each of which waited for the disk, between two checkpoints. */
const EVERY = 40

type Dependencies = {
  /** Opens the file once more. */
  connect(): SqliteFile
  /** Flushes the write-ahead log to the disk. */
  syncLog(): Promise<void>
  /** Flushes the database itself to the disk. */
  syncDatabase(): Promise<void>
  /**
   * The disk has refused what is in the log, or what was moved: the log may have a hole, or be all that there is of what SQLite takes for
   * moved. Nothing may be closed.
   */
  onRefused(cause: unknown): void
}

/**
 * Moves what the write-ahead log holds into the database. SQLite itself would wait for the disk twice and let everything else wait with
 * it, so it is told not to wait, and what it relies on is kept here (decision 024): the log is on the disk before any of it is moved, and a
 * read that is open all the while neither lets SQLite move what came after it began nor write the log from its beginning again.
 */
export function checkpoints({ connect, syncLog, syncDatabase, onRefused }: Dependencies) {
  let reading: SqliteFile | undefined
  let moving: SqliteFile | undefined
  let running: Promise<void> | null = null
  let written = 0

  async function move(): Promise<void> {
    reading ??= connect()
    moving ??= connect()
    moving.execute('pragma synchronous = off')
    reading.execute('begin')
    try {
      reading.execute('select 1 from sqlite_schema') // only now it has begun
      if (!(await isOnDisk(syncLog))) return
      moving.execute('pragma wal_checkpoint(passive)')
    } catch {
      // The log still holds all of it. If no move ever succeeds, a commit checkpoints by itself when the log has grown long (connection.ts).
    }
    if (await isOnDisk(syncDatabase)) reading.execute('rollback')
  }

  async function isOnDisk(sync: () => Promise<void>): Promise<boolean> {
    try {
      await sync()
      return true
    } catch (cause) {
      onRefused(cause)
      return false
    }
  }

  return {
    /** To be called after each commit. */
    written(): void {
      written++
      if (written < EVERY || running !== null) return
      written = 0
      // What cannot be begun is begun again later.
      running = move()
        .catch(() => undefined)
        .finally(() => {
          running = null
        })
    },
    async close(): Promise<void> {
      await running
      reading?.close()
      moving?.close()
    },
  }
}
