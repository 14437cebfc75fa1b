import type { Configuration } from '#contract/configuration/configuration.ts'
import type { ConversationHistory, ConversationRecord } from '#contract/conversations.ts'
import { userStore } from '#server/users/store.ts'
import { failureStore } from '#server/asks/failureStore.ts'
import { askStore, type LivingAsk } from '#server/asks/store.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase, Transaction } from '#server/foundation/database/open.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { ChangedPart } from '#server/sources/ports.ts'
import type { Sources } from '#server/sources/source.ts'
import type { Upstreams } from '#server/upstreams/upstreams.ts'
import { withFileLinks } from '#contract/oldClients.ts'
import type { RefusalKey } from '#contract/refusals.ts'
import { auditDeletion, auditVisibility, reassign } from './auditing.ts'
import { requireConversationAllowed } from './conversationLimits.ts'
import { sourceOf, toHistory, toMapping, toRecord, withFailures, iso } from './history.ts'
import { openOwned, type Owned, type Reader } from './owned.ts'
import { keepState } from './keepRequests.ts'
import { DAY, endedBy, type KeepingTerms, NOTICE_MS, type Terms } from './terms.ts'
import { messageStore, messageTreeStore } from './messageStore.ts'
import { deletionStore } from './deletionStore.ts'
import {
  type ConversationChanges,
  conversationStore,
  hidden,
  SHOWN,
  closedReason,
  isVanishing,
  type ConversationRow,
  hasUpstreamCopy,
} from './store.ts'

/**
 * Milliseconds for which the list marks a conversation whose answer broke off. A bound keeps the query fast for people
 * who have asked a lot.
 */
const NEWS_MS = 7 * 24 * 60 * 60 * 1000

/** What the list says of a question without an answer. */
const failureOf = ({ failure_key }: { failure_key: string | null }): Partial<ConversationRecord> =>
  failure_key === 'quietOver' ? { unanswered: true, quiet_over: true } : { unanswered: true }

/** What the list says of an ask that runs or waits. */
const askOf = ({ ask_id, ask_state, quiet_until }: LivingAsk): Partial<ConversationRecord> =>
  ask_state === 'quiet' ? { quiet_ask: { ask_id, until: iso(quiet_until ?? 0) } } : { running_ask: ask_id }

export type Conversations = ReturnType<typeof openConversations>

type Dependencies = {
  open: OpenDatabase
  clock: Clock
  upstreams: Pick<Upstreams, 'find' | 'findFor'>
  configuration(): Configuration
  sources: Sources
  terms: KeepingTerms
  /** Something was deleted that is kept for no day. */
  onEnding(): void
}

/** The conversations people keep (the specification, sections 3 and 4). */
export function openConversations(dependencies: Dependencies) {
  const { open, clock, configuration, sources, terms, onEnding } = dependencies
  const store = conversationStore(open.database)
  const failedAsks = failureStore(open.database)
  const [asks, users] = [askStore(open.database), userStore(open.database)]
  const readAvailability = openAvailability(dependencies)
  const changeEverywhere = openChanging(dependencies)
  const { requireAnyOwned, requireOwned, requireUsable } = openUsable(dependencies)

  /** Where nothing that is deleted is kept, it goes now. */
  async function endNow(user_id: number | null): Promise<void> {
    const { deleted_days, is_held } = await terms.readOf(user_id)
    if (deleted_days === 0 && !is_held) onEnding()
  }

  async function reread(conversation_id: string): Promise<ConversationRecord> {
    const row = await store.find(conversation_id)
    if (row === undefined) throw new Refusal('conversationNotFound')
    return toRecord(row)
  }

  return {
    requireOwned,
    requireUsable,

    async listOwn(user_id: number): Promise<ConversationRecord[]> {
      const [rows, living, failed, broken] = await Promise.all([
        store.listForUser(user_id),
        asks.livingOf(user_id),
        store.unansweredOf(user_id),
        failedAsks.brokenOffOf(user_id, clock.now() - NEWS_MS),
      ])
      const availabilityOf = await readAvailability(user_id, rows)
      const running = new Map(living.map(ask => [ask.conversation_id, ask]))
      const unanswered = new Map(failed.map(ask => [ask.conversation_id, failureOf(ask)]))
      const brokenOff = new Set(broken.map(({ conversation_id }) => conversation_id))
      return rows.map(row => {
        const record = { ...toRecord(row), ...availabilityOf(row) }
        const ask = running.get(row.conversation_id)
        if (ask !== undefined) return { ...record, ...askOf(ask) }
        const failure = unanswered.get(row.conversation_id)
        return { ...record, ...(failure ?? (brokenOff.has(row.conversation_id) && { broken_off: true as const })) }
      })
    },
    listAll: async (valid_only: boolean) => (await store.listAll(valid_only)).map(toRecord),

    upToDate: openRefresh(dependencies),

    /**
     * Failures are looked up in the tree without thoughts, also when thoughts are asked for: a question that only
     * thoughts follow has no answer.
     */
    async history(reader: Reader, conversation: Owned, withThoughts: boolean): Promise<ConversationHistory> {
      const [messages, running] = await Promise.all([
        messageStore(open.database).listOf(conversation.conversation_id),
        asks.livingIn(conversation.conversation_id),
      ])
      const [latest] = running
      // Only whoever asked can follow the answer: an administrator who reads the conversation, or its new owner,
      // cannot.
      const followed = latest && { ...latest, ask_id: latest.user_id === reader.id ? latest.ask_id : null }
      const plain = await withFailures(toHistory(conversation, messages, followed), failedAsks)
      const mapping = withThoughts ? toMapping(messages, plain.source) : withLinks(plain.mapping)
      const { user_id } = conversation
      const history = { ...plain, mapping, ...(await readAvailability(user_id, [conversation]))(conversation) }
      return user_id === reader.id
        ? history
        : { ...history, owner: user_id === null ? null : ((await users.nicknameOf(user_id)) ?? null) }
    },

    async rename(conversation: Owned, title: string): Promise<ConversationRecord> {
      await changeEverywhere(conversation.conversation_id, 'title', { title, has_own_title: true })
      return reread(conversation.conversation_id)
    },

    /** Marks it invalid: it leaves the list and is kept (the specification, section 4). */
    async delete(reader: Reader, conversation_id: string): Promise<void> {
      const { is_valid, user_id } = await requireAnyOwned(reader, conversation_id)
      if (!is_valid) throw new Refusal('conversationAlreadyDeleted')
      await changeEverywhere(conversation_id, 'visibility', hidden(clock.now(), reader.id))
      await endNow(user_id)
    },

    async restore(reader: Reader, conversation_id: string): Promise<ConversationRecord> {
      const row = await requireAnyOwned(reader, conversation_id)
      await changeEverywhere(conversation_id, 'visibility', SHOWN, async trx => {
        const present = await conversationStore(trx).findForUpdate(conversation_id, open.engine)
        if (present === undefined || isVanishing(present)) throw new Refusal('conversationNotFound')
        // Otherwise deleting, starting another and restoring would get around the limit.
        if (!row.is_valid && row.user_id === reader.id)
          await requireConversationAllowed(trx, reader.id, sourceOf(row), {
            engine: open.engine,
            configuration: configuration(),
          })
      })
      return reread(conversation_id)
    },

    /** Recorded as one deletion, so that all of it can be restored together. */
    async deleteAllOf(user_id: number): Promise<void> {
      await open.transaction(async trx => {
        const now = clock.now()
        const { id } = await deletionStore(trx).insert({ create_time: now, deleted_by: user_id })
        await conversationStore(trx).hideAllOf(user_id, now, id)
        await auditDeletion(trx, id, user_id)
        await sources.noteChange(trx, { deletion_id: id }, 'visibility', now)
      })
      sources.sendChanges()
      await endNow(user_id)
    },

    /** All digits are a user id first; anything else, and an id nobody has, is a user name. */
    async assign(conversation: Owned, user: string): Promise<void> {
      const byId = /^\d{1,15}$/.test(user) ? await users.find(Number(user)) : undefined
      const found = byId ?? (await users.findExactly(user))
      if (found === undefined) throw new Refusal('userNotFound')
      await reassign({ open, clock }, conversation.conversation_id, found.id)
    },
  }
}

/** Finds conversations for whoever may see and work on them. */
function openUsable({ open, sources }: Dependencies) {
  const { requireAnyOwned, requireOwned } = openOwned(open)

  /**
   * One that may be worked on. Its source may leave its owner nothing but reading and deleting it; superusers who look
   * after somebody else's are not asked.
   */
  async function requireUsable(reader: Reader, conversation_id: string): Promise<Owned> {
    const conversation = await requireOwned(reader, conversation_id)
    const closed =
      conversation.user_id === reader.id ? (await sources.closedTo(reader.id, [conversation]))(conversation) : null
    if (closed !== null) throw new Refusal(closed)
    return conversation
  }

  return { requireAnyOwned, requireOwned, requireUsable }
}

type Changing = (
  conversation_id: string,
  part: ChangedPart,
  change: ConversationChanges,
  before?: (trx: Transaction) => Promise<void>,
) => Promise<void>

/** Changes a conversation; its upstream hears of it in the background. */
function openChanging({ open, clock, sources }: Dependencies): Changing {
  return async (conversation_id, part, change, before = () => Promise.resolve()) => {
    await open.transaction(async trx => {
      await before(trx)
      await conversationStore(trx).change(conversation_id, change)
      if (change.is_valid !== undefined) await auditVisibility(trx, conversation_id, change.is_valid)
      await sources.noteChange(trx, { conversation_id }, part, clock.now())
    })
    sources.sendChanges()
  }
}

type UpToDate = { conversation: Owned; stored_copy?: string }

/**
 * Brings a conversation up to date with its upstream, where one keeps it; gives what is stored where that cannot be
 * done. While an answer grows, what is stored is the newest.
 */
function openRefresh({ open, sources }: Dependencies) {
  return async (conversation: Owned): Promise<UpToDate> => {
    const { conversation_id } = conversation
    if ((await askStore(open.database).livingIn(conversation_id)).length > 0) return { conversation }
    const isStored = await messageTreeStore(open.database).isBegun(conversation_id)
    const refusal = (await sources.of(sourceOf(conversation)).conversations?.refresh(conversation, isStored)) ?? null
    if (refusal !== null && !isStored) throw refusal
    const row = await conversationStore(open.database).find(conversation_id)
    return { conversation: (row ?? conversation) as Owned, ...copyOf(refusal) } // the same conversation
  }
}

/** Tells the reader why only what is stored is shown. */
const copyOf = (refusal: Refusal | null): { stored_copy?: string } =>
  refusal === null ? {} : { stored_copy: `errors.${refusal.key}` }

type Availability = Pick<
  ConversationRecord,
  'read_only' | 'gone_upstream' | 'cooling_until' | 'ends' | 'ends_by' | 'keep'
>

const goneSince = ({ gone_upstream_time: time }: ConversationRow): Pick<Availability, 'gone_upstream'> =>
  time === null ? {} : { gone_upstream: iso(time) }

/** Why nothing can be asked in conversations of a person, and until when an account is not asked. */
function openAvailability({ clock, upstreams, sources, terms }: Dependencies) {
  /**
   * Why nothing can be asked; null when something can. One that has an upstream copy cannot go on without this
   * upstream.
   */
  function reasonOf(row: ConversationRow): RefusalKey | null {
    if (!hasUpstreamCopy(row)) return null
    const upstream = row.upstream_id === null ? undefined : upstreams.find(row.upstream_id)
    if (upstream === null) return 'upstreamGone'
    const closed = closedReason(row, clock.now())
    if (closed !== null) return closed
    return upstream?.enabled === false || (upstream?.paused_since ?? null) !== null ? 'upstreamNotAvailable' : null
  }

  function coolingUntil({ upstream_id, current_model }: ConversationRow): number | null {
    const there = upstream_id === null ? null : upstreams.findFor(upstream_id, current_model ?? '')
    const health = there?.health
    return health?.state === 'cooling' && health.until > clock.now() ? health.until : null
  }

  /** `rows` are conversations of this person. */
  return async (
    user_id: number | null,
    rows: readonly ConversationRow[],
  ): Promise<(row: ConversationRow) => Availability> => {
    const closed = await sources.closedTo(user_id, rows)
    const own = await terms.readOf(user_id)
    return row => ({ ...endOf(row, own), ...askedIn(row) })

    function endOf(row: ConversationRow, own: Terms): Availability {
      const keep = keepState(row)
      const ends = terms.endOfAged(row, own)
      if (ends === null || ends > clock.now() + SHOWN_MS) return keep === null ? {} : { keep }
      return { ends: iso(ends), ends_by: endedBy(own), ...(keep !== null && { keep }) }
    }

    function askedIn(row: ConversationRow): Availability {
      const reason = closed(row) ?? reasonOf(row)
      if (reason !== null) return { read_only: `errors.${reason}`, ...goneSince(row) }
      const until = hasUpstreamCopy(row) ? coolingUntil(row) : null
      return until === null ? {} : { cooling_until: iso(until) }
    }
  }
}

/** Milliseconds before its end at which the end of a conversation is shown: the notice, and the night it ends in. */
const SHOWN_MS = NOTICE_MS + DAY

const withLinks = (mapping: ConversationHistory['mapping']): ConversationHistory['mapping'] =>
  Object.fromEntries(Object.entries(mapping).map(([id, message]) => [id, withFileLinks(message)]))
