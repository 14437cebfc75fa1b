import type { AskRequest } from '#contract/asking.ts'
import type { Refusal } from '#server/foundation/refusal.ts'
import type { ProviderEndpoint } from '#server/providers/endpoint.ts'

/** A conversation at the upstream that is asked: `id` is its id there. */
export type AskedConversation = { endpoint: ProviderEndpoint; id: string }

/** What asking leaves to a source. */
export type AskPorts = {
  /** The only upstreams that have what the ask wants; null: any. Before admission: an upstream may have to be asked. */
  upstreamsFor?(request: AskRequest): Promise<ReadonlySet<number> | null>
  /** The parent that the first question has at the upstream: further first questions get it too. Null when it is not known. */
  firstParent?(at: AskedConversation, signal: AbortSignal): Promise<string | null>
  /** The refusal of an ask in words of its own, where it is about the conversation and not about the upstream. */
  refusalOf?(refusal: Refusal, at: AskedConversation, signal: AbortSignal): Promise<Refusal>
  /** The title that the upstream makes for a conversation that begins with this answer; null where it makes none. */
  makeTitle?(at: AskedConversation, message_id: string, signal: AbortSignal): Promise<string | null>
}
