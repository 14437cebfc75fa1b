import type { Message } from '#contract/messages.ts'
import type { Outbound } from '#server/foundation/outbound/outbound.ts'

/** What a provider tells while an answer grows. */
export type ProviderEvent =
  /** A message as a whole: its beginning, or its final state. Replaces the earlier one with the same id. */
  | { type: 'message'; message: Message }
  /** Text to append to the latest message. */
  | { type: 'text'; text: string }

/** Where and as whom to ask. An argument, because a person may bring an address and key of their own. */
export type Upstream = {
  base_url: string
  key: string | null
  /** The header that carries the key as it is; null: `Authorization: Bearer`. */
  key_header: string | null
  /** The model's name there. */
  model_name: string
  proxy: string | null
  addresses: Parameters<Outbound['request']>[0]['addresses']
  connect_timeout: number
  first_token_timeout: number
  read_timeout: number
  ask_timeout: number
  max_answer_length: number
}

/** Where and as whom, whichever model is asked. */
export type Endpoint = Pick<Upstream, 'base_url' | 'key' | 'key_header' | 'addresses' | 'proxy'>

/** The message to be written: everything but its content. `thoughts_id` is that of the message of thoughts before it, if there are any. */
export type Draft = Pick<Message, 'id' | 'source' | 'model' | 'parent' | 'create_time'> & { thoughts_id: string }

/** A provider knows no users, limits or database, and keeps nothing. Its refusals are `openai.*`, `upstreamTimeout`, `httpError`. */
export type Provider = {
  /**
   * Tells the reply as it grows; resolves when it is complete or stopped. The thread ends with the question. Rejects with a refusal when
   * the upstream refuses, fails, says nothing, or ends its answer without saying that it is whole. Nothing is told before there is something
   * to be seen; thoughts are a message of their own before the answer.
   */
  reply(
    thread: readonly Message[],
    draft: Draft,
    upstream: Upstream,
    tell: (event: ProviderEvent) => void,
    signal: AbortSignal,
  ): Promise<void>
}
