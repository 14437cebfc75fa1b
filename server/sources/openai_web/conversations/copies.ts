import type { Configuration } from '#contract/configuration/configuration.ts'
import type { Source } from '#contract/models.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { ProviderEndpoint } from '#server/providers/endpoint.ts'
import type { Provider } from '#server/providers/provider.ts'
import type { Providers } from '#server/providers/providers.ts'
import { inTeam } from '#server/upstreams/endpoints.ts'
import type { Upstream } from '#server/upstreams/upstream.ts'
import type { Upstreams } from '#server/upstreams/upstreams.ts'
import type { ConversationRow } from '#server/conversations/store.ts'

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
