import { type DialectForm, positionComment, sseEvent } from './form.ts'
import { type RefusalKind, retryHeaders, type ToolRefusal, waitsByItself } from './toolRefusal.ts'

const FORMS: Record<RefusalKind, { status: number; type: string }> = {
  badKey: { status: 401, type: 'authentication_error' },
  notAllowed: { status: 403, type: 'permission_error' },
  // Claude Code replaces the text of a 404 by its own.
  unknownModel: { status: 403, type: 'permission_error' },
  limit: { status: 429, type: 'rate_limit_error' },
  upstreamAway: { status: 503, type: 'overloaded_error' },
  content: { status: 400, type: 'invalid_request_error' },
  invalid: { status: 400, type: 'invalid_request_error' },
  tooLarge: { status: 413, type: 'request_too_large' },
  mediaType: { status: 415, type: 'invalid_request_error' },
  unknownPath: { status: 404, type: 'not_found_error' },
  wrongMethod: { status: 405, type: 'invalid_request_error' },
  internal: { status: 500, type: 'api_error' },
}

/** Without this sentence Claude Code asks six times. */
const BLOCKED = 'Output blocked by content filtering policy'

function errorOf(refusal: ToolRefusal) {
  const { kind, message } = refusal
  const type = kind === 'limit' && !waitsByItself(refusal) ? 'billing_error' : FORMS[kind].type
  const isNamed = kind !== 'content' || message.includes(BLOCKED)
  return { type: 'error', error: { type, message: isNamed ? message : `${BLOCKED}. ${message}` } }
}

export const MESSAGES: DialectForm = {
  dialect: 'messages',
  refused: refusal => ({
    status: FORMS[refusal.kind].status,
    headers: retryHeaders(refusal),
    body: errorOf(refusal),
  }),
  waiting: position => positionComment(position) + sseEvent('ping', { type: 'ping' }),
  brokenOff: refusal => sseEvent('error', errorOf(refusal)),
  ends: events => /^event: ?(?:message_stop|error)$/m.test(events),
  maxOutput: ['max_tokens'],
  messages: body => body['messages'],
}
