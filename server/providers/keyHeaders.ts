import type { ProviderEndpoint } from './endpoint.ts'

/** The header with the key: the one named for it, else the usual `Authorization: Bearer`. */
export function keyHeaders({ key, key_header }: Pick<ProviderEndpoint, 'key' | 'key_header'>): Record<string, string> {
  if (key === null) return {}
  return key_header === null ? { authorization: `Bearer ${key}` } : { [key_header.toLowerCase()]: key }
}
