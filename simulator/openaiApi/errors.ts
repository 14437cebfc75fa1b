import type { ServerResponse } from 'node:http'
import type { Fault, RefusalCode } from '../foundation/faults.ts'
import { sendJson } from '../foundation/http.ts'
import type { UpstreamRefusal } from '../foundation/upstream.ts'

/** Answers a refusal in the upstream's error shape. */
export function refuse(response: ServerResponse, refusal: UpstreamRefusal, headers?: Record<string, string>) {
  const { status, message, type, param, code } = refusal
  sendJson(response, status, { error: { message, type, param, code } }, headers)
}

const INVALID = 'invalid_request_error'
const TYPICAL: Record<number, Omit<UpstreamRefusal, 'status' | 'param'>> = {
  400: {
    message: "This model's maximum context length is 8192 tokens.",
    type: INVALID,
    code: 'context_length_exceeded',
  },
  402: { message: 'Insufficient Balance', type: 'unknown_error', code: 'invalid_request_error' },
  401: { message: 'Incorrect API key provided: sk-simu********lator.', type: INVALID, code: 'invalid_api_key' },
  403: {
    message: 'Country, region, or territory not supported',
    type: 'request_forbidden',
    code: 'unsupported_country_region_territory',
  },
  404: { message: 'The model does not exist or you do not have access to it.', type: INVALID, code: 'model_not_found' },
  429: { message: 'Rate limit reached for requests.', type: 'requests', code: 'rate_limit_exceeded' },
  500: {
    message: 'The server had an error while processing your request. Sorry about that!',
    type: 'server_error',
    code: null,
  },
  503: { message: 'The engine is currently overloaded, please try again later', type: 'server_error', code: null },
}
/** Bodies of refusals whose code says more than the status. */
const BY_CODE: Record<RefusalCode, object> = {
  content_filter: {
    message: 'The prompt was filtered due to our content management policy.',
    type: null,
    param: 'prompt',
    code: 'content_filter',
    status: 400,
    innererror: {
      code: 'ResponsibleAIPolicyViolation',
      content_filter_result: { violence: { filtered: true, severity: 'high' } },
    },
  },
  context_length_exceeded: { ...TYPICAL[400], param: 'messages' },
  insufficient_quota: {
    message: 'You exceeded your current quota, please check your plan and billing details.',
    type: 'insufficient_quota',
    param: null,
    code: 'insufficient_quota',
  },
  insufficient_balance: { ...TYPICAL[402], param: null },
  model_not_found: { ...TYPICAL[404], param: null },
  no_pictures: { message: 'This model does not support image input.', type: INVALID, param: 'messages', code: null },
  too_many_pictures: {
    message: 'Too many images in request. The maximum is 4 images.',
    type: INVALID,
    param: null,
    code: null,
  },
  picture_too_large: {
    message: 'messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: 6291456 bytes > 5242880 bytes',
    type: INVALID,
    param: null,
    code: null,
  },
}
const SERVER_ERROR = { message: 'Bad gateway.', type: 'server_error', code: null }

/** A status on request, with its typical body or the given one; a body that looks like a page is sent as HTML. */
export function refuseByFault(response: ServerResponse, fault: Extract<Fault, { kind: 'status' }>) {
  const headers: Record<string, string> = {}
  if (fault.retry_after_seconds !== undefined) headers['retry-after'] = String(fault.retry_after_seconds)
  if (fault.code !== undefined) return sendJson(response, fault.status, { error: BY_CODE[fault.code] }, headers)
  if (fault.body === undefined) {
    return refuse(response, { status: fault.status, param: null, ...(TYPICAL[fault.status] ?? SERVER_ERROR) }, headers)
  }
  const type = fault.body.trimStart().startsWith('<') ? 'text/html' : 'application/json'
  response.writeHead(fault.status, { ...headers, 'content-type': type })
  response.end(fault.body)
}
