import type { ProviderEndpoint } from './endpoint.ts'

/** What says who asks: the key in the header that is named for it, else as everybody takes it. */
export function keyHeaders({ key, key_header }: Pick<ProviderEndpoint, 'key' | 'key_header'>): Record<string, string> {
  if (key === null) return {}
  return key_header === null ? { authorization: `Bearer ${key}` } : { [key_header.toLowerCase()]: key }
}
