import type { Configuration } from '#contract/configuration.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { ProviderEndpoint } from '#server/providers/endpoint.ts'
import type { Provider } from '#server/providers/provider.ts'
import type { Providers } from '#server/providers/providers.ts'
import { inTeam } from '#server/upstreams/endpoints.ts'
import type { Upstream } from '#server/upstreams/upstream.ts'
import type { Upstreams } from '#server/upstreams/upstreams.ts'
import { sourceOf } from '../history.ts'
import type { ConversationRow } from '../store.ts'

/** The upstream that also stores a conversation, and how to reach it there. `id`: its id at the upstream. */
export type Keeper = { id: string; upstream: Upstream; endpoint: ProviderEndpoint; provider: Provider }

export type Keepers = ReturnType<typeof openKeepers>

type Dependencies = {
  upstreams: Pick<Upstreams, 'find' | 'reach'>
  providers: Providers
  configuration(): Configuration
}

/** The upstreams that keep conversations themselves. */
export function openKeepers({ upstreams, providers, configuration }: Dependencies) {
  return {
    /** Null when no upstream stores it; a refusal when the one that does cannot be asked. */
    of(row: Pick<ConversationRow, 'source' | 'source_id' | 'upstream_id' | 'upstream_conversation_id'>) {
      const { source_id, upstream_id, upstream_conversation_id: id } = row
      if (!isKept(row) || id === null) return null
      const upstream = upstream_id === null ? null : upstreams.find(upstream_id)
      if (upstream === null) return new Refusal('upstreamGone')
      if (!upstream.enabled) return new Refusal('upstreamNotAvailable')
      const provider = configuration().openai_web.enabled ? providers[upstream.source] : null
      if (provider === null) return new Refusal('chatTypeNotEnabled')
      return { id, upstream, endpoint: inTeam(upstreams.reach(upstream), source_id), provider } satisfies Keeper
    },
  }
}

/** Whether an upstream stores it as well: its id there is known. */
export const isKept = (row: Pick<ConversationRow, 'source' | 'upstream_conversation_id'>): boolean =>
  sourceOf(row) === 'openai_web' && row.upstream_conversation_id !== null
