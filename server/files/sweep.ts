import type { Clock } from '#server/foundation/clock.ts'
import type { Database } from '#server/foundation/database/open.ts'
import type { Disk } from './disk.ts'
import { fileStore } from './store.ts'

/** Milliseconds; no upload takes as long. */
const CERTAINLY_OVER = 86_400_000

/**
 * Removes what a crash left on the disk before its row was written, and says how many files that were. Those of people who have
 * been removed stay: their rows went on purpose.
 */
export async function sweepUploads({ database, clock, disk }: { database: Database; clock: Clock; disk: Disk }): Promise<number> {
  const store = fileStore(database)
  let removed = 0
  for (const uploader_id of await disk.uploaders()) {
    const old = await disk.olderThan(uploader_id, clock.now() - CERTAINLY_OVER)
    if (old.length === 0 || await store.uploader(uploader_id) === undefined) continue
    const known = new Set(await store.storedPathsOf(uploader_id))
    for (const path of old.filter(path => !known.has(path))) {
      await disk.remove(path)
      removed += 1
    }
  }
  return removed
}
