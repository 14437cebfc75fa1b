import { useSyncExternalStore } from 'react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { listInstalledPlugins, type Plugin, readInstalledPlugin } from '#contract/plugins.ts'
import { call } from '#web/foundation/call.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import type { UsedTool } from '#web/sources/source.ts'

/** Milliseconds for which what was read of plugins will do; the server keeps them for a short time too. */
const FRESH = 60_000

/** The plugins that people may choose. */
export const installedQuery = queryOptions({
  queryKey: ['plugins', 'installed'],
  queryFn: ({ signal }) => call(listInstalledPlugins, { query: {} }, { signal }),
  staleTime: FRESH,
  retry: false,
  meta: { quiet: true },
})

/** One that a conversation began with; it may be gone since. */
export const pluginQuery = (id: string) =>
  queryOptions({
    queryKey: ['plugins', 'one', id],
    queryFn: ({ signal }) => call(readInstalledPlugin, { params: { id } }, { signal }),
    staleTime: FRESH,
    retry: false,
    meta: { quiet: true },
  })

export function nameOf({ id, namespace, manifest }: Plugin): string {
  return manifest?.name_for_human?.trim() || namespace?.trim() || id
}

/** Its name, where it is among the plugins read so far. */
export function knownName({ id, namespace }: UsedTool): string | null {
  const one = queryClient.getQueriesData<Plugin>({ queryKey: ['plugins', 'one'] }).flatMap(([, plugin]) => plugin ?? [])
  const read = [...one, ...(queryClient.getQueryData(installedQuery.queryKey)?.items ?? [])]
  const plugin = read.find(each => (id === null ? each.namespace === namespace : each.id === id))
  return plugin === undefined ? null : nameOf(plugin)
}

/**
 * A name as soon as it is known, whoever reads it; one whose id is known is read. Null as long as the name may still
 * come, else the namespace.
 */
export function useNameOf(used: UsedTool, running: boolean): string | null {
  const query = { ...pluginQuery(used.id ?? ''), enabled: used.id !== null, retryOnMount: false }
  const { isLoading } = useQuery(query)
  const name = useSyncExternalStore(subscribe, () => knownName(used))
  return name ?? (isLoading || (running && used.id === null) ? null : used.namespace)
}

const subscribe = (onChange: () => void) => queryClient.getQueryCache().subscribe(onChange)

/** In place of a logo, which would be fetched from outside: "W" for Wolfram, "SA" for Scholar AI, 地 for 地图. */
export function initialsOf(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter(word => word !== '')
  const [first = '', second = ''] = words.map(word => firstCharacterOf(word))
  return isHan(first) ? first : (first + second).toLocaleUpperCase('en-US')
}

const firstCharacterOf = (text: string): string => [...text][0] ?? ''
const isHan = (text: string): boolean => /\p{Script=Han}/u.test(text)

/** A plugin to which each user would have to sign in. */
export function needsSignIn({ manifest }: Plugin): boolean {
  const auth: unknown = manifest?.auth
  const type: unknown = typeof auth === 'object' && auth !== null && 'type' in auth ? auth.type : null
  return type === 'oauth' || type === 'user_http'
}

/** The address of a domain, where it is one. */
export function addressOfDomain(domain: string | null): string | null {
  return domain !== null && /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(domain) ? `https://${domain}/` : null
}

/** An address from outside that may be opened. */
export function webAddress(text: string | null | undefined): string | null {
  const address = text ? URL.parse(text) : null
  return address !== null && ['http:', 'https:'].includes(address.protocol) ? address.href : null
}

/** Whether some shared account has all of these. */
export function fitTogether(plugins: readonly Plugin[]): boolean {
  const [first, ...others] = plugins.map(({ upstream_ids }) => upstream_ids)
  return first === undefined || first.some(id => others.every(ids => ids?.includes(id) !== false))
}
