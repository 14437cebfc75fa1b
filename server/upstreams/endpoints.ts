import type { Configuration } from '#contract/configuration.ts'
import type { Source } from '#contract/models.ts'
import { proxyNotice, sharedProxy } from '#server/configuration/environmentProxy.ts'
import { upstreamName } from '#server/configuration/models.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { ProviderEndpoint, ProviderUpstream } from '#server/providers/provider.ts'

export const OPENAI_BASE_URL = 'https://api.openai.com/v1/'

export type EndpointsFrom = {
  configuration(): Configuration
  openaiApiKey(): string | null
  /** Address of the built-in simulator. */
  demonstrationUrl: string
  /** Of the process: it may name a proxy. */
  env: NodeJS.ProcessEnv
}

/** A person's own endpoint: its key only, never the shared one. */
export type OwnEndpoint = { upstream_id: number; url: string; key: string | null }

export type Endpoints = ReturnType<typeof openEndpoints>

/** Where the asks of a source go. Without a key and an address the built-in simulator answers (the demonstration). */
export function openEndpoints({ configuration, openaiApiKey, demonstrationUrl, env }: EndpointsFrom) {
  const isDemonstration = () => configuration().openai_api.openai_base_url === null && openaiApiKey() === null

  function shared(): ProviderEndpoint {
    const { openai_base_url, key_header, proxy } = configuration().openai_api
    const base_url = openai_base_url ?? (isDemonstration() ? demonstrationUrl : OPENAI_BASE_URL)
    // The administrator's address may be on loopback or private: that is where Ollama, vLLM and LiteLLM are.
    return {
      base_url,
      key: openaiApiKey(),
      key_header: key_header || null,
      addresses: 'any',
      proxy: sharedProxy(env, proxy, base_url),
    }
  }

  function ofPerson({ url, key }: OwnEndpoint): ProviderEndpoint {
    const { auth, openai_api } = configuration()
    return {
      base_url: url,
      key,
      key_header: null,
      addresses: { public_only: true, except: auth.allow_private_custom_urls },
      proxy: openai_api.proxy,
    }
  }

  return {
    isDemonstration,

    shared,

    /** What the log says at the start of a proxy that the environment names. */
    proxyNotice: () => proxyNotice(env, configuration().openai_api.proxy, shared().base_url),

    find(source: Source, model: string, own: OwnEndpoint | null): ProviderUpstream {
      const settings = configuration().openai_api
      const model_name = upstreamName(configuration(), source, model)
      if (model_name === null) throw new Refusal('modelNotEnabled', { model })
      return {
        ...(own === null ? shared() : ofPerson(own)),
        model_name,
        connect_timeout: settings.connect_timeout,
        first_token_timeout: settings.first_token_timeout,
        read_timeout: settings.read_timeout,
        ask_timeout: settings.ask_timeout,
        max_answer_length: settings.max_answer_length,
      }
    },
  }
}
