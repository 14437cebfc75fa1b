import { chooseBranch, type ConversationHistory } from '#contract/conversations.ts'
import { leafUnder, pathTo } from '#contract/messageTree.ts'
import { historyQuery } from '#web/conversations/useConversations.ts'
import { call, TransportFailure } from '#web/foundation/call.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { useSession } from '#web/foundation/session.ts'
import { conversationsWithUnsentChoice, keepChoice, unsentChoice } from './unsentChoices.ts'

/** Which child of a fork was looked at last, by conversation and parent. */
const chosen = new Map<string, Map<string, string>>()

/** The leaf under a message that was looked at last, else the newest. */
function leafLookedAt({ _id, mapping }: ConversationHistory, message_id: string): string {
  return leafUnder(mapping, message_id, chosen.get(_id))
}

/** The conversation read through the message that the address names. */
export function throughTarget(history: ConversationHistory, target: string | null): ConversationHistory {
  const { mapping, current_node } = history
  if (
    target === null ||
    !Object.hasOwn(mapping, target) ||
    pathTo(mapping, current_node).some(({ id }) => id === target)
  )
    return history
  return { ...history, current_node: leafLookedAt(history, target) }
}

/** Switches to the branch of a message, here at once and on other devices with their next fetch; without a network, once there is one. */
export function lookAt(history: ConversationHistory, message_id: string): void {
  remember(history)
  const current_node = leafLookedAt(history, message_id)
  const from =
    unsentChoice(history._id)?.from ??
    queryClient.getQueryData(historyQuery(history._id).queryKey)?.current_node ??
    null
  keepChoice(history._id, { leaf: current_node, from })
  takePlace(history._id, current => ({ ...current, current_node }))
  send(history._id)
}

/** Changes an open conversation. What is on its way from the server is older. */
export function takePlace(
  conversation_id: string,
  change: (history: ConversationHistory) => ConversationHistory,
): void {
  const { queryKey } = historyQuery(conversation_id)
  void queryClient.cancelQueries({ queryKey })
  queryClient.setQueryData(queryKey, history => history && change(history))
}

/** Remembers the path that is about to be left, so that coming back leads to the same leaf. */
export function leavePath(conversation_id: string): void {
  const history = queryClient.getQueryData(historyQuery(conversation_id).queryKey)
  if (history !== undefined) remember(history)
}

function remember({ _id, mapping, current_node }: ConversationHistory): void {
  const choices = chosen.get(_id) ?? new Map<string, string>()
  chosen.set(_id, choices)
  const path = pathTo(mapping, current_node)
  for (const [at, { id }] of path.slice(1).entries()) choices.set(path[at]?.id ?? '', id)
}

/** Conversations whose choice is about to be sent, or on its way; once for each time. */
const sending: string[] = []
let lastSent: Promise<void> = Promise.resolve()

/** One call after the other, and none for what was passed by meanwhile: the last place looked at is the one that stays. */
function send(conversation_id: string): void {
  sending.push(conversation_id)
  lastSent = lastSent.then(() => sendNow(conversation_id))
}

async function sendNow(conversation_id: string): Promise<void> {
  const choice = unsentChoice(conversation_id)
  try {
    if (choice === null) return
    await call(chooseBranch, { params: { id: conversation_id }, query: { message_id: choice.leaf } })
    const latest = unsentChoice(conversation_id)
    keepChoice(
      conversation_id,
      latest === null || latest.leaf === choice.leaf ? null : { ...latest, from: choice.leaf },
    )
  } catch (error) {
    // Without a network it waits until the conversation can be read again.
    if (error instanceof TransportFailure) return
    keepChoice(conversation_id, null)
    reportFailure(error)
  } finally {
    sending.splice(sending.indexOf(conversation_id), 1)
  }
}

/** The conversation as the server knows it has come. What was chosen here holds, unless the server has been led elsewhere since. */
function holdChoice({ _id, mapping, current_node }: ConversationHistory): void {
  const choice = unsentChoice(_id)
  if (choice === null) return
  const isOnItsWay = sending.includes(_id)
  if (!Object.hasOwn(mapping, choice.leaf) || !(isOnItsWay || current_node === choice.from))
    return keepChoice(_id, null)
  takePlace(_id, now => ({ ...now, current_node: choice.leaf }))
  if (!isOnItsWay) send(_id)
}

queryClient.getQueryCache().subscribe(event => {
  if (event.type !== 'updated' || event.action.type !== 'success' || event.action.manual === true) return
  const [kind, id] = event.query.queryKey
  const history =
    kind === 'conversation' && typeof id === 'string' ? queryClient.getQueryData(historyQuery(id).queryKey) : undefined
  if (history !== undefined) holdChoice(history)
})

window.addEventListener('online', () => {
  for (const id of conversationsWithUnsentChoice())
    void queryClient.invalidateQueries({ ...historyQuery(id), refetchType: 'all' })
})

// Signed out: somebody else may sit down here.
useSession.subscribe(({ user }) => {
  if (user === null) chosen.clear()
})
