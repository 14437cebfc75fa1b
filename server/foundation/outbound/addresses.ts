import { lookup as systemLookup, type LookupAddress, type LookupOptions } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { deadlineTimer, OutboundFailure } from './failure.ts'

/**
 * Where requests may go: anywhere for the administrator's addresses, only to the public network for those of other
 * people.
 */
export type AddressPolicy = 'any' | { public_only: true; except: readonly string[] }

/**
 * Besides 443 only unprivileged ports are allowed: the portal must not become a tool to probe mail servers and the
 * like.
 */
const LOWEST_FREE_PORT = 1024

/** Milliseconds. Of a question by itself; within a request its own deadlines run. */
const MAX_LOOKUP = 5000

export type Resolve = (
  hostname: string,
  options: LookupOptions & { all: true },
  done: (error: Error | null, found: LookupAddress[]) => void,
) => void

export const systemResolve: Resolve = (hostname, options, done) => systemLookup(hostname, options, done)

/**
 * Looks a name up as Node would, and refuses it when any of its addresses is not allowed. The connection then goes to
 * those.
 */
export function guardedLookup(except: readonly string[], resolve: Resolve): LookupFunction {
  return (hostname, options, done) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return done(error, '', 0)
      const [first] = found
      if (first === undefined || !found.every(({ address }) => isAllowed(address, except)))
        return done(notAllowed(), '', 0)
      if (options.all) return done(null, found)
      return done(null, first.address, first.family)
    })
  }
}

/**
 * Whether a request would be let out, as far as that can be told now; a name that is not answered for in time is a
 * failure too.
 */
export async function requireAllowed(
  url: URL,
  policy: AddressPolicy,
  resolve: Resolve,
  timeout_ms = MAX_LOOKUP,
): Promise<void> {
  const late = Promise.withResolvers<never>()
  const clock = deadlineTimer(kind => late.reject(new OutboundFailure(kind)))
  clock.start('connect_timeout', timeout_ms)
  try {
    await Promise.race([lookUpAllowed(url, policy, resolve), late.promise])
  } finally {
    clock.stop()
  }
}

/**
 * The addresses behind the URL, each of them allowed; null where the policy lets anything out, and nothing is looked
 * up. A literal address is never looked up for the connection, so it is looked at here. The system's resolver takes as
 * long as it likes and cannot be stopped: whoever calls this minds the time.
 */
export async function lookUpAllowed(url: URL, policy: AddressPolicy, resolve: Resolve): Promise<string[] | null> {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw notAllowed()
  if (policy === 'any') return null
  const { except } = policy
  if (url.username !== '' || url.password !== '') throw notAllowed()
  const addresses = await addressesOf(url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, ''), resolve)
  if (addresses.every(address => isExcepted(address, except))) return addresses
  if (url.protocol === 'http:' || (url.port !== '' && Number(url.port) < LOWEST_FREE_PORT)) throw notAllowed()
  if (!addresses.every(address => isAllowed(address, except))) throw notAllowed()
  return addresses
}

/**
 * The URL's origin with one of its addresses in place of the name: IPv4 if there is one, as a proxy may have nothing
 * else.
 */
export function originAt(url: URL, addresses: readonly string[]): string {
  const address = addresses.find(each => isIP(each) === 4) ?? `[${addresses[0]}]`
  return `${url.protocol}//${address}${url.port === '' ? '' : `:${url.port}`}`
}

function isAllowed(address: string, except: readonly string[]): boolean {
  return isPublic(address) || isExcepted(address, except)
}

/** An address of the public internet: not private, local, reserved, translated or tunnelled. */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast') return false
  // Of IPv6 only this part has been given out; the old forms that hide an IPv4 address lie outside it.
  return parsed.kind() === 'ipv4' || parsed.match(ipaddr.parseCIDR('2000::/3'))
}

function isExcepted(address: string, except: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  return except.some(each => {
    const [network, bits] = rangeOf(each)
    return network.kind() === parsed.kind() && parsed.match(network, bits)
  })
}

/** A range such as 10.0.0.0/8, or one address. Throws when it is neither. */
export function rangeOf(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  if (text.includes('/')) return ipaddr.parseCIDR(text)
  const address = ipaddr.process(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

async function addressesOf(name: string, resolve: Resolve): Promise<string[]> {
  if (isIP(name) !== 0) return [name]
  // By definition these are the machine itself, whether or not its resolver knows them.
  if (/(?:^|\.)localhost$/i.test(name)) return ['127.0.0.1']
  const { promise, resolve: found, reject } = Promise.withResolvers<LookupAddress[]>()
  resolve(name, { all: true }, (error, addresses) => {
    if (error === null) found(addresses)
    else reject(new OutboundFailure('connect', { cause: error }))
  })
  const addresses = (await promise).map(({ address }) => address)
  if (addresses.length === 0) throw notAllowed()
  return addresses
}

function notAllowed(): OutboundFailure {
  return new OutboundFailure('address')
}
