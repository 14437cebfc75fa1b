import type { AskRequest } from '#contract/asking.ts'
import type { ConversationRecord } from '#contract/conversations.ts'
import { isThoughts, type Message, textOf } from '#contract/messages.ts'
import type { RefusalValues } from '#contract/refusals.ts'
import type { ChatEvent } from '#web/foundation/chatEvents.ts'

/** The state of an ask. */
export type AskState =
  | { phase: 'sending' }
  /** `cooling_until`: the account is not asked before then. */
  | { phase: 'queueing'; position: number; estimate_seconds: number | null; cooling_until?: string }
  /** Until nobody else waits: at most until then, and as usual about so long. */
  | { phase: 'quiet'; position: number; until: string; likely_at: string | null }
  | { phase: 'waiting' }
  | { phase: 'replying' }
  | { phase: 'finished' | 'stopped' | 'interrupted'; charged: boolean }
  /**
   * `charged` is null when the connection was lost for good: only the server knows whether the ask was charged.
   * `waited_seconds` counts from its turn on.
   */
  | { phase: 'failed'; tip: string; values: RefusalValues | null; charged: boolean | null; waited_seconds?: number }

export type Connection = { state: 'open' } | { state: 'lost'; attempt: number; blocked: boolean }

/** One ask as this page knows it. The growing text itself is not here but in a TextFeed, outside React. */
export type Ask = {
  ask_id: string
  /** Null while the conversation is not stored yet. */
  conversation_id: string | null
  /** Null for an ask that this page only follows. */
  request: AskRequest | null
  question: Message | null
  /** In the order in which they began; the last may still be growing. */
  replies: Message[]
  /** The replies are exactly what the server has stored of the answer. */
  isStored: boolean
  /** The record of the conversation at the end of the ask. */
  record: ConversationRecord | null
  state: AskState
  connection: Connection
  /** Milliseconds since the epoch: when the state was entered. */
  since: number
}

/** The server goes on answering, but this page has no session to follow it. */
export function goesOnUnseen(state: AskState): boolean {
  return state.phase === 'failed' && state.charged === null && state.tip === 'errors.loginExpired'
}

/** Pure. An event with text alone returns the same ask, so that React does not render. */
export function afterEvent(ask: Ask, event: ChatEvent, now: number): Ask {
  if (!('type' in event)) return ask
  switch (event.type) {
    case 'connection':
      return {
        ...ask,
        connection: event.state === 'open' ? event : { state: 'lost', attempt: event.attempt, blocked: event.blocked },
      }
    case 'accepted': {
      const question = event.question ?? ask.question
      const state: AskState = ask.state.phase === 'sending' ? { phase: 'waiting' } : ask.state
      return entering({ ...ask, conversation_id: event.conversation_id, question }, state, now)
    }
    case 'queueing':
      if (event.quiet !== undefined)
        return entering(ask, { phase: 'quiet', position: event.place, ...event.quiet }, now)
      return entering(
        ask,
        {
          phase: 'queueing',
          position: event.place,
          estimate_seconds: event.estimate_seconds,
          ...(event.cooling_until !== undefined && { cooling_until: event.cooling_until }),
        },
        now,
      )
    case 'waiting':
      return entering(ask, { phase: 'waiting' }, now)
    case 'message':
      // Some web upstreams repeat the question among the replies.
      if (event.message.role === 'user') return ask
      return entering({ ...ask, replies: withReply(ask.replies, event.message) }, { phase: 'replying' }, now)
    case 'title':
      return ask
    case 'error':
      return entering(
        withStored(ask, event),
        { phase: 'failed', tip: event.tip, values: event.values, charged: event.charged, ...waited(ask, now) },
        now,
      )
    case 'finished':
      return entering(withStored(ask, event), ended(ask.state, event.outcome, event.charged), now)
  }
}

/** Whether the user still waits for an answer. A user waits for one ask at a time. */
export function isAwaited({ phase }: AskState): boolean {
  return phase === 'sending' || phase === 'queueing' || phase === 'waiting' || phase === 'replying'
}

/** Whether its end is still to come: also of one that waits until it is quiet, which keeps nobody from asking. */
export const isLiving = (state: AskState): boolean => isAwaited(state) || state.phase === 'quiet'

/** Whether any text of the answer has come. Thoughts do not count. */
export function hasText({ replies, isStored }: Pick<Ask, 'replies' | 'isStored'>): boolean {
  return replies.some(reply => (isStored ? !isThoughts(reply) : textOf(reply) !== ''))
}

/** Whether the stored part of the answer shows the failure itself, so that no note is needed. */
export function showsItsFailure(ask: Ask): boolean {
  return ask.isStored && hasText(ask)
}

function withReply(replies: Message[], message: Message): Message[] {
  return replies.some(({ id }) => id === message.id)
    ? replies.map(reply => (reply.id === message.id ? message : reply))
    : [...replies, message]
}

/** What the server has stored replaces what was received before. */
function withStored(ask: Ask, event: Extract<ChatEvent, { type: 'finished' | 'error' }>): Ask {
  const { messages } = event
  if (messages === undefined) return ask
  return { ...ask, replies: messages, isStored: true, record: event.conversation ?? null }
}

function entering(ask: Ask, state: AskState, now: number): Ask {
  return { ...ask, state, connection: { state: 'open' }, since: state.phase === ask.state.phase ? ask.since : now }
}

function ended(
  state: AskState,
  outcome: 'finished' | 'stopped' | 'failed' | 'interrupted',
  charged: boolean,
): AskState {
  if (outcome !== 'failed') return { phase: outcome, charged }
  return state.phase === 'failed'
    ? { ...state, charged }
    : { phase: 'failed', tip: 'errors.unknownError', values: null, charged }
}

/** The seconds since its turn. */
function waited({ state, since }: Ask, now: number): { waited_seconds?: number } {
  return state.phase === 'waiting' ? { waited_seconds: Math.round((now - since) / 1000) } : {}
}
