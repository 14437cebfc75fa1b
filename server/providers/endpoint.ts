import type { RefusalKey } from '#contract/refusals.ts'
import type { Outbound } from '#server/foundation/outbound/outbound.ts'

/** How an upstream is reached. An argument, because a person may bring an address and key of their own. */
export type ProviderEndpoint = {
  base_url: string
  key: string | null
  /** Nothing is asked there, for this reason: a key was entered and cannot be opened. */
  unusable?: RefusalKey
  /** The header that carries the key as it is; null: `Authorization: Bearer`. */
  key_header: string | null
  proxy: string | null
  addresses: Parameters<Outbound['request']>[0]['addresses']
  /** What only a web account has. */
  web?: WebReach
}

/** In whose name a web account is asked, and how. */
export type WebReach = {
  /** The team account of the token; null: its personal one. */
  team_account_id: string | null
  /** Proxy for its WebSocket. */
  wss_proxy: string | null
  /** Seconds that an ordinary request may take. */
  common_timeout: number
  /** What it calls our models; answers name them so. */
  model_code_mapping?: Readonly<Record<string, string>>
}

/** The header with the key: the one named for it, else the usual `Authorization: Bearer`. */
export function keyHeaders({ key, key_header }: Pick<ProviderEndpoint, 'key' | 'key_header'>): Record<string, string> {
  if (key === null) return {}
  return key_header === null ? { authorization: `Bearer ${key}` } : { [key_header.toLowerCase()]: key }
}
