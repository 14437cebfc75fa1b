import type { RefusalKey } from '#contract/refusals.ts'
import type { OutboundFailure } from '#server/foundation/outbound.ts'
import { Refusal } from '#server/foundation/refusal.ts'

const BY_STATUS: Readonly<Record<number, RefusalKey>> = {
  400: 'openai.400',
  401: 'openai.401',
  403: 'openai.403',
  404: 'openai.404',
  429: 'openai.429',
}

/** The refusal for an upstream status. The upstream's own text is never passed on: it may name keys, accounts and addresses. */
export function refusalOfStatus(status: number, retryAfter: string | undefined): Refusal {
  const retry_after_seconds = secondsOf(retryAfter)
  // Gateways have numbers of their own for an upstream that is down or has too much to do.
  const key = BY_STATUS[status] ?? (status >= 500 ? 'openai.500' : 'openai.unknown')
  return new Refusal(key, { status, ...(retry_after_seconds !== null && { retry_after_seconds }) })
}

export function refusalOfFailure(failure: OutboundFailure): Refusal {
  switch (failure.kind) {
    case 'connect':
    case 'network': return new Refusal('httpError', {}, { cause: failure })
    case 'address': return new Refusal('addressNotAllowed', {}, { cause: failure })
    case 'unpacking': return new Refusal('openai.cutOff', { reason: failure.kind }, { cause: failure })
    case 'connect_timeout': return timeout('openai_api.connect_timeout', failure)
    case 'first_byte_timeout': return timeout('openai_api.first_token_timeout', failure)
    case 'idle_timeout': return timeout('openai_api.read_timeout', failure)
    case 'total_timeout': return timeout('openai_api.ask_timeout', failure)
    case 'aborted': return new Refusal('upstreamTimeout', {}, { cause: failure })
  }
}

/** Names the setting to whoever may change it. */
const timeout = (setting: string, cause: OutboundFailure): Refusal => new Refusal('upstreamTimeout', { setting }, { cause })

/** Retry-After as seconds, which some upstreams send with a fraction, or as a date; at most a day is believed. */
function secondsOf(retryAfter: string | undefined): number | null {
  if (retryAfter === undefined) return null
  const isNumber = /^\d+(?:\.\d+)?$/.test(retryAfter.trim())
  const seconds = Math.ceil(isNumber ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1000)
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds, 86_400) : null
}
