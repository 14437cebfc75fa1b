import { type DialectForm, positionComment, sseEvent } from './form.ts'
import { type RefusalKind, retryHeaders, type ToolRefusal } from './toolRefusal.ts'

/** 403 is tried nine times by some tools, 404 with this code once. */
const NOT_FOR_YOU = { status: 404, type: 'invalid_request_error', code: 'model_not_found' }

const FORMS: Record<RefusalKind, { status: number; type: string; code: string }> = {
  badKey: { status: 401, type: 'authentication_error', code: 'invalid_api_key' },
  notAllowed: NOT_FOR_YOU,
  unknownModel: NOT_FOR_YOU,
  limit: { status: 429, type: 'rate_limit_error', code: 'rate_limit_exceeded' },
  upstreamAway: { status: 503, type: 'server_error', code: 'upstream_away' },
  content: { status: 400, type: 'invalid_request_error', code: 'invalid_prompt' },
  invalid: { status: 400, type: 'invalid_request_error', code: 'invalid_request' },
  tooLarge: { status: 413, type: 'invalid_request_error', code: 'request_too_large' },
  mediaType: { status: 415, type: 'invalid_request_error', code: 'unsupported_media_type' },
  unknownPath: { status: 404, type: 'invalid_request_error', code: 'unknown_url' },
  wrongMethod: { status: 405, type: 'invalid_request_error', code: 'method_not_allowed' },
  internal: { status: 500, type: 'server_error', code: 'internal_error' },
}

function errorOf({ kind, message, param }: ToolRefusal) {
  const { type, code } = FORMS[kind]
  return { error: { message, type, param, code } }
}

export const CHAT: DialectForm = {
  dialect: 'chat',
  refused: refusal => ({
    status: FORMS[refusal.kind].status,
    headers: retryHeaders(refusal),
    body: errorOf(refusal),
  }),
  // Anything but a comment breaks some tool: named events, and data that is no chunk.
  waiting: positionComment,
  brokenOff: refusal => sseEvent(null, errorOf(refusal)),
  ends: events => /^data: ?\[DONE\]/m.test(events),
  maxOutput: ['max_completion_tokens', 'max_tokens'],
  messages: body => body['messages'],
}
