import { setTimeout as pause } from 'node:timers/promises'
import type { SqliteFile } from './connection.ts'

/** `user_version` of a file in which everything that was ever deleted is overwritten. */
const OVERWRITING = 1

/** Bytes of a file that is written anew as a whole: everybody waits for about a second, and it takes as much memory. */
const MAX_REWRITTEN = 64 * 1024 * 1024

/** Attempts at emptying the log, which nobody may be reading, and milliseconds between them. */
const ATTEMPTS = 20
const BETWEEN = 250

/** A new file has never held anything that was deleted. */
export function markAsOverwriting(file: SqliteFile): void {
  file.execute(`pragma user_version = ${OVERWRITING}`)
}

type Dependencies = {
  file: Pick<SqliteFile, 'execute' | 'rows'>
  /** On another thread, so that little is left to be done here. */
  checkpoint(): Promise<unknown>
  /** Runs between two transactions. */
  between<T>(query: () => T): Promise<T>
}

/**
 * What is deleted is overwritten in the pages (`secure_delete`). The log still has these pages as they were, until it
 * is emptied. A file of before `secure_delete` is written anew once, where it is small.
 */
export function overwriting({ file, checkpoint, between }: Dependencies): () => Promise<boolean> {
  const numberOf = (pragma: string): number => Number(Object.values(file.rows(`pragma ${pragma}`)[0] ?? {})[0])

  function rewriteOnce(): boolean {
    if (numberOf('user_version') >= OVERWRITING) return true
    if (numberOf('page_count') * numberOf('page_size') > MAX_REWRITTEN) return false
    file.execute('vacuum')
    file.execute(`pragma user_version = ${OVERWRITING}`)
    return true
  }

  /** False when somebody reads the log. Nobody waits for that. */
  function emptyLog(): boolean {
    file.execute('pragma busy_timeout = 0')
    try {
      return file.rows('pragma wal_checkpoint(truncate)')[0]?.['busy'] === 0
    } finally {
      file.execute('pragma busy_timeout = 5000')
    }
  }

  return async () => {
    const isRewritten = await between(rewriteOnce)
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      await checkpoint()
      if (await between(emptyLog)) return isRewritten
      await pause(BETWEEN)
    }
    return false
  }
}
