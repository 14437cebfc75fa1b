import type { Configuration } from '#contract/configuration/configuration.ts'
import type { Source } from '#contract/models.ts'
import type { ConversationRow } from '#server/conversations/store.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { ProviderEndpoint } from '#server/providers/endpoint.ts'
import type { UpstreamConversation } from '#server/providers/ports.ts'
import { type Provider, requirePort } from '#server/providers/provider.ts'
import type { Providers } from '#server/providers/providers.ts'
import { inTeam } from '#server/upstreams/endpoints.ts'
import type { Upstream } from '#server/upstreams/upstream.ts'
import type { Upstreams } from '#server/upstreams/upstreams.ts'

/** Where the upstream copy of a conversation is, and how to reach it. `id`: its id there. */
export type UpstreamCopy = { id: string; upstream: Upstream; endpoint: ProviderEndpoint; provider: Provider }

export type UpstreamCopies = ReturnType<typeof openUpstreamCopies>

const SOURCE: Source = 'openai_web'

type Dependencies = {
  upstreams: Pick<Upstreams, 'find' | 'reach'>
  providers: Providers
  configuration(): Configuration
}

/** The copies of conversations that upstreams have. */
export function openUpstreamCopies({ upstreams, providers, configuration }: Dependencies) {
  return {
    /** Null when no upstream has one; a refusal when the one that has cannot be asked. */
    of(row: Pick<ConversationRow, 'source' | 'source_id' | 'upstream_id' | 'upstream_conversation_id'>) {
      const { source_id, upstream_id, upstream_conversation_id: id } = row
      if (id === null || row.source !== SOURCE) return null
      const upstream = upstream_id === null ? null : upstreams.find(upstream_id)
      if (upstream === null) return new Refusal('upstreamGone')
      if (!upstream.enabled) return new Refusal('upstreamNotAvailable')
      const provider = configuration().openai_web.enabled ? providers[upstream.source] : null
      if (provider === null) return new Refusal('chatTypeNotEnabled')
      return { id, upstream, endpoint: inTeam(upstreams.reach(upstream), source_id), provider } satisfies UpstreamCopy
    },
  }
}

/** Milliseconds. Whoever asked waits for it. */
const DEADLINE = 5_000

type At = Pick<UpstreamCopy, 'provider' | 'endpoint' | 'id'>

/** Whether a refusal says, or may say, that there is no such conversation. */
export const isUnknown = (error: unknown): error is Refusal =>
  error instanceof Refusal && (error.key === 'conversationGone' || error.key === 'openai.404')

/**
 * What the upstream has of a conversation; null when it does not know it: another account is asked than the one that
 * had it, its history is switched off, or it was deleted there. A 404 that says no more counts where conversations are
 * listed: a proxy that knows no address answers 404 to both.
 */
export async function readUnlessUnknown(
  { id, endpoint, provider }: At,
  signal: AbortSignal,
): Promise<UpstreamConversation | null> {
  try {
    return await requirePort(provider, 'readConversation')(endpoint, id, signal)
  } catch (error) {
    if (!isUnknown(error)) throw error
    if (error.key === 'openai.404')
      await requirePort(provider, 'listConversations')(endpoint, { offset: 0, limit: 1 }, signal)
    return null
  }
}

/**
 * The refusal of an ask: one that may be about the conversation becomes `conversationGone` where the upstream does not
 * know that.
 */
export async function refusalOfAsk(refusal: Refusal, at: At, signal: AbortSignal): Promise<Refusal> {
  if (refusal.key !== 'openai.404') return refusal
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(DEADLINE)])
  try {
    if ((await readUnlessUnknown(at, deadline)) !== null) return refusal
    return new Refusal('conversationGone', {}, { cause: refusal.cause })
  } catch (error) {
    if (error instanceof Refusal || deadline.aborted) return refusal
    throw error
  }
}
