import type { AskAttachment, RequestParameters } from '#contract/asking.ts'
import type { ConversationInstructions } from '#contract/instructions.ts'
import type { Message } from '#contract/messages.ts'
import type { Source } from '#contract/models.ts'
import type { AskExtras } from '#server/providers/provider.ts'
import type { OwnEndpoint } from '#server/upstreams/endpoints.ts'
import type { Upstream } from '#server/upstreams/upstream.ts'
import type { Caller } from '#server/users/user.ts'

/** Which counts one was taken from. Stored with the ask, so that any process can settle it. */
export type Reserved = { total: boolean; model: boolean }

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

/** What was asked: by whom, what, and where it must go. */
export type RequestedAsk = {
  ask_id: string
  caller: Caller
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
