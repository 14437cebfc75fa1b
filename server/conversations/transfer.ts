import { createHash } from 'node:crypto'
import type { Configuration } from '#contract/configuration/configuration.ts'
import { Uuid } from '#contract/envelope.ts'
import { attachmentsOf, isThoughts } from '#contract/messages.ts'
import type { Source } from '#contract/models.ts'
import type { ImportedConversation, ImportedMessage, ImportResult, exportConversations } from '#contract/transfer.ts'
import { keptFileStore } from '#server/files/keptStore.ts'
import { userStore } from '#server/users/store.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase, Transaction } from '#server/foundation/database/open.ts'
import type { SearchIndex, SearchedMessage } from '#server/foundation/search/search.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { ResultOf } from '#contract/call.ts'
import type { ConversationHistory } from '#contract/conversations.ts'
import { isFull, requireConversationAllowed, requireNotFull, type Size } from './conversationLimits.ts'
import { searchedOf, messageStore } from './messageStore.ts'
import { type ConversationRow, conversationStore, SHOWN } from './store.ts'
import { titleOf } from './titles.ts'
import { transferStore } from './transferStore.ts'
import { toHistory } from './history.ts'

/** The web source continues its own conversations only; with an API any history can go on (decision 015). */
const SOURCE: Source = 'openai_api'

type Dependencies = { open: OpenDatabase; clock: Clock; search: SearchIndex; configuration(): Configuration }
type ImportTarget = { conversation_id: string; known: ConversationRow | undefined }

/** Takes conversations from a file. Each is a transaction of its own, and may come in parts, one after the other. */
export function openImport({ open, clock, search, configuration }: Dependencies) {
  return async (user_id: number, conversations: readonly ImportedConversation[]): Promise<ImportResult[]> => {
    const results: ImportResult[] = []
    // Once a conversation is full, none of its further parts is taken, however small: its messages would lack those
    // they answer.
    const full = new Map<string, ImportResult>()
    for (const conversation of conversations) {
      const before = full.get(conversation.id)
      const result =
        before === undefined
          ? await importOrRefuse(user_id, conversation)
          : { ...before, outcome: 'present' as const, added: 0, left: conversation.messages.length }
      if (result.left !== undefined) full.set(conversation.id, result)
      results.push(result)
    }
    return results
  }

  async function importOrRefuse(user_id: number, conversation: ImportedConversation): Promise<ImportResult> {
    try {
      return await open.transaction(trx => importOne(trx, user_id, conversation))
    } catch (error) {
      // The other conversations of the file are still imported.
      if (!(error instanceof Refusal)) throw error
      return { conversation_id: null, outcome: 'refused', added: 0, reason: error.message }
    }
  }

  async function importOne(
    trx: Transaction,
    user_id: number,
    conversation: ImportedConversation,
  ): Promise<ImportResult> {
    // Serialises imports of one person, so that the second finds what the first has stored, and keeps out their asks.
    await userStore(trx).lock(user_id, open.engine)
    const target = await findTarget(trx, user_id, conversation.id)
    const { conversation_id, known } = target
    // A conversation of the web source is the provider's: nothing is added to it here.
    if (known?.is_valid && known.source !== SOURCE)
      return { conversation_id, outcome: 'present', added: 0, reason: null }
    const back = known === undefined || !known.is_valid
    if (back)
      await requireConversationAllowed(trx, user_id, SOURCE, { engine: open.engine, configuration: configuration() })
    const { in_parts } = conversation
    if (known === undefined && in_parts === undefined)
      requireNotFull({ messages: (conversation.message_count ?? 0) - 1, bytes: 0 }, configuration())
    if (known === undefined) await store(trx).insert(rowOf(user_id, conversation_id, conversation, clock.now()))
    const { added, left, current, file_ids } = await addMissing(trx, target, conversation)
    // What went with no question is removed after a day.
    if (file_ids.length > 0)
      await keptFileStore(trx).used(user_id, file_ids, { used_time: clock.now(), conversation_id })
    // A conversation without a message is none. The refusal rolls its row back.
    if (known === undefined && added === 0) throw new Refusal('missingMessage')
    if (back || added > 0) {
      await store(trx).change(conversation_id, {
        ...SHOWN,
        ...(current !== undefined && { current_node: current }),
        update_time: Math.max(known?.update_time ?? 0, past(conversation.update_time, clock.now())),
      })
    }
    // Only now it is known to be the first of several parts. A title that somebody has changed is kept.
    if (left > 0 && in_parts === 1 && (known === undefined || known.title === titleOf(conversation.title))) {
      await store(trx).change(conversation_id, { title: titleOf(conversation.title, 1) })
    }
    const outcome = known === undefined ? 'new' : back || added > 0 ? 'completed' : 'present'
    return { conversation_id, outcome, added, ...(left > 0 && { left }), reason: null }
  }

  /**
   * The person's own conversation has its original id; one of another portal has the id that its first import derived
   * from it.
   */
  async function findTarget(trx: Transaction, user_id: number, original: string): Promise<ImportTarget> {
    const derived = importedConversationId(user_id, original)
    const own = await store(trx).ownAmong(user_id, [original, derived])
    const known = own.find(({ conversation_id }) => conversation_id === original) ?? own[0]
    // An administrator has assigned it to somebody else since.
    if (known === undefined && (await conversationStore(trx).find(derived)) !== undefined)
      throw new Refusal('conversationNotFound')
    return { conversation_id: known?.conversation_id ?? derived, known }
  }

  /** Stores the messages that are missing, but for withdrawn ones and those that follow them. */
  async function addMissing(
    trx: Transaction,
    { conversation_id, known }: ImportTarget,
    conversation: ImportedConversation,
  ): Promise<Added> {
    const there = await store(trx).positionsOfMessages(conversation_id)
    const missing = missingOf(conversation_id, conversation, there, clock.now())
    const size = await messageStore(trx).size(conversation_id)
    const taken = conversation.in_parts === undefined ? missing : fitting(missing, size, configuration())
    if (taken.length > 0 || (missing.length > 0 && size.messages === 0)) {
      const bytes = taken.length === 0 ? (missing[0]?.bytes ?? 0) : taken.reduce((sum, each) => sum + each.bytes, 0)
      requireNotFull({ messages: size.messages + taken.length - 1, bytes: size.bytes + bytes }, configuration())
    }
    const end = there.reduce((most, { position }) => Math.max(most, position), 0)
    await store(trx).addMessages(
      conversation_id,
      end + 1,
      taken.map(({ row }) => row),
    )
    await search.add(
      trx,
      taken.flatMap(({ searched }) => searched),
    )
    const wanted = nodeOf(conversation_id, conversation.current_node)
    const found = taken.find(({ row }) => row.message_id === wanted)
    // While further parts are to come, the current node is the end of this part, unless the file's current node is
    // stored already.
    const grows = conversation.in_parts !== undefined && !there.some(({ message_id }) => message_id === wanted)
    const last = known?.current_node == null || grows ? taken.findLast(({ row }) => !isThoughts(row)) : undefined
    return {
      added: taken.length,
      left: leftOf(conversation, missing.slice(taken.length)),
      current: (found ?? last)?.row.message_id,
      file_ids: [...new Set(taken.flatMap(({ row }) => filesHereIn(row)))],
    }
  }
}

/** `file_ids`: of files here that the messages show or name. */
type Added = { added: number; left: number; current: string | undefined; file_ids: readonly string[] }
type Missing = { at: number; row: ReturnType<typeof messageRow>; searched: SearchedMessage[]; bytes: number }
type There = { message_id: string; withdraw_time: number | null }[]

function missingOf(
  conversation_id: string,
  { messages, create_time }: ImportedConversation,
  there: There,
  now: number,
): Missing[] {
  const known = new Set(there.map(({ message_id }) => message_id))
  const withdrawn = new Set(
    there.filter(({ withdraw_time }) => withdraw_time !== null).map(({ message_id }) => message_id),
  )
  const missing: Missing[] = []
  for (const [at, message] of messages.entries()) {
    const row = messageRow(conversation_id, message, create_time, now)
    if (row.parent !== null && withdrawn.has(row.parent)) withdrawn.add(row.message_id)
    if (known.has(row.message_id) || withdrawn.has(row.message_id)) continue
    missing.push({
      at,
      row: { ...row, parent: row.parent !== null && known.has(row.parent) ? row.parent : null },
      searched: searchedOf(conversation_id, [{ ...message, id: row.message_id }]),
      bytes: bytesOf(row.content) + bytesOf(row.message_metadata),
    })
    known.add(row.message_id)
  }
  return missing
}

/** The first messages, as many as fit. */
function fitting(missing: readonly Missing[], size: Size, configuration: Configuration): readonly Missing[] {
  let bytes = size.bytes
  const over = missing.findIndex((each, at) => {
    bytes += each.bytes
    return isFull({ messages: size.messages + at, bytes }, configuration)
  })
  return over < 0 ? missing : missing.slice(0, over)
}

/** How many messages are left, from the first that did not fit. */
function leftOf({ messages }: ImportedConversation, [first]: readonly Missing[]): number {
  return first === undefined ? 0 : messages.length - first.at
}

const store = transferStore

const SHOWN_FILE = /\/api\/files\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\/content/g

function filesHereIn({ content, message_metadata }: ReturnType<typeof messageRow>): string[] {
  const shown = JSON.stringify(content).matchAll(SHOWN_FILE)
  const named = attachmentsOf({ metadata: message_metadata }).filter(({ id }) => Uuid.safeParse(id).success)
  return [...[...shown].flatMap(([, id]) => id ?? []), ...named.map(({ id }) => id)]
}

const bytesOf = (stored: unknown) => (stored === null ? 0 : Buffer.byteLength(JSON.stringify(stored)))

const nodeOf = (conversation_id: string, original: string | null) =>
  original === null ? null : importedMessageId(conversation_id, original)

function rowOf(
  user_id: number,
  conversation_id: string,
  { title, in_parts, create_time, update_time, current_model }: ImportedConversation,
  now: number,
) {
  return {
    conversation_id,
    user_id,
    source: SOURCE,
    title: titleOf(title, in_parts === 1 ? undefined : in_parts),
    is_valid: true,
    current_model,
    create_time: past(create_time, now),
    update_time: past(update_time, now),
  }
}

function messageRow(conversation_id: string, message: ImportedMessage, fallback: string, now: number) {
  const { id, parent, role, author_name, model, content, metadata } = message
  return {
    message_id: importedMessageId(conversation_id, id),
    parent: nodeOf(conversation_id, parent),
    role,
    author_name,
    model,
    content,
    message_metadata: metadata,
    create_time: past(message.create_time ?? fallback, now),
  }
}

/** Times in the future become now: otherwise the conversation would stay at the top of the list. */
function past(time: string, now: number): number {
  return Math.min(Math.max(Date.parse(time) || 0, 0), now)
}

/** Derived from the person and the original id, so that a second import of the same file finds the conversation. */
const importedConversationId = (user_id: number, original: string): string =>
  idFrom(`conversation\n${user_id}\n${original}`)

/**
 * Messages keep their ids, which must be unique in their conversation only. An id of another form is replaced by a
 * derived one.
 */
function importedMessageId(conversation_id: string, original: string): string {
  return Uuid.safeParse(original).success ? original.toLowerCase() : idFrom(`message\n${conversation_id}\n${original}`)
}

/** A UUID of version 8, which is for ids of the program's own making. */
function idFrom(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex')
  const variant = ((parseInt(hex.slice(16, 17), 16) & 0x3) | 0x8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** Characters of JSON. A page of the export ends with the conversation that reaches this size. */
const PAGE_CHARACTERS = 1_000_000
const PAGE_SIZE = 100

type ExportPage = ResultOf<typeof exportConversations>

/** One's own conversations, as many at a time as make an answer of bounded size. */
export function openExport({ open }: { open: OpenDatabase }) {
  const [transfer, messages] = [transferStore(open.readOnly()), messageStore(open.readOnly())]
  return async (user_id: number, after: string | undefined): Promise<ExportPage> => {
    const [rows, total] = await Promise.all([
      transfer.validAfter(user_id, Number(after ?? 0), PAGE_SIZE),
      transfer.countValid(user_id),
    ])
    const conversations: ConversationHistory[] = []
    let size = 0
    for (const row of rows) {
      const history = toHistory(row, await messages.listOf(row.conversation_id), undefined)
      conversations.push(history)
      size += JSON.stringify(history.mapping).length
      if (size >= PAGE_CHARACTERS) break
    }
    const all = conversations.length === rows.length && rows.length < PAGE_SIZE
    return { conversations, next: all ? null : String(rows[conversations.length - 1]?.id), total }
  }
}
