import type { AccountSync, ListingEnd } from '#contract/conversationSync.ts'
import { requirePort } from '#server/providers/provider.ts'
import { upstreamCopyStore } from '#server/conversations/upstreamCopyStore.ts'
import type { SyncDependencies } from './dependencies.ts'
import { isUnknown } from '../conversations/unknown.ts'
import { isShort } from './rules.ts'

/** Conversations that are looked at in one query. */
const BATCH = 500
/** Conversations of an account that one sync asks for by themselves; the others’ turn comes with another sync. */
const MAX_ASKED = 200

type Missing = { id: number; upstream_conversation_id: string; source_id: string | null }

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
  }: Marking): Promise<{ known: number; missing: Missing[] }> {
    const missing: Missing[] = []
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

  async function isGone({ upstream_id, signal }: Marking, { upstream_conversation_id, source_id }: Missing) {
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
