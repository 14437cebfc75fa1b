import type { IncomingMessage, ServerResponse } from 'node:http'
import { parseJson, readBody, sendJson } from '../foundation/http.ts'
import type { Upstream } from '../foundation/upstream.ts'
import { changePlugin, checkAccounts, listApproved, listInstalled } from './accounts.ts'
import { ask } from './asking/ask.ts'
import { refuse, refuseByFault, type WebCall } from './state/call.ts'
import { change, changeAll, history, list, makeTitle } from './conversations.ts'
import { detailsOf } from '../foundation/journal.ts'
import type { CallName, WebFault } from './state/faults.ts'
import { announce, complete, downloadFile, downloadFromSandbox, interpreterState } from './files.ts'
import type { WebState } from './state/web.ts'

type Route = {
  name: CallName
  method: string
  path: RegExp
  answer: (call: WebCall, fault: WebFault | undefined) => void
}

const ROUTES: readonly Route[] = [
  { name: 'list', method: 'GET', path: /^conversations$/, answer: list },
  { name: 'change_all', method: 'PATCH', path: /^conversations$/, answer: changeAll },
  { name: 'ask', method: 'POST', path: /^conversation$/, answer: ask },
  { name: 'title', method: 'POST', path: /^conversation\/gen_title\/([^/]+)$/, answer: makeTitle },
  { name: 'interpreter', method: 'GET', path: /^conversation\/([^/]+)\/interpreter$/, answer: interpreterState },
  {
    name: 'sandbox',
    method: 'GET',
    path: /^conversation\/([^/]+)\/interpreter\/download$/,
    answer: downloadFromSandbox,
  },
  { name: 'history', method: 'GET', path: /^conversation\/([^/]+)$/, answer: history },
  { name: 'change', method: 'PATCH', path: /^conversation\/([^/]+)$/, answer: change },
  { name: 'plugins', method: 'GET', path: /^aip\/p$/, answer: listInstalled },
  { name: 'plugins', method: 'GET', path: /^aip\/p\/approved$/, answer: listApproved },
  { name: 'install', method: 'PATCH', path: /^aip\/p\/([^/]+)\/user-settings$/, answer: changePlugin },
  { name: 'announce', method: 'POST', path: /^files$/, answer: announce },
  { name: 'complete', method: 'POST', path: /^files\/([^/]+)\/uploaded$/, answer: complete },
  { name: 'download', method: 'GET', path: /^files\/([^/]+)\/download$/, answer: downloadFile },
  { name: 'accounts', method: 'GET', path: /^accounts\/check\/v4-2023-04-27$/, answer: checkAccounts },
]

/** The openai_web protocol, below /web/. */
export async function answerOpenaiWeb(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  { web, web_token, upstream }: { web: WebState; web_token: string | undefined; upstream: Upstream },
) {
  const text = await readBody(request)
  const body = text === undefined || text === '' ? null : parseJson(text)
  const { authorization = '' } = request.headers
  const details = detailsOf(request)
  const entry = upstream.journal.open({ path, authorization, body, web: details }, text?.length ?? 0)
  response.on('close', () => {
    if (details.transport === 'http') upstream.journal.end(entry, 'aborted')
  })

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
    if (found) return answerRoute({ ...call, id: found[1] ?? '' }, route)
  }
  return refuse(call, 404, 'Not Found')
}

/** Applies a fault that is due. A fault that is not a refusal is passed on to the call. */
function answerRoute(call: WebCall, { name, answer }: Route) {
  const { failing } = call.account
  const fault: WebFault | undefined = failing === null ? call.web.takeFault(name) : { kind: 'status', status: failing }
  if (fault !== undefined && refuseByFault(call, fault)) return
  if (fault?.kind === 'slow_first_byte' && name !== 'ask')
    return call.upstream.later(fault.delay_ms, call.response, () => answer(call, undefined))
  answer(call, fault)
  if (call.request.method !== 'GET') call.web.changed()
}
