import type { Configuration } from '#contract/configuration/configuration.ts'
import { DEFAULT_MODEL_CODE_MAPPING, type Source } from '#contract/models.ts'
import type { RefusalKey } from '#contract/refusals.ts'
import { proxyNotice, sharedProxy } from '#server/configuration/environmentProxy.ts'
import type { StoredKey } from '#server/foundation/secrets.ts'
import type { ProviderEndpoint, WebReach } from '#server/providers/endpoint.ts'
import type { ProviderUpstream } from '#server/providers/provider.ts'
import type { UpstreamRow } from './store.ts'
import { addressOf } from './upstream.ts'

/** The key for the built-in web account, which takes any. */
export const DEMONSTRATION_KEY = 'demonstration'
const demonstration = { key: DEMONSTRATION_KEY, key_header: null, proxy: null } as const

export type EndpointDependencies = {
  configuration(): Configuration
  /** Addresses of the built-in simulator. */
  demonstrationUrls: Readonly<Record<Source, string>>
  /** Of the process: it may name a proxy. */
  env: NodeJS.ProcessEnv
}

/** A person's own endpoint: its key only, never a shared one. */
export type OwnEndpoint = StoredKey & { upstream_id: number; url: string }

/** What says how an upstream is reached. */
export type ReachedBy = Pick<UpstreamRow, 'source' | 'base_url' | 'query' | 'key_header' | 'proxy'> & {
  isDemonstration?: boolean
}

export type Endpoints = ReturnType<typeof openEndpoints>

/** How upstreams are reached. */
export function openEndpoints({ configuration, demonstrationUrls, env }: EndpointDependencies) {
  /** In the name of the personal account; `inTeam` changes that. */
  function webReach(): WebReach {
    const { wss_proxy, common_timeout, model_code_mapping } = configuration().openai_web
    return {
      team_account_id: null,
      wss_proxy,
      common_timeout,
      model_code_mapping: { ...DEFAULT_MODEL_CODE_MAPPING.openai_web, ...model_code_mapping },
    }
  }

  function apiTimeouts() {
    const { connect_timeout, first_token_timeout, read_timeout, ask_timeout } = configuration().openai_api
    return { connect_timeout, first_token_timeout, read_timeout, ask_timeout }
  }

  /** A web account may think, browse or run code for as long as the whole answer may take, without a word. */
  function webTimeouts() {
    const { common_timeout, ask_timeout } = configuration().openai_web
    return {
      connect_timeout: common_timeout,
      first_token_timeout: ask_timeout,
      read_timeout: ask_timeout,
      ask_timeout,
    }
  }

  return {
    /** The address of an administrator may be on loopback or private: that is where Ollama, vLLM and LiteLLM are. */
    reach(row: ReachedBy, { key, isUnreadable }: StoredKey): ProviderEndpoint {
      const source = row.source as Source // only the two sources are ever stored
      const { isDemonstration = false, key_header } = row
      const base_url = isDemonstration ? demonstrationUrls[source] : (addressOf(row, configuration()) ?? '')
      const proxy = sharedProxy(env, row.proxy ?? configuration()[source].proxy, base_url)
      const unusable = unusableWhen(isUnreadable, 'keyUnreadable')
      const reached = { base_url, key, key_header: key_header || null, addresses: 'any', proxy, ...unusable } as const
      if (source !== 'openai_web') return reached
      return { ...reached, ...(isDemonstration && demonstration), web: webReach() }
    },

    ofUser({ url, key, isUnreadable }: OwnEndpoint): ProviderEndpoint {
      const { auth, openai_api } = configuration()
      return {
        base_url: url,
        key,
        key_header: null,
        addresses: { public_only: true, except: auth.allow_private_custom_urls },
        proxy: openai_api.proxy,
        ...unusableWhen(isUnreadable, 'ownKeyUnreadable'),
      }
    },

    /** Seconds, and characters: the settings, unless the row has its own. */
    bounds(row: Partial<UpstreamRow>): Omit<ProviderUpstream, keyof ProviderEndpoint | 'model_name'> {
      const set = row.source === 'openai_web' ? webTimeouts() : apiTimeouts()
      return {
        connect_timeout: row.connect_timeout ?? set.connect_timeout,
        first_token_timeout: row.first_token_timeout ?? set.first_token_timeout,
        read_timeout: row.read_timeout ?? set.read_timeout,
        ask_timeout: row.ask_timeout ?? set.ask_timeout,
        max_answer_length: configuration().openai_api.max_answer_length,
      }
    },

    /** What the log says at the start of a proxy that the environment names. */
    proxyNotice: ({ base_url }: ProviderEndpoint) => proxyNotice(env, configuration().openai_api.proxy, base_url),
  }
}

/** The same account, asked in the name of its team; of its personal account with null. */
export function inTeam<Endpoint extends ProviderEndpoint>(
  endpoint: Endpoint,
  team_account_id: string | null,
): Endpoint {
  return endpoint.web === undefined ? endpoint : { ...endpoint, web: { ...endpoint.web, team_account_id } }
}

const unusableWhen = <Key extends RefusalKey>(isUnusable: boolean, unusable: Key) => (isUnusable ? { unusable } : {})
