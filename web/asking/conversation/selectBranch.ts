import { chooseBranch, type ConversationHistory } from '#contract/conversations.ts'
import { leafUnder, pathTo } from '#contract/messageTree.ts'
import { historyQuery } from '#web/conversations/useConversations.ts'
import { call, TransportFailure } from '#web/foundation/call.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { useSession } from '#web/foundation/session.ts'
import { readStoredObject, writeStored } from '#web/foundation/stored.ts'
import { updateCachedHistory } from '../asks/askCache.ts'

/** The child of each fork that was shown last, by conversation and parent. */
const shownLast = new Map<string, Map<string, string>>()

/** The leaf under a message that was shown last, else the newest. */
function leafShownLast({ _id, mapping }: ConversationHistory, message_id: string): string {
  return leafUnder(mapping, message_id, shownLast.get(_id))
}

/** The conversation on the branch of the message that the address names. */
export function throughTarget(history: ConversationHistory, target: string | null): ConversationHistory {
  const { mapping, current_node } = history
  if (
    target === null ||
    !Object.hasOwn(mapping, target) ||
    pathTo(mapping, current_node).some(({ id }) => id === target)
  )
    return history
  return { ...history, current_node: leafShownLast(history, target) }
}

/**
 * Shows the branch of a message: here at once, on other devices with their next fetch. Offline, the selection is sent
 * later.
 */
export function selectBranch(history: ConversationHistory, message_id: string): void {
  remember(history)
  const current_node = leafShownLast(history, message_id)
  const from =
    unsentSelection(history._id)?.from ??
    queryClient.getQueryData(historyQuery(history._id).queryKey)?.current_node ??
    null
  keepSelection(history._id, { leaf: current_node, from })
  updateCachedHistory(history._id, cached => ({ ...cached, current_node }))
  send(history._id)
}

/** Remembers the path that is about to be left, so that coming back leads to the same leaf. */
export function rememberPath(conversation_id: string): void {
  const history = queryClient.getQueryData(historyQuery(conversation_id).queryKey)
  if (history !== undefined) remember(history)
}

function remember({ _id, mapping, current_node }: ConversationHistory): void {
  const children = shownLast.get(_id) ?? new Map<string, string>()
  shownLast.set(_id, children)
  const path = pathTo(mapping, current_node)
  for (const [at, { id }] of path.slice(1).entries()) children.set(path[at]?.id ?? '', id)
}

/** Conversations whose selection is about to be sent or being sent, one entry per call. */
const sending: string[] = []
let lastSent: Promise<void> = Promise.resolve()

/** Sends one call after the other, each with the selection that is the latest by then. */
function send(conversation_id: string): void {
  sending.push(conversation_id)
  lastSent = lastSent.then(() => sendNow(conversation_id))
}

async function sendNow(conversation_id: string): Promise<void> {
  const selection = unsentSelection(conversation_id)
  try {
    if (selection === null) return
    await call(chooseBranch, { params: { id: conversation_id }, query: { message_id: selection.leaf } })
    const latest = unsentSelection(conversation_id)
    keepSelection(
      conversation_id,
      latest === null || latest.leaf === selection.leaf ? null : { ...latest, from: selection.leaf },
    )
  } catch (error) {
    // Offline, the selection is sent again once the conversation can be read.
    if (error instanceof TransportFailure) return
    keepSelection(conversation_id, null)
    reportFailure(error)
  } finally {
    sending.splice(sending.indexOf(conversation_id), 1)
  }
}

/**
 * Applied after the conversation was read: a selection made here stays, unless another device has selected a branch
 * since.
 */
function applySelection({ _id, mapping, current_node }: ConversationHistory): void {
  const selection = unsentSelection(_id)
  if (selection === null) return
  const isOnItsWay = sending.includes(_id)
  if (!Object.hasOwn(mapping, selection.leaf) || !(isOnItsWay || current_node === selection.from))
    return keepSelection(_id, null)
  updateCachedHistory(_id, cached => ({ ...cached, current_node: selection.leaf }))
  if (!isOnItsWay) send(_id)
}

queryClient.getQueryCache().subscribe(event => {
  if (event.type !== 'updated' || event.action.type !== 'success' || event.action.manual === true) return
  const [kind, id] = event.query.queryKey
  const history =
    kind === 'conversation' && typeof id === 'string' ? queryClient.getQueryData(historyQuery(id).queryKey) : undefined
  if (history !== undefined) applySelection(history)
})

window.addEventListener('online', () => {
  for (const id of conversationsWithUnsentSelection())
    void queryClient.invalidateQueries({ ...historyQuery(id), refetchType: 'all' })
})

// Signed out: somebody else may sign in here.
useSession.subscribe(({ user }) => {
  if (user !== null) return
  shownLast.clear()
  unsent.clear()
})

/** A selected leaf that the server may not know yet, and the server's current node when it was last read. */
type Selection = { leaf: string; from: string | null }

/** The oldest are dropped when there are more. */
const MAX_STORED_SELECTIONS = 50

/** The latest selections, kept in memory too because the browser may forbid storage. */
const unsent = new Map<string, Selection>()

const storageKey = () => `branches.${useSession.getState().user?.id ?? 0}`

function unsentSelection(conversation_id: string): Selection | null {
  return unsent.get(conversation_id) ?? readSelection(readStoredObject(storageKey())[conversation_id])
}

function keepSelection(conversation_id: string, selection: Selection | null): void {
  unsent.delete(conversation_id)
  const { [conversation_id]: _, ...others } = readStoredObject(storageKey())
  if (selection !== null) unsent.set(conversation_id, selection)
  const all = Object.entries(selection === null ? others : { ...others, [conversation_id]: selection })
  const kept = all.slice(-MAX_STORED_SELECTIONS)
  writeStored(storageKey(), kept.length === 0 ? null : JSON.stringify(Object.fromEntries(kept)))
}

function conversationsWithUnsentSelection(): string[] {
  return [...new Set([...unsent.keys(), ...Object.keys(readStoredObject(storageKey()))])]
}

/** Local storage is not trusted. */
function readSelection(entry: unknown): Selection | null {
  if (typeof entry !== 'object' || entry === null || !('leaf' in entry) || !('from' in entry)) return null
  const { leaf, from } = entry
  return typeof leaf === 'string' && (typeof from === 'string' || from === null) ? { leaf, from } : null
}
