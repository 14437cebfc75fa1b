import type { IncomingMessage, ServerResponse } from 'node:http'
import { parseJson, readBody, sendJson } from '../http.ts'
import type { Upstream } from '../upstream.ts'
import { ask } from './asking/ask.ts'
import { refuse, type WebCall } from './call.ts'
import { change, changeAll, history, list, makeTitle } from './conversations.ts'
import { change as changePlugin, listApproved, listInstalled } from './plugins/plugins.ts'
import type { Web } from './web.ts'

type Route = { method: string; path: RegExp; answer: (call: WebCall) => void }

const ROUTES: readonly Route[] = [
  { method: 'GET', path: /^conversations$/, answer: list },
  { method: 'PATCH', path: /^conversations$/, answer: changeAll },
  { method: 'POST', path: /^conversation$/, answer: ask },
  { method: 'POST', path: /^conversation\/gen_title\/([^/]+)$/, answer: makeTitle },
  { method: 'GET', path: /^conversation\/([^/]+)$/, answer: history },
  { method: 'PATCH', path: /^conversation\/([^/]+)$/, answer: change },
  { method: 'GET', path: /^aip\/p$/, answer: listInstalled },
  { method: 'GET', path: /^aip\/p\/approved$/, answer: listApproved },
  { method: 'PATCH', path: /^aip\/p\/([^/]+)\/user-settings$/, answer: changePlugin },
]

/** The openai_web protocol, below /web/. */
export async function answerOpenaiWeb(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  { web, web_token, upstream }: { web: Web; web_token: string | undefined; upstream: Upstream },
) {
  const text = await readBody(request)
  const body = text === undefined || text === '' ? null : parseJson(text)
  const { authorization = '' } = request.headers
  const account_id = headerOf(request, 'chatgpt-account-id')
  const query = new URL(request.url ?? '/', 'http://simulator').searchParams
  const details = {
    method: request.method ?? '',
    query: query.toString(),
    account_id,
    headers: request.headers,
    acknowledged: [],
  }
  const entry = upstream.journal.open({ path, authorization, body, web: details }, text?.length ?? 0)
  response.on('close', () => upstream.journal.end(entry, 'aborted'))

  const token = /^Bearer (.+)$/.exec(authorization)?.[1]
  if (token === undefined || (web_token !== undefined && token !== web_token)) {
    upstream.journal.end(entry, 'fault')
    return sendJson(response, 401, { detail: { message: 'Could not validate your token.', code: 'token_invalid' } })
  }
  const account = web.account(token, account_id)
  const call: WebCall = { request, response, id: '', query, body, entry, account, web, upstream }
  const below = path.slice('/web/'.length)
  for (const route of ROUTES) {
    const found = route.method === request.method ? route.path.exec(below) : null
    if (found) return route.answer({ ...call, id: found[1] ?? '' })
  }
  return refuse(call, 404, 'Not Found')
}

function headerOf(request: IncomingMessage, name: string): string | null {
  const value = request.headers[name]
  return typeof value === 'string' ? value : null
}
