import { writeAtomically } from '../../atomicFile.ts'
import { reasonOf } from '../unusable.ts'
import { openWorker } from './worker.ts'

/**
 * Copies a SQLite database to a new file while it is being used and written to. There is no incomplete copy under that name. Its worker is
 * its own, so that no checkpoint waits for a long backup.
 */
export async function backUpSqlite(from: string, to: string): Promise<void> {
  const worker = openWorker(from)
  try {
    await writeAtomically(to, async beside => void (await worker.run({ kind: 'backup', to: beside })))
  } catch (cause) {
    throw new Error(`the backup to ${to} failed: ${reasonOf(cause)}`, { cause })
  } finally {
    await worker.close()
  }
}
