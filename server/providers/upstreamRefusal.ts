import type { RefusalKey, RefusalValues } from '#contract/refusals.ts'
import type { OutboundAnswer, OutboundFailure } from '#server/foundation/outbound/outbound.ts'
import type { Log } from '#server/foundation/logging.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { type ErrorCodes, statusOfCodes } from './errorCodes.ts'
import { isOfOneModel, meaningOf } from './errorMeanings.ts'
import { type Headers, NO_HEADERS, retryTimeOf } from './retryTime.ts'
import { readError, type UpstreamError } from './upstreamErrors.ts'

const BY_STATUS: Readonly<Record<number, RefusalKey>> = {
  400: 'openai.400',
  401: 'openai.401',
  403: 'openai.403',
  404: 'openai.404',
  // A proxy on the way, or the endpoint, takes no question of this length.
  413: 'openai.contextTooLong',
  429: 'openai.429',
}
/** Limits that may be those of one model alone. */
const LIMITS: ReadonlySet<RefusalKey> = new Set(['openai.429', 'openai.quota'])
/** Those of one question alone: asked again later, it is refused again. */
const OF_QUESTION: ReadonlySet<RefusalKey> = new Set([
  'openai.400',
  'openai.404',
  'openai.contextTooLong',
  'openai.modelNotFound',
  'openai.contentFilter',
])

/** For the log alone: what an upstream said, as far as it is a code, and how its answer ended. Never its words. */
export type UpstreamReport = ErrorCodes & { status?: number; finish_reason?: string; content_type?: string }

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

const NOTHING_SAID = readError('')

/** What an upstream has refused with. */
type Refused = {
  status: number
  error?: UpstreamError
  headers?: Headers
  /** What the upstream calls the model that was asked. */
  model_name?: string
}

/**
 * The refusal for an upstream status. The upstream's own text is never passed on: it may name keys, accounts and
 * addresses. `of_model`: the limit is that of the model that was asked, and others may be asked.
 */
export function refusalOfStatus({ status, error = NOTHING_SAID, headers = NO_HEADERS, model_name }: Refused): Refusal {
  const now = Date.now()
  const seconds = retryTimeOf({ value: error.value, words: error.words, headers }, status === 429, now)
  // Gateways have numbers of their own for an upstream that is down or has too much to do.
  const key =
    meaningOf(error, status, seconds !== null) ?? BY_STATUS[status] ?? (status >= 500 ? 'openai.500' : 'openai.unknown')
  const values: RefusalValues = { status }
  if (seconds !== null && !OF_QUESTION.has(key)) {
    values['retry_after_seconds'] = seconds
    values['retry_at'] = new Date(now + seconds * 1000).toISOString()
  }
  if (LIMITS.has(key) && isOfOneModel(error, model_name)) values['of_model'] = true
  return new Refusal(key, values, { cause: new UpstreamRefusal({ status, ...error.codes }) })
}

/** The refusal for an answer whose status is no success; `text` is the beginning of its body. */
export function refusalOfAnswer(answer: OutboundAnswer, text: string, model_name?: string): Refusal {
  const headers = { names: answer.header_names, get: answer.header }
  return refusalOfStatus({
    status: answer.status,
    error: readError(text),
    headers,
    ...(model_name !== undefined && { model_name }),
  })
}

type Within = {
  /** The good status of the answer that the error is in. */
  promised: number
  /** Whether something of the answer had come before. */
  hasText: boolean
  content_type?: string | undefined
  model_name?: string
}

/** The refusal for an error that came although the status was good, in place of an answer or of its rest. */
export function refusalOfError(error: UpstreamError, given: Within): Refusal {
  const { promised, hasText, content_type, ...asked } = given
  const named = statusOfCodes(error.codes)
  // That something went wrong there is all that most names of servers' errors say.
  const status = error.status ?? (named === 500 ? null : named)
  const refusal = refusalOfStatus({ status: status ?? promised, error, ...asked })
  const cause = new UpstreamRefusal({
    status: status ?? promised,
    ...error.codes,
    ...(error.page !== null && { content_type: content_type?.slice(0, 100) ?? 'none' }),
  })
  const isOfStatus =
    BY_STATUS[status ?? 0] === refusal.key || refusal.key === 'openai.500' || refusal.key === 'openai.unknown'
  // What came is kept, and that it broke off is all that matters; but whom an account lets in no more, everybody has to
  // know.
  const isReported = !isOfStatus || (status !== null && (!hasText || status === 401 || status === 429))
  if (isReported)
    return new Refusal(refusal.key, status === null ? withoutStatus(refusal.values) : refusal.values, { cause })
  return new Refusal('openai.cutOff', { reason: 'error' }, { cause })
}

/** The status of the answer said that all is well. */
function withoutStatus({ status: _status, ...values }: RefusalValues): RefusalValues {
  return values
}

/** One line for whoever runs the portal. */
export function logRefusal(log: Pick<Log, 'warn'>, { key, cause }: Refusal, port = 'reply'): void {
  const isAsk = port === 'reply' || port === 'relay'
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
