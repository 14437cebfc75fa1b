import * as z from 'zod/mini'
import { upstreamCopyStore } from '#server/conversations/upstreamCopyStore.ts'
import { type AccountSync, AccountSync as AccountSyncSchema, SYNC_JOB } from '#contract/conversationSync.ts'
import { EndedEarly, type Job, type Run } from '#server/foundation/jobs/job.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { Account, SyncDependencies } from './accounts.ts'
import { openAccountSync } from './accountSync.ts'

/** Accounts of which a result speaks: what is kept of a job is short. */
const MAX_NAMED = 40
/** Milliseconds between two notes of how far it is, where nothing else is stored. */
const NOTE_EVERY = 500

/** What is kept of a run: the accounts that are done, and the one that is being read. */
export const SyncCursor = z.object({ accounts: z.array(AccountSyncSchema), current: z.nullable(AccountSyncSchema) })
export type SyncCursor = z.infer<typeof SyncCursor>
export const SyncResult = z.object({ accounts: z.array(AccountSyncSchema) })

/**
 * Reads the listings of all web accounts, one account after the other: one that fails stops no other. A process that
 * goes on after another one was lost begins the account anew that was being read; what is known already is not added
 * again.
 */
export function syncJob(dependencies: SyncDependencies): Job {
  const { open, clock, accounts } = dependencies

  async function run({ progress, signal, save, saveWith }: Run<null>) {
    const all = accounts.list()
    const done = progress === null ? [] : SyncCursor.parse(progress.cursor).accounts
    const total = await totalOf(all)
    let noted = -Infinity

    const progressOf = (current: AccountSync | null) => {
      const seen = [...done, ...(current === null ? [] : [current])].reduce((sum, each) => sum + each.seen, 0)
      const cursor: SyncCursor = { accounts: done, current }
      return { done: seen, total: total < seen ? null : total, cursor }
    }
    async function note(current: AccountSync | null): Promise<void> {
      if (clock.monotonic() - noted < NOTE_EVERY && current !== null) return
      // What is read next is said at once.
      noted = current === null ? -Infinity : clock.monotonic()
      await save(progressOf(current))
    }
    const { syncAccount } = openAccountSync({ ...dependencies, note, saveWith, progressOf })

    for (const account of all.filter(({ upstream_id }) => done.every(each => each.upstream_id !== upstream_id))) {
      const sync = await syncAccount(account, signal)
      if (signal.aborted) throw new EndedEarly({ accounts: [...done, sync].slice(0, MAX_NAMED) })
      if (done.length < MAX_NAMED) done.push(sync)
      await note(null)
    }
    return { accounts: done }
  }

  const totalOf = async (all: readonly Account[]): Promise<number> =>
    all.length === 0 ? 0 : upstreamCopyStore(open.readOnly()).count(all.map(({ upstream_id }) => upstream_id))

  return { name: SYNC_JOB, run }
}

/** The first refusal of a run in which no account could be read; null when one could. */
export function commonRefusal({ accounts }: z.infer<typeof SyncResult>): Refusal | null {
  const [first] = accounts
  if (first?.message == null || accounts.some(({ message }) => message === null)) return null
  return new Refusal(first.message.replace(/^errors\./, '') as Refusal['key']) // written from one
}
