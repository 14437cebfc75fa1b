import type { RequestParameters } from '#contract/asking.ts'
import type { Dialect } from '#contract/gateway.ts'
import type { Message } from '#contract/messages.ts'
import type { RequestFields, ThinkingFields } from '#contract/models.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { AttachedPart } from './attachedPart.ts'
import type { ProviderEndpoint } from './endpoint.ts'
import type { ProviderPorts } from './ports.ts'
import type { Metered, RelayForm } from './relay.ts'
import type { ReportedLimit } from './reportedLimits.ts'

/** What a provider emits while an answer grows. */
export type ProviderEvent =
  /**
   * A message as a whole: its beginning, or its final state. Replaces the earlier one with the same id. A source that
   * repeats the question does so under the question's id.
   */
  | { type: 'message'; message: Message }
  /** Text to append to the latest message. */
  | { type: 'text'; text: string }
  /** The id of the conversation at the upstream, where it keeps conversations itself. */
  | { type: 'conversation'; upstream_conversation_id: string }
  /** Links to pictures of the answer that the upstream sent in fields of its own: none that the model has written. */
  | { type: 'picture_links'; urls: readonly string[] }
  /** A title that the upstream has made for the conversation. */
  | { type: 'title'; title: string }

/** An upstream as it is asked for an answer. Timeouts in seconds. */
export type ProviderUpstream = ProviderEndpoint & {
  /** The model's name there. */
  model_name: string
  connect_timeout: number
  first_token_timeout: number
  read_timeout: number
  ask_timeout: number
  max_answer_length: number
  /** Further fields of the request, which never take the place of the portal's own. */
  request_fields?: RequestFields | null
  /** The fields that tell it how hard to think, by level. */
  thinking_fields?: ThinkingFields | null
}

/** What goes with a question to one source alone, and nobody else understands. */
export type AskExtras = Readonly<Record<string, unknown>>

/**
 * All that an ask can carry, beside the thread that leads to it and what goes with its questions.
 */
export type Question = Pick<Message, 'source' | 'model' | 'parent' | 'create_time'> & {
  /** The ids of the answer and of the thoughts before it, for a source that gives its messages no ids of its own. */
  reply_id: string
  thoughts_id: string
  /** The answer at the end of the thread is to go on, without a question in between. */
  continues: boolean
  /** What the upstream calls the conversation, when it has told before. */
  upstream_conversation_id: string | null
  parameters: RequestParameters
  /** How many tokens the answer may have, its thoughts among them; null: as many as it takes. */
  max_output_tokens?: number | null
  extras: AskExtras
}

/** What goes with the questions of a thread, by their ids. */
export type Attached = ReadonlyMap<string, readonly AttachedPart[]>

export type ProviderAsk = {
  question: Question
  thread: readonly Message[]
  /** Left out where nothing is, and for a source that knows files by ids of its own. */
  attached?: Attached
  upstream: ProviderUpstream
  /** What the answer says of the limits of the account, also one that refuses. */
  onLimits?(limits: readonly ReportedLimit[]): void
}

export type ProviderRelay = {
  form: RelayForm
  streamed: boolean
  /** How many tokens the answer may have at most; null: as many as the request says. */
  max_output_tokens: number | null
  upstream: ProviderUpstream
  /** What the answer says of the limits of the account, also one that refuses. */
  onLimits?(limits: readonly ReportedLimit[]): void
}

/**
 * A provider knows no users, limits or database, and keeps nothing. Its refusals are `openai.*`, `upstreamTimeout`,
 * `httpError`.
 */
export type Provider = Partial<ProviderPorts> & {
  /**
   * Emits the reply as it grows; resolves when it is complete or stopped. The thread ends with the question, or with
   * the answer that is to go on. Rejects with a refusal when the upstream refuses, fails, says nothing, or ends its
   * answer without saying that it is whole. No message is emitted before there is something to be seen of it; thoughts
   * are a message of their own before the answer.
   */
  reply(asked: ProviderAsk, emit: (event: ProviderEvent) => void, signal: AbortSignal): Promise<void>

  /**
   * Passes a request of another tool on, and its answer back, byte for byte. Resolves when the answer is whole or
   * stopped. Rejects with the refusal that an ask would get; an error that the upstream sends within an answer is not
   * passed on, so that whoever has the sink says it in the dialect. `meter` is called as the answer grows.
   */
  relay?(asked: ProviderRelay, meter: (seen: Metered) => void, signal: AbortSignal): Promise<void>

  /** In which dialects requests may be passed on to an endpoint, found out by requests that cost nothing. */
  dialects?(endpoint: ProviderEndpoint, signal: AbortSignal): Promise<Dialect[]>
}

/** A port of a provider, or a refusal in words: a source may have none, and no provider yet. */
export function requirePort<Name extends keyof ProviderPorts>(
  provider: Provider | null,
  name: Name,
): ProviderPorts[Name] {
  const port: Partial<ProviderPorts>[Name] = provider?.[name]
  if (port === undefined) throw new Refusal('notSupportedBySource')
  return port
}
