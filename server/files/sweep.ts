import { userStore } from '#server/accounts/store.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { Disk } from './disk.ts'
import { fileStore } from './store.ts'

/** Milliseconds; no upload takes as long. */
const CERTAINLY_OVER = 86_400_000
/** Milliseconds without a byte after which an upload is over: half a minute is the most that it waits. */
const STALLED = 120_000

/** `start_time`: of this process. */
type Dependencies = { open: OpenDatabase; clock: Clock; disk: Disk; start_time: number }

/**
 * Removes what a crash cut short, and what it left whole before a row was written, and says how many files that were. The embedded database
 * has one process: what was being uploaded before its start is over. Whole files of people who have been removed stay: their rows went on purpose.
 */
export async function sweepUploads({ open, clock, disk, start_time }: Dependencies): Promise<number> {
  const store = fileStore(open.database)
  const stalled = clock.now() - STALLED
  const isOver = open.engine === 'sqlite' ? Math.max(stalled, start_time) : stalled
  let removed = 0
  for (const uploader_id of await disk.uploaders()) {
    for (const path of await disk.olderThan(uploader_id, isOver, 'unfinished')) {
      await disk.remove(path)
      removed += 1
    }
    const old = await disk.olderThan(uploader_id, clock.now() - CERTAINLY_OVER, 'whole')
    if (old.length === 0 || (await userStore(open.database).find(uploader_id)) === undefined) continue
    const known = new Set(await store.storedPathsOf(uploader_id))
    for (const path of old.filter(path => !known.has(path))) {
      await disk.remove(path)
      removed += 1
    }
  }
  return removed
}
