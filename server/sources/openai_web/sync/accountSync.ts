import type { AccountSync, ListingEnd } from '#contract/conversationSync.ts'
import { upstreamCopyStore } from '#server/conversations/upstreamCopyStore.ts'
import type { OpenDatabase, Transaction } from '#server/foundation/database/open.ts'
import type { Run } from '#server/foundation/jobs/job.ts'
import type { Progress } from '#server/foundation/database/schema/portal.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { ListedConversation } from '#server/providers/ports.ts'
import { requirePort } from '#server/providers/provider.ts'
import { isOfAccount } from '#server/upstreams/health.ts'
import { titleOf } from '#server/conversations/titles.ts'
import type { Account, SyncDependencies } from './accounts.ts'
import { openMissing, changesOf, endAfter, nothingSeen, type ListedSoFar, take } from './rules.ts'

/** Conversations of a page, as the site’s own page asks for them. */
const PAGE = 80
/** A place in a listing that no account’s conversations come to. */
const BEYOND = 1_000_000

type Dependencies = SyncDependencies &
  Pick<Run<null>, 'saveWith'> & {
    /** How far the account is, when it is time to say so. */
    note(current: AccountSync): Promise<void>
    progressOf(current: AccountSync): Progress
  }

type Reading = { account: Account; team: string | null; seen: ListedSoFar; sync: AccountSync; signal: AbortSignal }
type Counts = Pick<AccountSync, 'added' | 'renamed' | 'back'>

/** Reads what one account lists, and writes what differs, a page at a time. */
export function openAccountSync(dependencies: Dependencies) {
  const { open, clock, log, accounts, providers, upstreams, note, saveWith, progressOf } = dependencies
  const missing = openMissing(dependencies)

  /** Never rejects for what the account does; it says so. */
  async function syncAccount(account: Account, signal: AbortSignal): Promise<AccountSync> {
    const sync = beginningOf(account)
    await note(sync)
    try {
      sync.listing = await readAll(account, sync, signal)
    } catch (error) {
      if (signal.aborted) return { ...sync, listing: 'stopped' }
      if (!(error instanceof Refusal)) throw error
      log.warn(
        { upstream_id: account.upstream_id, refusal: error.key, ...error.values, err: error.cause },
        'the conversations of an account could not be listed',
      )
      // Other refusals may be about lists alone.
      if (isOfAccount(error.key)) upstreams.report(account.upstream_id, error)
      return { ...sync, listing: 'failed', message: `errors.${error.key}` }
    }
    return sync
  }

  async function readAll(account: Account, sync: AccountSync, signal: AbortSignal): Promise<ListingEnd> {
    const began = clock.now()
    const listed = new Set<string>()
    const teams: (string | null)[] = []
    for (const team of account.teams) {
      const seen = nothingSeen()
      const end = await readListing({ account, team, seen, sync, signal })
      if (end === 'whole') teams.push(team)
      // An account whose person has no conversations may have some of its team.
      else if (end !== 'empty') return end
      for (const id of seen.ids) listed.add(id)
    }
    // Where none is known, none is missing: a new account has no conversations.
    if (teams.length === 0)
      return (await upstreamCopyStore(open.database).count([account.upstream_id])) === 0 ? 'whole' : 'empty'
    return missing.mark({ upstream_id: account.upstream_id, teams, listed, began, sync, signal })
  }

  async function readListing(reading: Reading): Promise<ListingEnd> {
    const { account, team, seen, sync, signal } = reading
    const list = requirePort(providers.openai_web, 'listConversations')
    for (let offset = 0; ;) {
      signal.throwIfAborted()
      const page = await list(accounts.reach(account.upstream_id, team), { offset, limit: PAGE }, signal)
      const fresh = take(seen, page)
      // Before anything of it is stored: what a listing without an end names would be nobody’s, and too much to be
      // removed by hand.
      if (offset === 0 && fresh.length > 0 && (await isEndless(reading, seen))) return 'endless'
      offset += page.length
      if (fresh.length > 0) await keep(reading, fresh)
      await note(sync)
      const end = endAfter(seen, page, fresh.length)
      if (end !== null) return end
    }
  }

  /** Whether others stand at each place beyond any: some upstreams have their first or last ones there. */
  async function isEndless(reading: Reading, { ids }: ListedSoFar): Promise<boolean> {
    const near = await listedAt(reading, BEYOND)
    if (near === null || ids.has(near.id)) return false
    const far = await listedAt(reading, 2 * BEYOND)
    return far !== null && far.id !== near.id
  }

  /** What is listed where nothing can be; an upstream that refuses to look there lists nothing. */
  async function listedAt({ account, team, signal }: Reading, offset: number): Promise<ListedConversation | null> {
    const list = requirePort(providers.openai_web, 'listConversations')
    try {
      const [listed = null] = await list(accounts.reach(account.upstream_id, team), { offset, limit: 1 }, signal)
      return listed
    } catch (error) {
      if (signal.aborted || !(error instanceof Refusal)) throw error
      return null
    }
  }

  /** Nothing is written where nothing differs, so that an ordinary sync only reads. */
  async function keep({ account, team, sync }: Reading, fresh: readonly ListedConversation[]): Promise<void> {
    sync.seen += fresh.length
    const upstream_id = account.upstream_id
    if ((await planOf(open.database, fresh, { upstream_id, team })).isEmpty) return
    let counts: Counts = { added: 0, renamed: 0, back: 0 }
    await saveWith(async trx => {
      const plan = await planOf(trx, fresh, { upstream_id, team })
      counts = await carryOut(trx, plan)
      return progressOf(plus(sync, counts))
    })
    Object.assign(sync, plus(sync, counts))
  }

  async function planOf(database: Database, listed: readonly ListedConversation[], at: At) {
    const rows = await upstreamCopyStore(database).known(listed.map(({ id }) => id))
    const known = Map.groupBy(rows, row => row.upstream_conversation_id ?? '')
    const added = listed.filter(({ id }) => !known.has(id)).map(each => foundAt(each, at, clock.now()))
    const changed = listed.flatMap(each =>
      (known.get(each.id) ?? []).flatMap(row => {
        const isHere = row.upstream_id === at.upstream_id
        // Two accounts may be one upstream; only one that is gone, or does not know it, leaves it to another.
        if (
          !isHere &&
          row.gone_upstream_time === null &&
          row.upstream_id !== null &&
          upstreams.find(row.upstream_id) !== null
        )
          return []
        const changes = { ...changesOf(row, each, at.team), ...(!isHere && { upstream_id: at.upstream_id }) }
        return Object.keys(changes).length === 0 ? [] : [{ id: row.id, changes }]
      }),
    )
    return { added, changed, isEmpty: added.length + changed.length === 0 }
  }

  return { syncAccount }
}

type Database = OpenDatabase['database'] | Transaction
type At = { upstream_id: number; team: string | null }
type Plan = {
  added: ReturnType<typeof foundAt>[]
  changed: { id: number; changes: Parameters<ReturnType<typeof upstreamCopyStore>['change']>[1] }[]
}

const beginningOf = ({ upstream_id }: Account): AccountSync => ({
  ...{ upstream_id, seen: 0, added: 0, renamed: 0, back: 0, gone: 0 },
  listing: 'stopped',
  message: null,
})

const plus = (sync: AccountSync, { added, renamed, back }: Counts): AccountSync => ({
  ...sync,
  added: sync.added + added,
  renamed: sync.renamed + renamed,
  back: sync.back + back,
})

/** Times in the future become now: otherwise the conversation would stay at the top of the list. */
const foundAt = ({ id, title, create_time }: ListedConversation, { upstream_id, team }: At, now: number) => ({
  upstream_id,
  upstream_conversation_id: id,
  source_id: team,
  title: titleOf(title),
  create_time: Math.min(create_time ?? now, now),
})

async function carryOut(trx: Transaction, { added, changed }: Plan): Promise<Counts> {
  const store = upstreamCopyStore(trx)
  if (added.length > 0) await store.add('openai_web', added)
  for (const { id, changes } of changed) await store.change(id, changes)
  return {
    added: added.length,
    renamed: changed.filter(({ changes }) => changes.title !== undefined).length,
    back: changed.filter(({ changes }) => changes.gone_upstream_time === null).length,
  }
}
