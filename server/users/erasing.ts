import { setTimeout as pause } from 'node:timers/promises'
import { USER_JOB } from '#contract/bulk.ts'
import { CONVERSATION_JOB } from '#contract/conversationAdministration.ts'
import type { Accounts } from '#server/accounts/accounts.ts'
import { forgetWhoSet } from '#server/configuration/configuration.ts'
import { credentialStore } from '#server/credentials/credentials.ts'
import { forgetInJobs } from '#server/foundation/jobs/forgetting.ts'
import { upstreamStore } from '#server/upstreams/store.ts'
import { personAskStore } from '#server/asks/personStore.ts'
import { askLogStore } from '#server/asks/logStore.ts'
import { askStore } from '#server/asks/store.ts'
import { PEOPLE_OF_CHANGE } from '#server/conversations/administration/job.ts'
import { personStore } from '#server/conversations/personStore.ts'
import { fileStore } from '#server/files/store.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { ledgerStore } from '#server/quotas/ledger.ts'
import { requestStore } from '#server/statistics/requestStore.ts'
import { PEOPLE_OF_BULK } from './bulkJob.ts'

type Dependencies = {
  open: OpenDatabase
  accounts: Accounts
  stopAsksOf(user_id: number): Promise<void>
}

/** How many there were of each. */
export type Erased = {
  conversations: number
  files: number
  asks: number
  log_rows: number
  ledger_rows: number
}

/** Conversations removed per transaction, so that nobody waits long for the database. */
const AT_ONCE = 20
/** Milliseconds that the process which runs the person's asks has to end them. */
const ASKS_END_WITHIN = 15_000
const CHECKED_EVERY = 250

/**
 * Removes everything of a person: account, sessions, settings, ledger, files, conversations with their messages and what the search knows of them,
 * asks; the log of asks stays without their name, and what they did as an administrator. The account goes last, so that what breaks off can be begun again. Refuses the last active superuser.
 */
export async function erase(user_id: number, { open, accounts, stopAsksOf }: Dependencies): Promise<Erased> {
  const { database } = open
  // An inactive person cannot add anything new. Refuses the last superuser before anything is removed.
  await accounts.users.update(user_id, { is_active: false })
  await stopAsksOf(user_id)
  await asksEnd(open, user_id)
  const files = await fileStore(database).sumOf(user_id)
  const conversations = await removeConversations(open, user_id)
  const ofAsks = await open.transaction(async trx => ({
    log_rows: Number((await askLogStore(trx).forget(user_id))[0]?.numUpdatedRows ?? 0),
    ledger_rows: await ledgerStore(trx).removeAllOf(user_id),
    asks: await personAskStore(trx).removeAll(user_id),
  }))
  await forgetActs(open, user_id)
  await accounts.users.remove(user_id)
  // A running portal writes its counts of requests only for people who have an account: from now on not for this one.
  await open.transaction(async trx => {
    await requestStore(trx).lockPeople(open.engine, 'forgetting')
    await requestStore(trx).forget(user_id)
  })
  return { conversations, files: files.count, ...ofAsks }
}

/** Keeps what an administrator did, without their name. */
async function forgetActs(open: OpenDatabase, user_id: number): Promise<void> {
  await open.transaction(async trx => {
    await personStore(trx).forgetActs(user_id)
    await forgetWhoSet(trx, user_id)
    await credentialStore(trx).forget(user_id)
    await upstreamStore(trx).forget(user_id)
    await forgetInJobs(trx, user_id, { [USER_JOB]: PEOPLE_OF_BULK, [CONVERSATION_JOB]: PEOPLE_OF_CHANGE })
  })
}

/** Waits for the asks to end. Asks of a process that is gone never end by themselves; they are removed as they are. */
async function asksEnd({ database }: OpenDatabase, user_id: number): Promise<void> {
  const deadline = performance.now() + ASKS_END_WITHIN
  while ((await askStore(database).livingOf(user_id)).length > 0 && performance.now() < deadline)
    await pause(CHECKED_EVERY)
}

async function removeConversations(open: OpenDatabase, user_id: number): Promise<number> {
  let all = 0
  for (;;) {
    const removed = await open.transaction(trx => personStore(trx).removeSome(user_id, AT_ONCE), { lowPriority: true })
    all += removed
    if (removed < AT_ONCE) return all
  }
}
