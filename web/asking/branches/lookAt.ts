import { chooseBranch, type ConversationHistory } from '#contract/conversations.ts'
import { leafUnder, pathTo } from '#contract/messageTree.ts'
import { historyQuery } from '#web/conversations/useConversations.ts'
import { call } from '#web/foundation/call.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { useSession } from '#web/foundation/session.ts'

/** Which child of a fork was looked at last, by conversation and parent. */
const chosen = new Map<string, Map<string, string>>()

/** The leaf under a message that was looked at last, else the newest. */
function leafLookedAt({ _id, mapping }: ConversationHistory, message_id: string): string {
  return leafUnder(mapping, message_id, chosen.get(_id))
}

/** The conversation read through the message that the address names. */
export function throughTarget(history: ConversationHistory, target: string | null): ConversationHistory {
  const { mapping, current_node } = history
  if (target === null || !Object.hasOwn(mapping, target) || pathTo(mapping, current_node).some(({ id }) => id === target)) return history
  return { ...history, current_node: leafLookedAt(history, target) }
}

/** Switches to the branch of a message, here at once and on other devices with their next fetch. */
export function lookAt(history: ConversationHistory, message_id: string): void {
  remember(history)
  const current_node = leafLookedAt(history, message_id)
  takePlace(history._id, current => ({ ...current, current_node }))
  keep(history._id, current_node)
}

/** Changes an open conversation. What is on its way from the server is older. */
export function takePlace(conversation_id: string, change: (history: ConversationHistory) => ConversationHistory): void {
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

const wanted = new Map<string, string>()
let keeping: Promise<void> = Promise.resolve()

/** One call after the other, and none for what was passed by meanwhile: the last place looked at is the one that stays. */
function keep(conversation_id: string, leaf: string): void {
  wanted.set(conversation_id, leaf)
  keeping = keeping.then(async () => {
    const message_id = wanted.get(conversation_id)
    if (message_id === undefined) return
    wanted.delete(conversation_id)
    await call(chooseBranch, { params: { id: conversation_id }, query: { message_id } })
  }).catch(reportFailure)
}

// Signed out: somebody else may sit down here.
useSession.subscribe(({ user }) => { if (user === null) chosen.clear() })
