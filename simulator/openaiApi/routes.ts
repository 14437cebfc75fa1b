import type { IncomingMessage, ServerResponse } from 'node:http'
import { sendJson } from '../http.ts'
import type { Upstream } from '../upstream.ts'
import { answerCompletion } from './completions.ts'
import { refuse } from './errors.ts'

/** The openai_api protocol, below /v1/. */
export async function answerOpenaiApi(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  upstream: Upstream,
) {
  if (request.method === 'POST' && path === '/v1/chat/completions') return answerCompletion(request, response, upstream)
  const entry = upstream.journal.open({ path, authorization: request.headers.authorization ?? '', body: null }, 0)
  const refusal = upstream.refusalOfKey(request)
  if (!refusal && request.method === 'GET' && path === '/v1/models') {
    upstream.journal.end(entry, 'complete')
    return sendJson(response, 200, modelList())
  }
  upstream.journal.end(entry, 'fault')
  const message = `Invalid URL (${request.method ?? ''} ${path})`
  return refuse(response, refusal ?? { status: 404, message, type: 'invalid_request_error', param: null, code: null })
}

/** GET /v1/models. Other names are answered too, except those that start with "missing". */
const MODELS = ['gpt-3.5-turbo', 'gpt-4', 'gpt-4o', 'gpt-4o-mini', 'simulated-large']

function modelList() {
  return {
    object: 'list',
    data: MODELS.map(id => ({ id, object: 'model', created: 1_700_000_000, owned_by: 'simulator' })),
  }
}
