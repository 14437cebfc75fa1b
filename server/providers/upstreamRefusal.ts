import type { RefusalKey } from '#contract/refusals.ts'
import type { OutboundFailure } from '#server/foundation/outbound/outbound.ts'
import type { Log } from '#server/foundation/logging.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { meaningOf, type UpstreamError } from './upstreamErrors.ts'

const BY_STATUS: Readonly<Record<number, RefusalKey>> = {
  400: 'openai.400',
  401: 'openai.401',
  403: 'openai.403',
  404: 'openai.404',
  // A proxy on the way, or the endpoint, takes no question of this length.
  413: 'openai.contextTooLong',
  429: 'openai.429',
}

/** For the log alone: what an upstream said, as far as it is a code, and how its answer ended. Never its words. */
export type UpstreamReport = { status?: number; code?: string; finish_reason?: string; content_type?: string }

/** The cause of a refusal that an upstream has made. */
export class UpstreamRefusal extends Error {
  readonly said: UpstreamReport

  constructor(said: UpstreamReport) {
    const words = Object.entries(said).map(([name, value]) => `${name.replace('_', ' ')}: ${String(value)}`)
    super(`the upstream gave no whole answer (${words.join(', ') || 'it said nothing'})`)
    this.name = 'UpstreamRefusal'
    this.said = said
  }
}

/** The refusal for an upstream status. The upstream's own text is never passed on: it may name keys, accounts and addresses. */
export function refusalOfStatus(
  status: number,
  retryAfter: string | undefined,
  error: UpstreamError | null = null,
): Refusal {
  const retry_after_seconds = secondsOf(retryAfter)
  const meaning =
    error === null ? (status === 402 ? 'openai.quota' : null) : meaningOf(error, status, retry_after_seconds !== null)
  // Gateways have numbers of their own for an upstream that is down or has too much to do.
  const key = meaning ?? BY_STATUS[status] ?? (status >= 500 ? 'openai.500' : 'openai.unknown')
  const cause = new UpstreamRefusal({ status, ...(error?.code != null && { code: error.code }) })
  return new Refusal(key, { status, ...(retry_after_seconds !== null && { retry_after_seconds }) }, { cause })
}

/** The refusal for an error that came although the status (`promised`) was good, in place of an answer or of its rest. */
export function refusalOfError(error: UpstreamError, promised: number, hasText: boolean): Refusal {
  const cause = new UpstreamRefusal({
    status: error.status ?? promised,
    ...(error.code !== null && { code: error.code }),
  })
  const meaning = meaningOf(error, error.status)
  if (meaning !== null) return new Refusal(meaning, {}, { cause })
  if (!hasText && error.status !== null) return refusalOfStatus(error.status, undefined, error)
  return new Refusal('openai.cutOff', { reason: 'error' }, { cause })
}

/** One line for whoever runs the portal. */
export function logRefusal(log: Pick<Log, 'warn'>, { key, cause }: Refusal, port = 'reply'): void {
  const isAsk = port === 'reply'
  const of = { refusal: key, ...(!isAsk && { port }) }
  if (cause instanceof UpstreamRefusal)
    log.warn({ ...of, ...cause.said }, `the upstream ${isAsk ? 'gave no whole answer' : 'refused a request'}`)
  else if (cause !== undefined)
    log.warn({ ...of, err: cause }, isAsk ? 'an ask failed' : 'a request to the upstream failed')
}

/** Which settings a request's deadlines come from. */
export type DeadlineSettings = { connect: string; first_byte: string; idle: string; total: string }

const API_SETTINGS: DeadlineSettings = {
  connect: 'openai_api.connect_timeout',
  first_byte: 'openai_api.first_token_timeout',
  idle: 'openai_api.read_timeout',
  total: 'openai_api.ask_timeout',
}

/** Names the setting to whoever may change it. */
export function refusalOfFailure(failure: OutboundFailure, settings = API_SETTINGS): Refusal {
  const timeout = (setting: string) => new Refusal('upstreamTimeout', { setting }, { cause: failure })
  switch (failure.kind) {
    case 'connect':
    case 'network':
      return new Refusal('httpError', {}, { cause: failure })
    case 'address':
      return new Refusal('addressNotAllowed', {}, { cause: failure })
    case 'unpacking':
      return new Refusal('openai.cutOff', { reason: failure.kind }, { cause: failure })
    case 'connect_timeout':
      return timeout(settings.connect)
    case 'first_byte_timeout':
      return timeout(settings.first_byte)
    case 'idle_timeout':
      return timeout(settings.idle)
    case 'total_timeout':
      return timeout(settings.total)
    case 'aborted':
      return new Refusal('upstreamTimeout', {}, { cause: failure })
  }
}

/** Retry-After as seconds, which some upstreams send with a fraction, or as a date; at most a day is believed. */
function secondsOf(retryAfter: string | undefined): number | null {
  if (retryAfter === undefined) return null
  const isNumber = /^\d+(?:\.\d+)?$/.test(retryAfter.trim())
  const seconds = Math.ceil(isNumber ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1000)
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds, 86_400) : null
}
