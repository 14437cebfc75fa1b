import { setTimeout as pause } from 'node:timers/promises'
import { USER_JOB } from '#contract/bulk.ts'
import { CONVERSATION_JOB } from '#contract/conversationAdministration.ts'
import type { Users } from '#server/users/users.ts'
import { requireNotHeld, userStore } from '#server/users/store.ts'
import { forgetInAudit } from '#server/audit/erasing.ts'
import { forgetWhoSet } from '#server/configuration/configuration.ts'
import { forgetInJobs } from '#server/foundation/jobs/store.ts'
import { forgetWhoSetUpstreams } from '#server/upstreams/store.ts'
import { userAskStore, askStore } from '#server/asks/store.ts'
import { askLogStore } from '#server/asks/logStore.ts'
import { USER_FIELDS_OF_CHANGE } from '#server/conversations/administration/job.ts'
import { hasUpstreamCopy } from '#server/conversations/store.ts'
import { sourceOf } from '#server/conversations/history.ts'
import { userConversationStore } from '#server/conversations/transferStore.ts'
import { fileStore } from '#server/files/store.ts'
import { overwriteDeleted } from '#server/foundation/search/overwriting.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { Sources } from '#server/sources/source.ts'
import { ledgerStore } from '#server/usage/ledger.ts'
import { requestStore as usageRequestStore } from '#server/usage/requestStore.ts'
import { usageLedgerStore } from '#server/usage/usageLedger.ts'
import { requestStore } from '#server/statistics/requestStore.ts'
import { USER_FIELDS_OF_BULK } from './bulk.ts'

type Dependencies = {
  open: OpenDatabase
  users: Users
  stopAsksOf(user_id: number): Promise<void>
  sources: Pick<Sources, 'of'>
}

/** How many there were of each. */
type Erased = {
  conversations: number
  files: number
  asks: number
  log_rows: number
  ledger_rows: number
  /** Conversations that their web accounts still show, by their ids there. */
  left_upstream: string[]
}

/** Conversations removed per transaction, so that nobody waits long for the database. */
const AT_ONCE = 20
/** Milliseconds that the process which runs the person's asks has to end them. */
const ASKS_END_WITHIN = 15_000
const CHECKED_EVERY = 250
/** Conversations that a web account may refuse to hide before it is asked about no further ones. */
const REFUSALS = 3

/**
 * Removes everything of a person: account, sessions, settings, ledger, files, conversations with their messages and
 * what the search knows of them, asks; the log of asks stays without their name, and what they did as an administrator.
 * The account goes last, and says from the beginning that it is to go, so that the next start of a portal finishes what
 * breaks off. Refuses the last active superuser.
 */
export async function erase(user_id: number, dependencies: Dependencies): Promise<Erased> {
  const { open, users, stopAsksOf, sources } = dependencies
  const { database } = open
  await requireNotHeld(database, [user_id])
  // An inactive person cannot add anything new. Refuses the last superuser before anything is removed.
  await users.directory.update(user_id, { is_active: false }, null, trx =>
    userStore(trx).change(user_id, { erase_time: Date.now() }),
  )
  await stopAsksOf(user_id)
  await asksEnd(open, user_id)
  const files = await fileStore(database).sumOf(user_id)
  const left_upstream = await hideConversations(open, user_id, sources)
  const conversations = await removeConversations(open, user_id)
  const ofAsks = await open.transaction(async trx => ({
    log_rows: Number((await askLogStore(trx).forget(user_id))[0]?.numUpdatedRows ?? 0),
    ledger_rows: (await ledgerStore(trx).removeAllOf(user_id)) + (await usageLedgerStore(trx).forget(user_id)),
    asks: await userAskStore(trx).removeAll(user_id),
  }))
  await forgetActs(open, user_id)
  // A running portal writes its counts of requests only for people who have an account: from then on not for this one.
  await users.directory.remove(user_id, async trx => {
    await requestStore(trx).lockUsers(open.engine, 'forgetting')
    await requestStore(trx).forget(user_id)
    await forgetInAudit(trx, user_id)
  })
  await overwriteDeleted(open, new AbortController().signal)
  return { conversations, files: files.count, ...ofAsks, left_upstream }
}

/**
 * Finishes erasures that were begun before this time and cut short. Gives how many people are gone: of whom everything
 * is kept by now, and who is the last administrator by now, keeps nobody else's from being finished.
 */
export async function finishErasures(began_before: number, dependencies: Dependencies): Promise<number> {
  const unfinished = await userStore(dependencies.open.database).erasingSince(began_before)
  let finished = 0
  for (const { id } of unfinished)
    try {
      await erase(id, dependencies)
      finished++
    } catch (cause) {
      if (!(cause instanceof Refusal)) throw cause
    }
  return finished
}

/** Keeps what an administrator did, without their name. */
async function forgetActs(open: OpenDatabase, user_id: number): Promise<void> {
  await open.transaction(async trx => {
    await userConversationStore(trx).forgetActs(user_id)
    await forgetWhoSet(trx, user_id) // locks the settings
    await forgetWhoSetUpstreams(trx, user_id)
    await usageRequestStore(trx).forgetWhoAnswered(user_id)
    await forgetInJobs(trx, user_id, { [USER_JOB]: USER_FIELDS_OF_BULK, [CONVERSATION_JOB]: USER_FIELDS_OF_CHANGE })
  })
}

/** Waits for the asks to end. Asks of a process that is gone never end by themselves; they are removed as they are. */
async function asksEnd({ database }: OpenDatabase, user_id: number): Promise<void> {
  const deadline = performance.now() + ASKS_END_WITHIN
  while ((await askStore(database).livingOf(user_id)).length > 0 && performance.now() < deadline)
    await pause(CHECKED_EVERY)
}

/**
 * Hides upstream copies of conversations: the next sync would find them there, and add them as nobody's. An account
 * that cannot be asked keeps nothing here from being removed. Gives those that were not hidden.
 */
async function hideConversations(
  { database }: OpenDatabase,
  user_id: number,
  sources: Pick<Sources, 'of'>,
): Promise<string[]> {
  const left: string[] = []
  const refusals = new Map<number | null, number>()
  const { signal } = new AbortController()
  let after = 0
  for (;;) {
    const rows = await userConversationStore(database).conversationsAfter(user_id, after, AT_ONCE)
    for (const row of rows.filter(hasUpstreamCopy)) {
      const refused = refusals.get(row.upstream_id) ?? 0
      const hide = sources.of(sourceOf(row)).conversations?.hide
      if (hide === undefined || (refused < REFUSALS && (await hide(row, signal)) === null)) continue
      refusals.set(row.upstream_id, refused + 1)
      left.push(row.upstream_conversation_id ?? '')
    }
    const last = rows.at(-1)
    if (last === undefined) return left
    after = last.id
  }
}

async function removeConversations(open: OpenDatabase, user_id: number): Promise<number> {
  let all = 0
  for (;;) {
    const removed = await open.transaction(trx => userConversationStore(trx).removeSome(user_id, AT_ONCE), {
      lowPriority: true,
    })
    all += removed
    if (removed < AT_ONCE) return all
  }
}
