import ipaddr from 'ipaddr.js'
import { baseAddressOf } from '#contract/settings.ts'
import { isPublic, rangeOf } from '#server/foundation/outbound/addresses.ts'

/**
 * Result of HTTPS_PROXY, HTTP_PROXY and NO_PROXY for a request. `name` is the variable; `proxy` is null when the
 * request goes directly.
 */
type ByEnvironment = { name: string; proxy: string | null; reason: 'used' | 'excluded' | 'unusable' }

/** Local hosts: names without a dot, such as a container's, and reserved names. */
const LOCAL_NAME = /^[^.]+$|\.(?:localhost|local|lan|internal|home\.arpa)$/

/**
 * The environment's proxy for an address, by the conventions of other programs: by scheme, lower-case names first. null
 * when none is named. Loopback and private addresses go directly, as do those in NO_PROXY.
 */
export function proxyByEnvironment(env: NodeJS.ProcessEnv, address: string): ByEnvironment | null {
  const { protocol, hostname, port } = new URL(address)
  const name = protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY'
  const text = (env[name.toLowerCase()] || env[name] || '').trim()
  if (text === '') return null
  const host = hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase()
  const exceptions = env['no_proxy'] || env['NO_PROXY'] || ''
  if (
    isLocal(host) ||
    exceptions.split(/[\s,]+/).some(each => names(each, host, port || (protocol === 'https:' ? '443' : '80')))
  ) {
    return { name, proxy: null, reason: 'excluded' }
  }
  const proxy = usable(text)
  return { name, proxy, reason: proxy === null ? 'unusable' : 'used' }
}

/** A proxy without a scheme is an HTTP proxy. */
function usable(text: string): string | null {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`)
  return url !== null && ['http:', 'https:'].includes(url.protocol) ? url.href : null
}

const isLocal = (host: string): boolean => (ipaddr.isValid(host) ? !isPublic(host) : LOCAL_NAME.test(host))

/** Whether an entry of NO_PROXY matches: `*`, an address, a range, or a name with its subdomains; a port may follow. */
function names(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true
  if (ipaddr.isValid(host)) return isInRange(host, entry) || withoutPort(entry, port) === host
  const name = withoutPort(entry.toLowerCase(), port)?.replace(/^\*?\./, '') ?? ''
  return name !== '' && (host === name || host.endsWith(`.${name}`))
}

/** The entry without its port; null when the port differs. */
function withoutPort(entry: string, port: string): string | null {
  const [, host = entry, its = port] = /^\[?([^\]/]*?)\]?:(\d+)$/.exec(entry) ?? []
  return its === port ? host : null
}

function isInRange(host: string, entry: string): boolean {
  try {
    const [network, bits] = rangeOf(entry)
    const address = ipaddr.process(host)
    return address.kind() === network.kind() && address.match(network, bits)
  } catch {
    return false
  }
}

/**
 * The line that is logged at start; null when there is nothing to say. It names only the proxy's host, because its
 * address may contain a password.
 */
export function proxyNotice(env: NodeJS.ProcessEnv, setting: string | null, endpoint: string): string | null {
  const found = proxyByEnvironment(env, endpoint)
  if (found === null) return null
  if (setting !== null) return `${found.name} is ignored: openai_api.proxy is set`
  if (found.reason === 'excluded')
    return `${found.name} is not used: the endpoint is on this machine or a private network, or NO_PROXY names it`
  if (found.proxy === null)
    return `${found.name} is ignored: it is not an http or https address. Set openai_api.proxy (COMMONS_OPENAI_API_PROXY)`
  return `${found.name} is used: the endpoint is asked through ${new URL(found.proxy).host}. People’s own endpoints are asked directly; openai_api.proxy sets a proxy for both`
}

/** The proxy for the shared endpoint: the setting, else the environment's. */
export function sharedProxy(env: NodeJS.ProcessEnv, setting: string | null, endpoint: string): string | null {
  return setting ?? (baseAddressOf(endpoint) === null ? null : (proxyByEnvironment(env, endpoint)?.proxy ?? null))
}
