import type { Configuration } from '#contract/configuration/configuration.ts'
import type { Source } from '#contract/models.ts'
import type { OwnEndpoint } from '#server/upstreams/endpoints.ts'
import type { ProviderUpstream } from '#server/providers/provider.ts'
import type { Upstreams } from '#server/upstreams/upstreams.ts'
import type { AskedModel } from './thread.ts'

export type ModelFacts = Pick<Upstreams, 'capabilities' | 'capabilitiesOfOwn' | 'learnedContext'>

type Asked = { source: Source; model: string; own: OwnEndpoint | null; upstream_id: number; endpoint: ProviderUpstream }

/** What is known of a model where it is asked: by the settings, its account, and what that refused. */
export function askedModel(upstreams: ModelFacts, { openai_api }: Configuration, asked: Asked): AskedModel {
  const { source, model, own, upstream_id, endpoint } = asked
  const further = openai_api.further_models.find(({ code }) => code === model)
  const shared = upstreams.capabilities(source, model)
  const { context_length: named } = shared
  const known = own === null ? shared : { ...upstreams.capabilitiesOfOwn(own, model), context_length: named }
  const lengths = [further?.context_length ?? known.context_length, upstreams.learnedContext(upstream_id, endpoint)]
  const shortest = Math.min(...lengths.map(length => length ?? Infinity))
  const context_length = Number.isFinite(shortest) ? shortest : null
  return { ...known, name: endpoint.model_name, context_length }
}
