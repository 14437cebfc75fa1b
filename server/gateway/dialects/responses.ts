import { type DialectForm, positionComment, sseEvent, type StreamFacts } from './form.ts'
import { codeInStream, type RefusalKind, retryHeaders, type ToolRefusal, waitsByItself } from './toolRefusal.ts'

type Form = { status: number; type: string; code: string }

const NOT_FOR_YOU: Form = { status: 404, type: 'invalid_request_error', code: 'model_not_found' }
/** A 500 or 502 is tried thirty times by Codex, and a 503 with Retry-After waited for in silence. */
const AWAY: Form = { status: 503, type: 'server_error', code: 'server_is_overloaded' }

const FORMS: Record<RefusalKind, Form> = {
  badKey: { status: 401, type: 'authentication_error', code: 'invalid_api_key' },
  notAllowed: NOT_FOR_YOU,
  unknownModel: NOT_FOR_YOU,
  limit: { status: 429, type: 'rate_limit_error', code: 'rate_limit_exceeded' },
  upstreamAway: AWAY,
  content: { status: 400, type: 'invalid_request_error', code: 'invalid_prompt' },
  invalid: { status: 400, type: 'invalid_request_error', code: 'invalid_request' },
  tooLarge: { status: 413, type: 'invalid_request_error', code: 'request_too_large' },
  mediaType: { status: 415, type: 'invalid_request_error', code: 'unsupported_media_type' },
  unknownPath: { status: 404, type: 'invalid_request_error', code: 'unknown_url' },
  wrongMethod: { status: 405, type: 'invalid_request_error', code: 'method_not_allowed' },
  internal: AWAY,
}

/** A header takes no other characters than these. */
const PLAIN = /^[ -~]+$/

/** Codex shows "Try again at", and this sentence before it, which must not end in a full stop. */
function usageLimit({ message, again, param }: ToolRefusal, headers: Record<string, string>) {
  const sentence = message.replace(/\.$/, '')
  return {
    status: 429,
    headers: { ...headers, ...(PLAIN.test(sentence) && { 'x-codex-promo-message': sentence }) },
    body: {
      error: {
        message,
        type: 'usage_limit_reached',
        param,
        code: 'rate_limit_exceeded',
        ...(again !== null && { resets_at: Math.ceil(again.time / 1000) }),
      },
    },
  }
}

const responseOf = ({ id, model, create_time }: StreamFacts, status: string, error: unknown = null) => ({
  id,
  object: 'response',
  created_at: Math.floor(create_time / 1000),
  status,
  error,
  incomplete_details: null,
  model,
  output: [],
})

/** The last event of a stream that went well, or that the upstream itself ended. */
const ENDS = /^(?:event: ?|data: ?\{"type": ?")response\.(?:completed|failed|incomplete)\b/m

export const RESPONSES: DialectForm = {
  dialect: 'responses',
  refused(refusal) {
    const headers = retryHeaders(refusal)
    if (refusal.kind === 'limit' && !waitsByItself(refusal)) return usageLimit(refusal, headers)
    const { status, type, code } = FORMS[refusal.kind]
    const { 'retry-after': _waitedFor, ...withoutTime } = headers
    return {
      status,
      headers: status === AWAY.status ? withoutTime : headers,
      body: { error: { message: refusal.message, type, param: refusal.param, code } },
    }
  },
  waiting: (position, facts) =>
    positionComment(position) +
    sseEvent('response.queued', {
      type: 'response.queued',
      sequence_number: facts.sequence,
      response: responseOf(facts, 'queued'),
    }),
  brokenOff: ({ kind, message }, facts) =>
    sseEvent('response.failed', {
      type: 'response.failed',
      sequence_number: facts.sequence,
      response: responseOf(facts, 'failed', { code: codeInStream(kind), message }),
    }),
  ends: events => ENDS.test(events),
  maxOutput: ['max_output_tokens'],
  messages: body => body['input'],
}
