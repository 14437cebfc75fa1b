import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { OpenDatabase } from '../database/open.ts'
import type { Job } from '../jobs/job.ts'
import type { Log } from '../logging.ts'

export const OVERWRITING_JOB = 'overwriting of deleted'
const DAY = 86_400_000
/** Days after which it is done though nothing asks for it. */
const EVERY = 30 * DAY
/** Pages of the index that one transaction writes. */
const PAGES = 200

/** Takes what was deleted out of the files of the database. Whatever deletes people's words starts it. */
export function overwritingJob(open: OpenDatabase, log: Log): Job {
  return {
    name: OVERWRITING_JOB,
    every: EVERY,
    at: now => now + EVERY,
    longest: DAY,
    async run({ signal }) {
      const is_whole = await overwriteDeleted(open, signal)
      if (!is_whole) log.warn('what was deleted may still be in the files of the database (docs/administration.md)')
      return { is_whole }
    },
  }
}

/** False where something may be left. */
export async function overwriteDeleted(open: OpenDatabase, signal: AbortSignal): Promise<boolean> {
  if (open.engine === 'sqlite') await mergeTerms(open, signal)
  return open.overwriteDeleted()
}

/**
 * The index of SQLite only notes that a message is gone, until the parts of it are merged in which its terms stand:
 * those of any age, some pages at a time.
 */
async function mergeTerms(open: OpenDatabase, signal: AbortSignal): Promise<void> {
  for (let pages = -PAGES; ; pages = PAGES) {
    signal.throwIfAborted()
    const began = performance.now()
    if (!(await open.transaction(trx => merge(trx, pages), { lowPriority: true }))) return
    await pause(performance.now() - began) // at most half of the time
  }
}

/** Whether anything was merged: the command itself counts as a change. A negative number begins a merge of all. */
async function merge(trx: Parameters<Parameters<OpenDatabase['transaction']>[0]>[0], pages: number): Promise<boolean> {
  const changes = async () =>
    (await sql<{ changes: number }>`select total_changes() as changes`.execute(trx)).rows[0]?.changes ?? 0
  const before = await changes()
  await sql`insert into message_terms (message_terms, rank) values ('merge', ${pages})`.execute(trx)
  return (await changes()) - before >= 2
}
