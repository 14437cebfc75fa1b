import type { IncomingMessage, ServerResponse } from 'node:http'
import { type openFaults, faultFrom } from './foundation/faults.ts'
import { isRecord, parseJson, readBody, sendJson } from './foundation/http.ts'
import type { Journal } from './foundation/journal.ts'
import { CALLS, webFaultFrom } from './openaiWeb/state/faults.ts'
import type { Web } from './openaiWeb/state/web.ts'
import type { Pace } from './foundation/pace.ts'

const MAX_CONVERSATIONS = 200_000

export type Control = {
  journal: Journal
  pace: Pace
  faults: ReturnType<typeof openFaults>
  addAnswer: (text: string) => void
  setHeaders: (headers: Readonly<Record<string, string>>) => void
  web: Web
}

/** /simulator/*: faults, answers, pace and journal for other processes of this machine. */
export async function answerControl(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  control: Control,
) {
  if (!isFromThisMachine(request)) return sendJson(response, 403, { error: 'the controls answer on loopback only' })
  if (request.method === 'GET' && path === '/simulator/journal') {
    const after = Number(new URL(request.url ?? '/', 'http://simulator').searchParams.get('after') ?? 0)
    return sendJson(
      response,
      200,
      control.journal.entries.filter(entry => entry.id > after),
    )
  }
  if (request.method !== 'POST') return sendJson(response, 404, { error: `nothing at ${path}` })
  const wanted = parseJson((await readBody(request)) ?? '')
  const wrong = isRecord(wanted) ? change(path, wanted, control) : 'a JSON object is wanted'
  return wrong === undefined ? sendJson(response, 200, { done: true }) : sendJson(response, 400, { error: wrong })
}

/** Applies a change; returns what is wrong with it, or undefined. */
function change(
  path: string,
  wanted: Record<string, unknown>,
  { faults, pace, addAnswer, setHeaders, web }: Control,
): string | undefined {
  switch (path) {
    case '/simulator/web':
      return changeWeb(wanted, web)
    case '/simulator/faults': {
      if (wanted.call !== undefined) return addWebFault(wanted, web)
      const fault = faultFrom(String(wanted.kind), wanted)
      if (!fault) return `no such fault: ${String(wanted.kind)}`
      faults.add(fault, typeof wanted.times === 'number' ? wanted.times : 1)
      return undefined
    }
    case '/simulator/answers':
      if (typeof wanted.text !== 'string') return 'text is wanted'
      addAnswer(wanted.text)
      return undefined
    case '/simulator/headers':
      setHeaders(Object.fromEntries(Object.entries(wanted).map(([name, value]) => [name, String(value)])))
      return undefined
    case '/simulator/pace':
      if (typeof wanted.tokens_per_second !== 'number' || !(wanted.tokens_per_second >= 0))
        return 'tokens_per_second is wanted'
      pace.set(wanted.tokens_per_second)
      return undefined
    default:
      return `nothing at ${path}`
  }
}

function addWebFault({ call, kind, times, ...given }: Record<string, unknown>, web: Web): string | undefined {
  const name = CALLS.find(each => each === call)
  const fault = webFaultFrom(String(kind), given)
  if (name === undefined || fault === undefined) return `no such fault: ${String(kind)} of ${String(call)}`
  web.nextFault(name, fault, times === 'always' ? Infinity : typeof times === 'number' ? times : 1)
  return undefined
}

/** The state of the web protocol: how answers are sent, and one account of it. */
function changeWeb(wanted: Record<string, unknown>, web: Web): string | undefined {
  const { transport, token, account_id, conversations, fail } = wanted
  if (transport === 'events' || transport === 'websocket') web.transport = transport
  else if (transport !== undefined) return 'transport is events or websocket'
  if (wanted.encoding === 'whole' || wanted.encoding === 'delta') web.encoding = wanted.encoding
  if (wanted.file_ids === 'hyphen' || wanted.file_ids === 'underscore') web.file_ids = wanted.file_ids
  const account = web.account(
    typeof token === 'string' ? token : undefined,
    typeof account_id === 'string' ? account_id : null,
  )
  if (typeof conversations === 'number') account.addConversations(Math.min(conversations, MAX_CONVERSATIONS))
  if (typeof fail === 'number') account.fail(fail)
  if (fail === null) account.recover()
  if (wanted.clear_faults === true) web.clearFaults()
  return undefined
}

/** A page in a browser may not use the controls: browsers send Origin with every POST. */
function isFromThisMachine(request: IncomingMessage): boolean {
  const address = request.socket.remoteAddress ?? ''
  return request.headers.origin === undefined && (address === '::1' || /^(::ffff:)?127\./.test(address))
}
