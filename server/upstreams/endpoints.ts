import type { Configuration } from '#contract/configuration.ts'
import type { Source } from '#contract/models.ts'
import { proxyNotice, sharedProxy } from '#server/configuration/environmentProxy.ts'
import type { CredentialsService } from '#server/credentials/credentials.ts'
import type { SecretBox } from '#server/foundation/secrets.ts'
import type { ProviderEndpoint, ProviderUpstream } from '#server/providers/provider.ts'
import type { UpstreamRow } from './store.ts'

export const OPENAI_BASE_URL = 'https://api.openai.com/v1/'

export type EndpointsFrom = {
  configuration(): Configuration
  credentials: Pick<CredentialsService, 'openaiApiKey' | 'openaiWebAccessToken'>
  /** Address of the built-in simulator. */
  demonstrationUrl: string
  /** Of the process: it may name a proxy. */
  env: NodeJS.ProcessEnv
}

/** A person's own endpoint: its key only, never a shared one. */
export type OwnEndpoint = { upstream_id: number; url: string; key: string | null }

/** What of a row says how an upstream beside the first is reached. */
export type Reached = Pick<UpstreamRow, 'source' | 'base_url' | 'query' | 'key_header' | 'proxy'>

export type Endpoints = ReturnType<typeof openEndpoints>

/** The address that a row stands for: that of the settings where it names none. Null where they name none either. */
export function addressOf(
  { source, base_url, query }: Omit<Reached, 'key_header' | 'proxy'>,
  settings: Configuration,
): string | null {
  const base = base_url ?? (source === 'openai_api' ? OPENAI_BASE_URL : settings.openai_web.chatgpt_base_url)
  if (base === null || query === null || query === '') return base
  return `${base}${base.includes('?') ? '&' : '?'}${query}`
}

/** Where an address leads to; blank for none. A secret is only sent to where it was entered for. */
export const originOf = (address: string | null): string =>
  address !== null && URL.canParse(address) ? new URL(address).origin : ''

/** How upstreams are reached. Without a key and an address the built-in simulator answers (the demonstration). */
export function openEndpoints({ configuration, credentials, demonstrationUrl, env }: EndpointsFrom) {
  const hasNoFirst = () => configuration().openai_api.openai_base_url === null && credentials.openaiApiKey() === null

  function first(source: Source): ProviderEndpoint {
    // The administrator's address may be on loopback or private: that is where Ollama, vLLM and LiteLLM are.
    const shared = { addresses: 'any' } as const
    if (source === 'openai_web') {
      const base_url = configuration().openai_web.chatgpt_base_url ?? ''
      return { ...shared, base_url, key: credentials.openaiWebAccessToken(), key_header: null, proxy: null }
    }
    const { openai_base_url, key_header, proxy } = configuration().openai_api
    const base_url = openai_base_url ?? (hasNoFirst() ? demonstrationUrl : OPENAI_BASE_URL)
    return {
      ...shared,
      base_url,
      key: credentials.openaiApiKey(),
      key_header: key_header || null,
      proxy: sharedProxy(env, proxy, base_url),
    }
  }

  return {
    /** Whether the first endpoint is no real one. */
    hasNoFirst,

    first,

    further(row: Reached, key: string | null): ProviderEndpoint {
      const base_url = addressOf(row, configuration()) ?? ''
      const proxy = row.proxy ?? (row.source === 'openai_api' ? configuration().openai_api.proxy : null)
      return { base_url, key, key_header: row.key_header, addresses: 'any', proxy: sharedProxy(env, proxy, base_url) }
    },

    ofPerson({ url, key }: OwnEndpoint): ProviderEndpoint {
      const { auth, openai_api } = configuration()
      return {
        base_url: url,
        key,
        key_header: null,
        addresses: { public_only: true, except: auth.allow_private_custom_urls },
        proxy: openai_api.proxy,
      }
    },

    /** Seconds, and characters: the settings, unless the row has its own. */
    bounds(row: Partial<UpstreamRow>): Omit<ProviderUpstream, keyof ProviderEndpoint | 'model_name'> {
      const settings = configuration().openai_api
      return {
        connect_timeout: row.connect_timeout ?? settings.connect_timeout,
        first_token_timeout: row.first_token_timeout ?? settings.first_token_timeout,
        read_timeout: row.read_timeout ?? settings.read_timeout,
        ask_timeout: row.ask_timeout ?? settings.ask_timeout,
        max_answer_length: settings.max_answer_length,
      }
    },

    /** What the log says at the start of a proxy that the environment names. */
    proxyNotice: () => proxyNotice(env, configuration().openai_api.proxy, first('openai_api').base_url),
  }
}

/** Whose secret it is, and the origin of the address that it was entered for. */
type Owner = { id: number; origin: string }

/** Goes into the seal, so that no secret can be put in another's place, or be sent to another address. */
const contextOf = ({ id, origin }: Owner): string => `upstreams/${id}/sealed_secret/${origin}`

export const sealSecret = (secretBox: SecretBox, owner: Owner, secret: string): string =>
  secretBox.seal(secret, contextOf(owner))

/** Null where it was sealed with another key, or for another address. */
export function openSecret(secretBox: SecretBox, owner: Owner, sealed: string): string | null {
  try {
    return secretBox.open(sealed, contextOf(owner))
  } catch (cause) {
    process.emitWarning(
      new Error(`the stored key of upstream ${owner.id} cannot be opened for its present address; enter it again`, {
        cause,
      }),
    )
    return null
  }
}
