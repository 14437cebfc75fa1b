import type { Source } from '#contract/models.ts'
import type { Outbound } from '#server/foundation/outbound.ts'
import { openaiApiProvider } from './openai_api/provider.ts'
import type { Provider } from './provider.ts'

/** One line a source. A source without a provider is never asked: admission refuses it as not enabled. */
export type Providers = Record<Source, Provider | null>

export function openProviders(outbound: Outbound): Providers {
  return { openai_api: openaiApiProvider(outbound), openai_web: null }
}
