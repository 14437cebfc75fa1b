import { type Dialect, DIALECTS } from '#contract/gateway.ts'
import type { Outbound } from '#server/foundation/outbound/outbound.ts'
import type { ProviderEndpoint } from '../../endpoint.ts'
import { parsed } from '../../looseJson.ts'
import { dialectHeaders, relayAddress } from './request.ts'

/** Milliseconds for the whole answer. */
const DEADLINE = 5_000
const DEADLINES = {
  connect_timeout_ms: DEADLINE,
  first_byte_timeout_ms: DEADLINE,
  idle_timeout_ms: DEADLINE,
  total_timeout_ms: DEADLINE,
}
/** How a request is refused that lacks everything. */
const LACKING = new Set([400, 422])
const MAX_REFUSAL = 20_000

/** The dialects that an endpoint speaks: a request that lacks everything is refused as such, and costs nothing. */
export async function spokenBy(
  outbound: Outbound,
  endpoint: ProviderEndpoint,
  signal: AbortSignal,
): Promise<Dialect[]> {
  const spoken = await Promise.all(DIALECTS.map(dialect => isSpoken(outbound, endpoint, dialect, signal)))
  return DIALECTS.filter((_dialect, at) => spoken[at])
}

async function isSpoken(
  outbound: Outbound,
  endpoint: ProviderEndpoint,
  dialect: Dialect,
  signal: AbortSignal,
): Promise<boolean> {
  const { proxy, addresses } = endpoint
  const answered = outbound.request({
    method: 'POST',
    url: relayAddress(endpoint, dialect),
    headers: { 'content-type': 'application/json', ...dialectHeaders(dialect, endpoint) },
    body: '{}',
    ...{ proxy, addresses, signal },
    ...DEADLINES,
  })
  try {
    const { status, body } = await answered
    const text = LACKING.has(status) ? await body.text(MAX_REFUSAL) : ''
    body.destroy()
    // A proxy that refuses whatever it does not know answers with a page.
    return LACKING.has(status) && parsed(text) !== undefined
  } catch {
    return false
  }
}
