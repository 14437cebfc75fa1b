import type { Configuration } from '#contract/configuration/configuration.ts'
import { isShown } from '#contract/messages.ts'
import { askStore } from '#server/asks/store.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase, SendWithCommit, Transaction } from '#server/foundation/database/open.ts'
import type { SearchQueue } from '#server/foundation/search/searchQueue.ts'
import type { Log } from '#server/foundation/logging.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { UpstreamConversation } from '#server/providers/ports.ts'
import { isHealthy } from '#server/upstreams/health.ts'
import { isFull } from '#server/conversations/conversationLimits.ts'
import { toMessage } from '#server/conversations/history.ts'
import { messageStore, messageTreeStore } from '#server/conversations/messageStore.ts'
import { type ConversationRow, conversationStore } from '#server/conversations/store.ts'
import { titleOf } from '#server/conversations/titles.ts'
import { type UpstreamCopies, readUnlessUnknown } from './copies.ts'
import { merged, modelAt } from './merging.ts'

/** Milliseconds that a reader waits for the upstream when there is a copy. */
const PATIENCE = 5_000
/** What an upstream calls a conversation that has no title. */
const NO_TITLE = /^new chat$/i

type Dependencies = {
  open: OpenDatabase
  clock: Clock
  log: Log
  searchQueue: Pick<SearchQueue, 'add' | 'wake'>
  configuration(): Configuration
  copies: UpstreamCopies
}

/**
 * Brings what is stored of a conversation up to date with its upstream, where one keeps it. Gives the reason why it
 * could not: what is stored is then all that there is. Readers of the same moment share one request.
 */
export function openReading(dependencies: Dependencies) {
  const { clock, log, copies } = dependencies
  const underWay = new Map<string, Promise<Refusal | null>>()

  async function refresh(row: ConversationRow, hasCopy: boolean): Promise<Refusal | null> {
    const copy = copies.of(row)
    if (copy === null || copy instanceof Refusal) return copy
    const { health } = copy.upstream
    // An account that is asked too often as it is, or whose token is refused, is left alone.
    if (hasCopy && health.state !== 'normal' && !isHealthy(health, clock.now())) return new Refusal(health.reason)
    const { common_timeout } = dependencies.configuration().openai_web
    const deadline = AbortSignal.timeout(hasCopy ? Math.min(PATIENCE, common_timeout * 1000) : common_timeout * 1000)
    try {
      const kept = await readUnlessUnknown(copy, deadline)
      if (kept === null) return await markGone(dependencies, row)
      await store(dependencies, row, kept)
      return null
    } catch (error) {
      if (error instanceof Refusal) return error
      if (deadline.aborted) return new Refusal('upstreamTimeout')
      log.error(
        { err: error, conversation_id: row.conversation_id },
        'a conversation could not be read at its upstream',
      )
      return new Refusal('unknownError')
    }
  }

  return (row: ConversationRow, hasCopy: boolean): Promise<Refusal | null> => {
    const { conversation_id: id } = row
    const known = underWay.get(id)
    if (known !== undefined) return known
    const reading = refresh(row, hasCopy).finally(() => underWay.delete(id))
    underWay.set(id, reading)
    return reading
  }
}

/** A conversation that its upstream does not know stays its owner’s; nothing more can be asked in it. */
async function markGone({ open, clock, log }: Dependencies, { conversation_id, gone_upstream_time }: ConversationRow) {
  if (gone_upstream_time === null) {
    await conversationStore(open.database).change(conversation_id, { gone_upstream_time: clock.now() })
    log.info({ conversation_id }, 'an upstream does not know a conversation')
  }
  return new Refusal('conversationGone')
}

async function store(dependencies: Dependencies, { conversation_id }: ConversationRow, kept: UpstreamConversation) {
  const { open, searchQueue } = dependencies
  const isSearched = await open.transaction(
    (trx, sendWithCommit) => keep(trx, sendWithCommit, dependencies, conversation_id, kept),
    { lowPriority: true },
  )
  if (isSearched) searchQueue.wake()
}

/**
 * Stores what the upstream has more; says whether the search has to index something. While an ask runs nothing is
 * stored: its end stores the latest.
 */
async function keep(
  trx: Transaction,
  sendWithCommit: SendWithCommit,
  { open, searchQueue, configuration }: Dependencies,
  conversation_id: string,
  kept: UpstreamConversation,
): Promise<boolean> {
  const [conversations, messages, tree] = [conversationStore(trx), messageStore(trx), messageTreeStore(trx)]
  const row = await conversations.findForUpdate(conversation_id, open.engine)
  if (row === undefined || (await askStore(trx).livingIn(conversation_id)).length > 0) return false
  const [rows, size] = await Promise.all([tree.everyOf(conversation_id), messages.size(conversation_id)])
  const { asking } = configuration()
  const room = isFull(size, configuration())
    ? { messages: 0, bytes: 0 }
    : {
        messages: asking.max_messages_per_conversation - size.messages,
        bytes: asking.max_conversation_bytes - size.bytes,
      }
  const { added, changed, parents, current_node } = merged(rows, kept, row.current_node, room)
  await messages.add(conversation_id, [...added, ...changed])
  await tree.setParents(conversation_id, parents)
  const known = [...rows.map(each => toMessage(each, 'openai_web')), ...added]
  const model = current_node === undefined ? null : modelAt(known, current_node)
  const change = {
    ...newTitle(row, kept),
    ...metadataOf(row, kept),
    ...(row.gone_upstream_time !== null && { gone_upstream_time: null }),
    ...(current_node !== undefined && { current_node }),
    ...(model !== null && { current_model: model }),
    ...(added.length > 0 && { update_time: Math.max(row.update_time ?? 0, kept.update_time ?? 0) || row.update_time }),
  }
  if (Object.keys(change).length > 0) await conversations.change(conversation_id, change)
  const searched = [...added, ...changed].filter(isShown).map(({ id: message_id }) => ({ conversation_id, message_id }))
  if (searched.length > 0) sendWithCommit(searchQueue.add(trx, searched))
  return searched.length > 0
}

const saidTitle = (title: string | null): string | null => (NO_TITLE.test(title?.trim() ?? '') ? null : titleOf(title))

/** A title that a person gave here stays. */
function newTitle(row: ConversationRow, { title }: UpstreamConversation): { title?: string } {
  const theirs = saidTitle(title)
  return theirs === null || row.has_own_title || theirs === row.title ? {} : { title: theirs }
}

function metadataOf({ conversation_metadata }: ConversationRow, { metadata }: UpstreamConversation) {
  const isNews = ([name, value]: [string, unknown]) => name !== 'source' && value !== null && value !== undefined
  const next = { ...conversation_metadata, ...Object.fromEntries(Object.entries(metadata).filter(isNews)) }
  const isSame = JSON.stringify(next) === JSON.stringify(conversation_metadata ?? {})
  return isSame ? {} : { conversation_metadata: next }
}
