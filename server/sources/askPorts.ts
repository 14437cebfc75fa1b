import type { AskAttachment, AskRequest } from '#contract/asking.ts'
import type { Configuration } from '#contract/configuration/configuration.ts'
import type { Message } from '#contract/messages.ts'
import type { RequestedAsk } from '#server/asks/ask.ts'
import type { Refusal } from '#server/foundation/refusal.ts'
import type { EffectiveSetting } from '#server/policy/effectiveSetting.ts'
import type { ProviderEndpoint } from '#server/providers/endpoint.ts'
import type { AskExtras, ProviderUpstream } from '#server/providers/provider.ts'
import type { Upstream } from '#server/upstreams/upstream.ts'

/** A conversation at the upstream that is asked: `id` is its id there. */
export type ConversationAtUpstream = { endpoint: ProviderEndpoint; id: string }

/** Of a conversation, what its source may want to know when it is asked on. */
type AskedOn = { conversation_metadata: Record<string, unknown> | null; upstream_conversation_id: string | null }

/** What asking leaves to a source: what goes with a question there, where it must go, and in whose name. */
export type AskPorts = {
  /** What of a request this source alone understands; refuses what it has no use for. */
  extras?(request: AskRequest): AskExtras
  /** The only upstreams that have what the ask wants; null: any. Before admission: an upstream may have to be asked. */
  upstreamsFor?(ask: RequestedAsk): Promise<ReadonlySet<number> | null>
  /**
   * The parent that the first question has at the upstream: further first questions get it too. Null when it is not
   * known.
   */
  firstParent?(at: ConversationAtUpstream, signal: AbortSignal): Promise<string | null>
  /** The refusal of an ask in words of its own, where it is about the conversation and not about the upstream. */
  refusalOf?(refusal: Refusal, at: ConversationAtUpstream, signal: AbortSignal): Promise<Refusal>
  /** The title that the upstream makes for a conversation that begins with this answer; null where it makes none. */
  makeTitle?(at: ConversationAtUpstream, message_id: string, signal: AbortSignal): Promise<string | null>
  /** A question as it is stored and sent; plain text where there is no such port. */
  question?(text: string, attachments: readonly AskAttachment[]): Pick<Message, 'content' | 'metadata'>
  /** What a conversation that begins with this ask is to keep for the asks that follow; null: nothing. */
  metadata?(ask: RequestedAsk): Record<string, unknown> | null
  /** What goes with an ask of a conversation that is there. */
  extrasIn?(conversation: AskedOn, ask: RequestedAsk): AskExtras
  accounts?: AccountPorts
}

/** Of a source whose upstreams have several accounts under one token: in whose name it is asked, by `source_id`. */
export type AccountPorts = {
  /** The account for an ask, by the one that its conversation is of; refuses one that the person may not use. */
  choose(
    policy: { configuration: Configuration; setting: EffectiveSetting },
    source_id: string | null,
  ): (upstream: Upstream, isKept: boolean) => string | null
  /** The account of an ask that moves to another upstream. */
  afterMove(source_id: string | null, upstream: Upstream): string | null
  /** The upstream as it is asked in the name of the account. */
  reach(upstream: ProviderUpstream, source_id: string | null): ProviderUpstream
}
