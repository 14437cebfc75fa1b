import type { Configuration } from '#contract/configuration.ts'
import { DEFAULT_MODEL_CODE_MAPPING, type Source } from '#contract/models.ts'
import type { RefusalKey } from '#contract/refusals.ts'
import { proxyNotice, sharedProxy } from '#server/configuration/environmentProxy.ts'
import type { CredentialsService } from '#server/credentials/credentials.ts'
import { openStoredKey, type SecretBox, type StoredKey } from '#server/foundation/secrets.ts'
import type { ProviderEndpoint, WebReach } from '#server/providers/endpoint.ts'
import type { ProviderUpstream } from '#server/providers/provider.ts'
import type { UpstreamRow } from './store.ts'

export const OPENAI_BASE_URL = 'https://api.openai.com/v1/'

/** The key for the built-in web account, which takes any. */
export const DEMONSTRATION_KEY = 'demonstration'
const demonstration = { key: DEMONSTRATION_KEY, key_header: null, proxy: null } as const

export type EndpointDependencies = {
  configuration(): Configuration
  credentials: Pick<CredentialsService, 'openaiApiKey' | 'openaiWebAccessToken' | 'isUnreadable'>
  /** Addresses of the built-in simulator. */
  demonstrationUrls: Readonly<Record<Source, string>>
  /** Of the process: it may name a proxy. */
  env: NodeJS.ProcessEnv
}

/** A person's own endpoint: its key only, never a shared one. */
export type OwnEndpoint = StoredKey & { upstream_id: number; url: string }

/** The columns of a further upstream that say how it is reached. */
export type Reached = Pick<UpstreamRow, 'source' | 'base_url' | 'query' | 'key_header' | 'proxy'>

export type Endpoints = ReturnType<typeof openEndpoints>

/** The address of a row, else that of the settings; null when neither has one. */
export function addressOf(
  { source, base_url, query }: Omit<Reached, 'key_header' | 'proxy'>,
  settings: Configuration,
): string | null {
  const base = base_url ?? (source === 'openai_api' ? OPENAI_BASE_URL : settings.openai_web.chatgpt_base_url)
  if (base === null || query === null || query === '') return base
  return `${base}${base.includes('?') ? '&' : '?'}${query}`
}

/** The origin of an address; blank when there is none. A secret is only sent to the origin it was entered for. */
export const originOf = (address: string | null): string =>
  address !== null && URL.canParse(address) ? new URL(address).origin : ''

/** How upstreams are reached. Without a key and an address the built-in simulator answers (the demonstration). */
export function openEndpoints({ configuration, credentials, demonstrationUrls, env }: EndpointDependencies) {
  const isApiDemonstrated = () =>
    configuration().openai_api.openai_base_url === null &&
    credentials.openaiApiKey() === null &&
    !credentials.isUnreadable('openai_api_key')

  const isWebDemonstrated = () =>
    isApiDemonstrated() &&
    configuration().openai_web.chatgpt_base_url === null &&
    credentials.openaiWebAccessToken() === null &&
    !credentials.isUnreadable('openai_web_access_token')

  const isFirstUnreadable = (source: Source) =>
    credentials.isUnreadable(source === 'openai_web' ? 'openai_web_access_token' : 'openai_api_key')

  function first(source: Source): ProviderEndpoint {
    // The administrator's address may be on loopback or private: that is where Ollama, vLLM and LiteLLM are.
    const shared = { addresses: 'any', ...unusableWhen(isFirstUnreadable(source), 'keyUnreadable') } as const
    if (source === 'openai_web') {
      if (isWebDemonstrated())
        return { ...shared, ...demonstration, base_url: demonstrationUrls.openai_web, web: webReach() }
      const base_url = configuration().openai_web.chatgpt_base_url ?? ''
      const proxy = sharedProxy(env, configuration().openai_web.proxy, base_url)
      return { ...shared, base_url, key: credentials.openaiWebAccessToken(), key_header: null, proxy, web: webReach() }
    }
    const { openai_base_url, key_header, proxy } = configuration().openai_api
    const base_url = openai_base_url ?? (isApiDemonstrated() ? demonstrationUrls.openai_api : OPENAI_BASE_URL)
    return {
      ...shared,
      base_url,
      key: credentials.openaiApiKey(),
      key_header: key_header || null,
      proxy: sharedProxy(env, proxy, base_url),
    }
  }

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
    /** Whether the built-in simulator answers in place of the first endpoint: neither an address nor a key is set. */
    isApiDemonstrated,
    /** The same for the first web account. */
    isWebDemonstrated,

    first,

    further(row: Reached, { key, isUnreadable }: StoredKey): ProviderEndpoint {
      const base_url = addressOf(row, configuration()) ?? ''
      const source = row.source as Source // only the two sources are ever stored
      const proxy = sharedProxy(env, row.proxy ?? configuration()[source].proxy, base_url)
      const unusable = unusableWhen(isUnreadable, 'keyUnreadable')
      const reached = { base_url, key, key_header: row.key_header, addresses: 'any', proxy, ...unusable } as const
      return source === 'openai_web' ? { ...reached, web: webReach() } : reached
    },

    ofPerson({ url, key, isUnreadable }: OwnEndpoint): ProviderEndpoint {
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
    proxyNotice: () => proxyNotice(env, configuration().openai_api.proxy, first('openai_api').base_url),
  }
}

/** The same account, asked in the name of its team; of its personal account with null. */
export function inTeam<Endpoint extends ProviderEndpoint>(
  endpoint: Endpoint,
  team_account_id: string | null,
): Endpoint {
  return endpoint.web === undefined ? endpoint : { ...endpoint, web: { ...endpoint.web, team_account_id } }
}

/** Whose secret it is, and the origin of the address that it was entered for. */
type Owner = { id: number; origin: string }

/** The context that a secret is sealed with, so that it can be opened for this upstream and origin only. */
const contextOf = ({ id, origin }: Owner): string => `upstreams/${id}/sealed_secret/${origin}`

export const sealSecret = (secretBox: SecretBox, owner: Owner, secret: string): string =>
  secretBox.seal(secret, contextOf(owner))

/** Unreadable where it was sealed with another key, or for another address. */
export const openSecret = (secretBox: SecretBox, owner: Owner, sealed: string | null): StoredKey =>
  openStoredKey(secretBox, sealed, contextOf(owner))

const unusableWhen = <Key extends RefusalKey>(isUnusable: boolean, unusable: Key) => (isUnusable ? { unusable } : {})
