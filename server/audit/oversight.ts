import type { ResultOf, QueryOf } from '#contract/call.ts'
import {
  type listOversight,
  MAX_OWN_OVERSIGHT,
  type OversightReason,
  OVERSIGHT_MINUTES,
  type OversightRow,
  type StoredReason,
  WITHOUT_REASON,
  type listOwnOversight,
} from '#contract/oversight.ts'
import { rowsAsked } from '#contract/paging.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase, Transaction } from '#server/foundation/database/open.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { recordAudit, recordOnceIn } from './audit.ts'
import { type OversightRecord, oversightStore } from './oversightStore.ts'

/** A conversation, as far as this must know. */
type Conversation = { conversation_id: string; user_id: number | null }
/** A file, as far as this must know. */
type ReadFile = { owner_id: number | null; conversation_id: string | null }
type Reader = { id: number; is_superuser: boolean; nickname?: string }

type Dependencies = {
  open: OpenDatabase
  clock: Clock
  /** Whether a reason is required, whether owners see it, and for how many days it is kept. */
  settings(): { reason: boolean; shown: boolean; kept_days: number }
  nicknamesOf(ids: readonly number[]): Promise<ReadonlyMap<number, string>>
  titlesOf(conversation_ids: readonly string[]): Promise<ReadonlyMap<string, string>>
}

const MINUTE = 60_000
const DAY = 86_400_000
/** Milliseconds after a reading for which somebody is said to read. */
const READING_MS = 2 * MINUTE

export type Oversight = ReturnType<typeof openOversightService>

/** Reading what is somebody else's: opened with a reason for half an hour, written down, and seen by its owner. */
export function openOversightService({ open, clock, settings, nicknamesOf, titlesOf }: Dependencies) {
  const isForeign = (reader: Reader, { user_id }: Conversation): boolean => user_id !== null && user_id !== reader.id

  async function begin(
    trx: Transaction,
    reader: Reader,
    conversation: Conversation,
    why: Why,
  ): Promise<OversightRecord> {
    const now = clock.now()
    const row = await oversightStore(trx).insert({
      conversation_id: conversation.conversation_id,
      owner_id: conversation.user_id,
      viewer_id: reader.id,
      viewer_name: reader.nickname ?? '',
      oversight_reason: why.reason,
      sentence: why.text,
      open_time: now,
      until_time: now + OVERSIGHT_MINUTES * MINUTE,
    })
    await recordAudit(trx, {
      action: 'conversation.read',
      subject: { kind: 'conversation', id: conversation.conversation_id },
      after: { owner: conversation.user_id, reason: why.reason, text: why.text, minutes: OVERSIGHT_MINUTES },
    })
    return row
  }

  async function view(rows: readonly OversightRecord[]): Promise<OversightRow[]> {
    const [names, titles] = await Promise.all([
      nicknamesOf([...new Set(rows.flatMap(({ owner_id }) => owner_id ?? []))]),
      titlesOf([...new Set(rows.map(({ conversation_id }) => conversation_id))]),
    ])
    return rows.map(row => ({
      id: row.id,
      conversation_id: row.conversation_id,
      title: titles.get(row.conversation_id) ?? null,
      owner: row.owner_id === null ? null : { id: row.owner_id, name: names.get(row.owner_id) ?? null },
      viewer: { id: row.viewer_id, name: row.viewer_name },
      reason: row.oversight_reason as StoredReason, // only this file writes it
      text: row.sentence,
      time: iso(row.open_time),
      latest_time: row.latest_read_time === null ? null : iso(row.latest_read_time),
      until: iso(row.until_time),
      is_reading: row.latest_read_time !== null && clock.now() - row.latest_read_time < READING_MS,
    }))
  }

  return {
    /** Opens it, again also where it is open. */
    async open(reader: Reader, conversation: Conversation, why: Why): Promise<{ until: string }> {
      const row = await open.transaction(trx => begin(trx, reader, conversation, why))
      return { until: iso(row.until_time) }
    },

    /**
     * Before content of a conversation is read. One's own is not asked about, nor what is nobody's. `knowsReasons`: a
     * client of whom a reason can be required; what others read is written down without one.
     */
    async requireOpen(reader: Reader, conversation: Conversation, knowsReasons: boolean): Promise<void> {
      if (!isForeign(reader, conversation)) return
      const now = clock.now()
      const { conversation_id } = conversation
      const opened = await oversightStore(open.database).opened(conversation_id, reader.id, now)
      if (opened !== undefined) return oversightStore(open.database).read(opened.id, now)
      if (settings().reason && knowsReasons) throw new Refusal('oversightReasonRequired', { conversation_id })
      await open.transaction(async trx => {
        const { id } = await begin(trx, reader, conversation, { reason: WITHOUT_REASON, text: '' })
        await oversightStore(trx).read(id, now)
      })
    },

    /**
     * Before a file of somebody else is read: one of their conversations is open, or the one that it stands in.
     * `owner_id`: null where a model has made it.
     */
    async requireFileOpen(reader: Reader, { owner_id, conversation_id }: ReadFile): Promise<void> {
      if (owner_id === reader.id) return
      const now = clock.now()
      const store = oversightStore(open.database)
      const opened = await store.openedOf({ conversation_id, owner_id }, reader.id, now)
      if (opened !== undefined) return store.read(opened.id, now)
      if (settings().reason) throw new Refusal('oversightReasonRequired', { conversation_id })
      if (conversation_id === null) return noteFiles(open, owner_id)
      await open.transaction(async trx => {
        const why = { reason: WITHOUT_REASON, text: '' } as const
        const { id } = await begin(trx, reader, { conversation_id, user_id: owner_id }, why)
        await oversightStore(trx).read(id, now)
      })
    },

    /** What is open is still being read. */
    async goOn(reader: Reader, conversation_id: string): Promise<void> {
      const now = clock.now()
      const opened = await oversightStore(open.database).opened(conversation_id, reader.id, now)
      if (opened !== undefined) await oversightStore(open.database).read(opened.id, now)
    },

    async list(query: QueryOf<typeof listOversight>): Promise<ResultOf<typeof listOversight>> {
      const store = oversightStore(open.readOnly())
      const [rows, total] = await Promise.all([store.page(rowsAsked(query)), store.count()])
      return { rows: await view(rows), total }
    },

    async listOwn(user_id: number): Promise<ResultOf<typeof listOwnOversight>> {
      const { shown, kept_days } = settings()
      const rows = shown ? await oversightStore(open.database).ofOwner(user_id, MAX_OWN_OVERSIGHT) : []
      return { rows: await view(rows), unnoticed: rows.filter(({ is_noticed }) => !is_noticed).length, kept_days }
    },

    async notice(user_id: number): Promise<void> {
      await oversightStore(open.database).notice(user_id)
    },

    /** Removes what is older than it is kept. Gives how many. */
    removeOld: () => oversightStore(open.database).removeBefore(clock.now() - settings().kept_days * DAY),
  }
}

/** Files that stand in no conversation: there is none that could be open. */
async function noteFiles(open: OpenDatabase, owner_id: number | null): Promise<void> {
  if (owner_id === null) return
  const subject = { kind: 'user', id: owner_id } as const
  const after = { reason: WITHOUT_REASON, files: true }
  await open.transaction(trx =>
    recordOnceIn(trx, OVERSIGHT_MINUTES * MINUTE, { action: 'conversation.read', subject, after }),
  )
}

type Why = { reason: OversightReason | typeof WITHOUT_REASON; text: string }

const iso = (time: number): string => new Date(time).toISOString()
