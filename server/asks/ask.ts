import type { AskAttachment, RequestParameters } from '#contract/asking.ts'
import type { ConversationInstructions } from '#contract/instructions.ts'
import type { Message } from '#contract/messages.ts'
import type { Source } from '#contract/models.ts'
import type { LimitUnit } from '#contract/plans.ts'
import type { AskExtras } from '#server/providers/provider.ts'
import type { RelayForm } from '#server/providers/relay.ts'
import type { OwnEndpoint } from '#server/upstreams/endpoints.ts'
import type { Price } from '#server/upstreams/prices/price.ts'
import type { Upstream } from '#server/upstreams/upstream.ts'
import type { Caller } from '#server/users/user.ts'

/** Which counts one was taken from. Stored with the ask, so that any process can settle it. */
export type Reserved = {
  total: boolean
  model: boolean
  /** Where a list of limits holds: what it may use at most. */
  use?: ReservedUse
  /** Where the account is a pool: of whose share it is. */
  share?: ReservedShare
}

/** Of whose share of a pool an ask is. It is a part of the pool until the ask is settled. */
export type ReservedShare = {
  /** The window in which it was borrowed; null: it was within the person's share. */
  borrowed_key: string | null
  borrowed_unit: LimitUnit | null
  /** Of whose share; null or 0: nobody's. */
  lender_id: number | null
  /** What it takes of gifts, the last of what is reserved in the unit of the pool's longest window. */
  gifts?: { unit: LimitUnit; reserved: number; taken: { gift_id: number; amount: number }[] }
  /** The pool, its accounts, and keys of its windows that began with this ask. */
  pool_id: number
  upstream_ids: number[]
  windows: string[]
}

/** The upper bound of an ask, in tokens and millionths of money. It counts as used until the ask is settled. */
export type ReservedUse = {
  tokens: number
  /** Of those what is sent, as it was counted. */
  input_tokens: number
  cost: number
  /** Of it, what was taken from credits. */
  credit_cost: number
  /** By which it is settled where this upstream answers. */
  price: Price | null
  upstream_id: number
  /** Whether tokens or money are limited, so that the answer is; and whether money is. */
  isBounded: boolean
  isPaid: boolean
  /** Keys of limits whose windows began with this ask. */
  windows: string[]
}

/** Where an ask must go. */
export type Destination = {
  /** The only upstreams that may answer it; null: any. */
  allowedUpstreams: ReadonlySet<number> | null
  /** In the name of which account of its upstream; null: of the only one, or of the personal one. */
  source_id: string | null
}

/** Where a question stands in which conversation. */
export type AskedConversation = {
  /** Null: a new one. */
  id: string | null
  /** Of a new one; null: the server makes one. */
  title: string | null
  /** The message that is answered, or that the question follows. */
  parent: string | null
  /** The question becomes a sibling of that one. */
  variant_of: string | null
  /** How many earlier messages are sent; null: as the settings say. */
  context_message_count: number | null
  /** Of a new one: what the model is told before the question; null: nothing of its own. */
  instructions: ConversationInstructions | null
  /** A new one is removed when its question gets no answer, for old clients, which cannot show such a question. */
  removesUnanswered: boolean
}

/** A request of another tool that is passed on to an upstream. Nothing of its texts is stored. */
export type Relay = {
  /** In which dialects it may be sent, the best first. The first that the upstream speaks is sent. */
  forms: readonly RelayForm[]
  /** Whether the answer comes as a stream of events. */
  streamed: boolean
  /** What is sent, counted: it is reserved. */
  input_tokens: number
  /** How many tokens of answer are asked for at most; null: as many as it takes. */
  max_output: number | null
  /** The upstream that was asked last for the same conversation: it goes on there while that is healthy. */
  last_upstream_id?: number | null
  /** Tells whether the same key asks the same once more, without saying what. */
  digest?: string | null
  /** A title, which a tool asks for beside its question. */
  may_run_beside?: boolean
  /** Known when it is admitted: what was tried of the same question, and whether it runs beside one. */
  tried?: Tried | null
  is_beside?: boolean
}

/** What came before of a question that a tool asks again since it was not answered. */
export type Tried = {
  /** Thousandths of an ask that were charged. */
  paid: number
  upstream_id: number
  round: number
  ticket: number
}

/** What was asked: by whom, what, and where it must go. */
export type RequestedAsk = {
  ask_id: string
  caller: Caller
  /** The name of the tool that asks; null: the page. */
  tool: string | null
  source: Source
  model: string
  text: string
  attachments: readonly AskAttachment[]
  parameters: RequestParameters
  /** Null: an ask that belongs to none. Its text is answered and not stored. */
  conversation: AskedConversation | null
  /** Messages before the question of an ask that belongs to no conversation. */
  earlier: readonly Message[]
  /** What only its source knows (server/sources/ports.ts). */
  extras: AskExtras
  destination: Destination
  /** Set: a request that is passed on, without a text, a conversation or earlier messages. */
  relay: Relay | null
  /** It waits until it is quiet, at most until then, in epoch milliseconds, and costs half; null: it is asked now. */
  quiet_until: number | null
}

/** What was admitted: it is stored, an upstream is chosen, and one ask is reserved. */
export type AdmittedAsk = RequestedAsk & {
  conversation_id: string | null
  /** Null when the ask continues an answer or answers a question again, and so has no question of its own. */
  question: Message | null
  /** The message that the answer follows: the question, or the answer to be continued. */
  parent: string
  reply_id: string
  /** The id of the conversation at the upstream; null when it is not known. */
  upstream_conversation_id: string | null
  upstream: Upstream
  /** The address and key of one's own, where it goes there. */
  own: OwnEndpoint | null
  queueing: boolean
  reserved: Reserved
  create_time: number
}
