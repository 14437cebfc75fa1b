import type { IncomingMessage, ServerResponse } from 'node:http'
import { parseJson, readBody, sendJson } from '../http.ts'
import type { Upstream } from '../upstream.ts'
import { check } from './accounts.ts'
import { ask } from './asking/ask.ts'
import { refuse, type WebCall } from './call.ts'
import { change, changeAll, history, list, makeTitle } from './conversations.ts'
import { detailsOf } from './details.ts'
import { announce, complete, download } from './files/files.ts'
import * as interpreter from './interpreter.ts'
import { change as changePlugin, listApproved, listInstalled } from './plugins/plugins.ts'
import type { Web } from './web.ts'

type Route = { method: string; path: RegExp; answer: (call: WebCall) => void }

const ROUTES: readonly Route[] = [
  { method: 'GET', path: /^conversations$/, answer: list },
  { method: 'PATCH', path: /^conversations$/, answer: changeAll },
  { method: 'POST', path: /^conversation$/, answer: ask },
  { method: 'POST', path: /^conversation\/gen_title\/([^/]+)$/, answer: makeTitle },
  { method: 'GET', path: /^conversation\/([^/]+)\/interpreter$/, answer: interpreter.read },
  { method: 'GET', path: /^conversation\/([^/]+)\/interpreter\/download$/, answer: interpreter.download },
  { method: 'GET', path: /^conversation\/([^/]+)$/, answer: history },
  { method: 'PATCH', path: /^conversation\/([^/]+)$/, answer: change },
  { method: 'GET', path: /^aip\/p$/, answer: listInstalled },
  { method: 'GET', path: /^aip\/p\/approved$/, answer: listApproved },
  { method: 'PATCH', path: /^aip\/p\/([^/]+)\/user-settings$/, answer: changePlugin },
  { method: 'POST', path: /^files$/, answer: announce },
  { method: 'POST', path: /^files\/([^/]+)\/uploaded$/, answer: complete },
  { method: 'GET', path: /^files\/([^/]+)\/download$/, answer: download },
  { method: 'GET', path: /^accounts\/check\/v4-2023-04-27$/, answer: check },
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
  const details = detailsOf(request)
  const entry = upstream.journal.open({ path, authorization, body, web: details }, text?.length ?? 0)
  response.on('close', () => upstream.journal.end(entry, 'aborted'))

  const token = /^Bearer (.+)$/.exec(authorization)?.[1]
  if (token === undefined || (web_token !== undefined && token !== web_token)) {
    upstream.journal.end(entry, 'fault')
    return sendJson(response, 401, { detail: { message: 'Could not validate your token.', code: 'token_invalid' } })
  }
  const account = web.account(token, details.account_id)
  const query = new URLSearchParams(details.query)
  const call: WebCall = { request, response, id: '', query, body, entry, account, web, upstream }
  const below = path.slice('/web/'.length)
  for (const route of ROUTES) {
    const found = route.method === request.method ? route.path.exec(below) : null
    if (found) return route.answer({ ...call, id: found[1] ?? '' })
  }
  return refuse(call, 404, 'Not Found')
}
