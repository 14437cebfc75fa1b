import type { IncomingMessage, ServerResponse } from 'node:http'
import { type createFaults, faultFrom } from './faults.ts'
import { isRecord, parseJson, readBody, sendJson } from './http.ts'
import type { Journal } from './journal.ts'
import type { Pace } from './pace.ts'

export type Control = {
  journal: Journal
  pace: Pace
  faults: ReturnType<typeof createFaults>
  addAnswer: (text: string) => void
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
  { faults, pace, addAnswer }: Control,
): string | undefined {
  switch (path) {
    case '/simulator/faults': {
      const fault = faultFrom(String(wanted.kind), wanted)
      if (!fault) return `no such fault: ${String(wanted.kind)}`
      faults.add(fault, typeof wanted.times === 'number' ? wanted.times : 1)
      return undefined
    }
    case '/simulator/answers':
      if (typeof wanted.text !== 'string') return 'text is wanted'
      addAnswer(wanted.text)
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

/** A page in a browser may not use the controls: browsers send Origin with every POST. */
function isFromThisMachine(request: IncomingMessage): boolean {
  const address = request.socket.remoteAddress ?? ''
  return request.headers.origin === undefined && (address === '::1' || /^(::ffff:)?127\./.test(address))
}
