import type { AskAttachment, AskRequest } from '#contract/asking.ts'
import type { Configuration } from '#contract/configuration/configuration.ts'
import type { Message } from '#contract/messages.ts'
import type { RefusalKey } from '#contract/refusals.ts'
import type { RequestedAsk } from '#server/asks/ask.ts'
import type { Transaction } from '#server/foundation/database/open.ts'
import type { tables } from '#server/foundation/database/schema/schema.ts'
import type { RowOf } from '#server/foundation/database/schema/definition.ts'
import type { Relayed } from '#server/foundation/http/relayed.ts'
import type { Refusal } from '#server/foundation/refusal.ts'
import type { EffectiveSetting } from '#server/policy/effectiveSetting.ts'
import type { ProviderEndpoint } from '#server/providers/endpoint.ts'
import type { AskExtras, ProviderUpstream } from '#server/providers/provider.ts'
import type { Upstream } from '#server/upstreams/upstream.ts'

/** A conversation at the upstream that is asked: `id` is its id there. */
type ConversationAtUpstream = { endpoint: ProviderEndpoint; id: string }

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

export type ConversationRow = RowOf<typeof tables.conversations>

/** Which conversations: by their ids, by the ids of their rows, or all of one deletion. */
export type Changed = { conversation_id: string } | { ids: readonly number[] } | { deletion_id: number }

/** What a change is about: the title, or whether the conversation is shown. */
export type ChangedPart = 'title' | 'visibility'

/** What a source does for conversations of which its upstreams have a copy. Those without a copy are nothing to it. */
export type ConversationPorts = {
  /** Why their owner, who is nobody with null, may only read these; null for one of which they may do more. */
  closedTo(
    user_id: number | null,
    rows: readonly Pick<ConversationRow, 'source_id'>[],
  ): Promise<(row: Pick<ConversationRow, 'source_id'>) => RefusalKey | null>

  /** Brings what is stored up to date with the upstream copy. Gives why that could not be done. Does not reject. */
  refresh(row: ConversationRow, hasStored: boolean): Promise<Refusal | null>

  /** Notes in the transaction of a change that the upstreams are to be told. */
  noteChange(trx: Transaction, changed: Changed, part: ChangedPart, now: number): Promise<unknown>
  /** Tells them, in the background. */
  sendChanges(): void

  /** Hides the upstream copy now. Gives the refusal when that fails. */
  hide(row: ConversationRow, signal: AbortSignal): Promise<Refusal | null>

  /**
   * The title that the upstream makes for a conversation that begins with this answer; null where it makes none.
   * Refuses where it cannot be asked.
   */
  makeTitle(row: ConversationRow, message_id: string): Promise<string | null>
}

/** What a source does with files that people upload for it. */
export type FilePorts = {
  /** Whether this person may upload anything for it. */
  isAllowed(user_id: number): Promise<boolean>
  /** Whether this server keeps files for it; otherwise browsers send them to its upstreams alone. */
  takesHere(): boolean
  /** The file was removed: it is sent no further. */
  stopSending(file_id: string): void
  /** A file of an upstream by its id there, as somebody may read it; another’s is not found. */
  content?(reader: { id: number; is_superuser: boolean }, upstream_file_id: string): Promise<Relayed>
}
