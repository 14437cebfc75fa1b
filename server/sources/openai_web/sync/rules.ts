import type { ListingEnd, AccountSync } from '#contract/conversationSync.ts'
import type { ConversationRow } from '#server/conversations/store.ts'
import { titleOf } from '#server/conversations/titles.ts'
import { upstreamCopyStore } from '#server/conversations/upstreamCopyStore.ts'
import type { ListedConversation } from '#server/providers/ports.ts'
import { requirePort } from '#server/providers/provider.ts'
import { isUnknown } from '../conversations/copies.ts'
import type { SyncDependencies } from './accounts.ts'

export type KnownConversation = Pick<
  ConversationRow,
  'id' | 'title' | 'has_own_title' | 'source_id' | 'gone_upstream_time'
>

type Changes = Partial<Omit<KnownConversation, 'id'>>

/** Ids that no upstream gives are left alone: they could not be stored, or not be asked for. */
const ID = /^[\x21-\x7e]{1,200}$/

const isUsable = ({ id }: ListedConversation): boolean => ID.test(id)

/** What changes of a known conversation that its account lists, in the name of a team or of its person. */
export function changesOf(
  known: KnownConversation,
  listed: ListedConversation,
  team_account_id: string | null,
): Changes {
  return {
    ...titleChanges(known, titleOf(listed.title)),
    ...(known.gone_upstream_time !== null && { gone_upstream_time: null }),
    ...(team_account_id !== null && known.source_id === null && { source_id: team_account_id }),
  }
}

/** A title that a person gave stays. */
function titleChanges({ title, has_own_title }: KnownConversation, listed: string | null): Changes {
  return listed === null || listed === title || (has_own_title && title !== null) ? {} : { title: listed }
}

/** Conversations of one listing. More than any account has: a listing that goes on has no end. */
export const MAX_LISTED = 200_000
/** Pages, of which a hostile one may hold a single conversation. */
const MAX_PAGES = 20_000

/** What is known of a listing that is being read. */
export type ListedSoFar = { ids: Set<string>; pages: number; hasRepeats: boolean }

export const nothingSeen = (): ListedSoFar => ({ ids: new Set(), pages: 0, hasRepeats: false })

/** Takes a page in, and gives what of it is new. */
export function take(seen: ListedSoFar, page: readonly ListedConversation[]): ListedConversation[] {
  seen.pages += 1
  return page.filter(listed => {
    if (seen.ids.has(listed.id)) seen.hasRepeats = true
    else {
      seen.ids.add(listed.id)
      return isUsable(listed)
    }
    return false
  })
}

/** How the listing ends with this page, of which so many were new; null when it goes on. */
export function endAfter(seen: ListedSoFar, { length }: readonly unknown[], fresh: number): ListingEnd | null {
  if (length === 0) return seen.ids.size === 0 ? 'empty' : seen.hasRepeats ? 'repeated' : 'whole'
  if (fresh === 0) return 'repeated'
  return seen.ids.size >= MAX_LISTED || seen.pages >= MAX_PAGES ? 'endless' : null
}

/** So many may be missing in a listing that is believed: a quarter of those that are known, or a few. */
const MIN_MISSING = 20

/** Whether a listing that came to its end lacks more than can have gone. */
export const isShort = ({ known, missing }: { known: number; missing: number }): boolean =>
  missing > Math.max(MIN_MISSING, known / 4)

/** Conversations that are looked at in one query. */
const BATCH = 500
/** Conversations of an account that one sync asks for by themselves; the others’ turn comes with another sync. */
const MAX_ASKED = 200

type MissingConversation = { id: number; upstream_conversation_id: string; source_id: string | null }

type Marking = {
  upstream_id: number
  /** Whose listings were whole. */
  teams: readonly (string | null)[]
  listed: ReadonlySet<string>
  /** When the listing began: what is newer may not be in it. */
  began: number
  sync: AccountSync
  signal: AbortSignal
}

type Dependencies = SyncDependencies & { note(current: AccountSync): Promise<void> }

/**
 * Marks what an account does not know. A listing that lacks a conversation only raises the question: each is asked for
 * by itself, and is marked when the upstream answers that there is none (decision 040). It stays valid, and its
 * owner’s.
 */
export function openMissing({ open, clock, accounts, providers, note }: Dependencies) {
  /** Of the account’s person and team only what was listed: the others are not known to be missing. */
  async function missingOf({
    upstream_id,
    teams,
    listed,
    began,
  }: Marking): Promise<{ known: number; missing: MissingConversation[] }> {
    const missing: MissingConversation[] = []
    let known = 0
    for (let after = 0; ;) {
      const rows = await upstreamCopyStore(open.readOnly()).knownAt(upstream_id, { before: began, after, limit: BATCH })
      for (const { id, upstream_conversation_id, source_id } of rows) {
        if (upstream_conversation_id === null || !teams.includes(source_id)) continue
        known += 1
        if (!listed.has(upstream_conversation_id)) missing.push({ id, upstream_conversation_id, source_id })
      }
      after = rows.at(-1)?.id ?? after
      if (rows.length < BATCH) return { known, missing }
    }
  }

  async function isGone(
    { upstream_id, signal }: Marking,
    { upstream_conversation_id, source_id }: MissingConversation,
  ) {
    const read = requirePort(providers.openai_web, 'readConversation')
    try {
      await read(accounts.reach(upstream_id, source_id), upstream_conversation_id, signal)
      return false
    } catch (error) {
      if (isUnknown(error)) return true
      throw error
    }
  }

  return {
    async mark(marking: Marking): Promise<ListingEnd> {
      const { sync, signal } = marking
      const found = await missingOf(marking)
      if (isShort({ known: found.known, missing: found.missing.length })) return 'short'
      for (const each of shuffled(found.missing).slice(0, MAX_ASKED)) {
        signal.throwIfAborted()
        if (!(await isGone(marking, each))) continue
        await open.transaction(trx => upstreamCopyStore(trx).markGone(each.id, clock.now()), { lowPriority: true })
        sync.gone += 1
        await note(sync)
      }
      return 'whole'
    },
  }
}

/** Those that are there although no list has them (archived ones, say) must not keep the others from their turn. */
function shuffled<T>(all: readonly T[]): T[] {
  return all
    .map(each => ({ each, order: Math.random() }))
    .toSorted((one, other) => one.order - other.order)
    .map(({ each }) => each)
}
