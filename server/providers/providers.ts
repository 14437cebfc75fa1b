import { type Source, SOURCES } from '#contract/models.ts'
import type { Outbound } from '#server/foundation/outbound/outbound.ts'
import type { Log } from '#server/foundation/logging.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { ProviderEndpoint } from './endpoint.ts'
import type { Provider, ProviderAsk } from './provider.ts'
import { logRefusal } from './upstreamRefusal.ts'

/** A source without a provider is never asked: admission refuses it as not enabled. */
export type Providers = Record<Source, Provider | null>

type SourceProvider = { code: Source; provider(outbound: Outbound): Provider }

/** The providers of these sources. */
export function openProviders(list: readonly SourceProvider[], outbound: Outbound, log: Log): Providers {
  const made = new Map(list.map(({ code, provider }) => [code, logged(provider(outbound), log)]))
  return Object.fromEntries(SOURCES.map(code => [code, made.get(code) ?? null])) as Providers // of every source
}

/**
 * People read no more than the key of a refusal; whoever runs the portal finds in the log what came of each request.
 */
function logged(provider: Provider, log: Log): Provider {
  const ports: [string, unknown][] = Object.entries(provider)
  // The same ports, each called with what it takes.
  return Object.fromEntries(ports.map(([name, port]) => [name, loggedPort(name, port as Port, log)])) as Provider
}

/** Every port takes the endpoint first, `reply` within the ask: without its key it is not asked at all. */
function requireUsable(first: unknown): void {
  const { unusable, upstream } = first as Partial<ProviderEndpoint & ProviderAsk> // of the ports
  const key = unusable ?? upstream?.unusable
  if (key !== undefined) throw new Refusal(key)
}

type Port = (...given: unknown[]) => Promise<unknown>

const loggedPort =
  (name: string, port: Port, log: Log): Port =>
  async (...given) => {
    requireUsable(given[0])
    try {
      return await port(...given)
    } catch (error) {
      if (error instanceof Refusal) logRefusal(log, error, name)
      throw error
    }
  }
