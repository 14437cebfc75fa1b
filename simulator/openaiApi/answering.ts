import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Fault } from '../foundation/faults.ts'
import { parseJson, readBody } from '../foundation/http.ts'
import type { JournalEntry } from '../foundation/journal.ts'
import type { Upstream, UpstreamRefusal } from '../foundation/upstream.ts'
import { type Reply, replyTo } from './reply.ts'
import type { ChatRequest } from './request.ts'

const TOO_LARGE = { status: 413, message: 'Request too large.', type: 'invalid_request_error', param: null, code: null }

export type Answering = {
  chat: ChatRequest
  reply: Reply
  fault: Fault | undefined
  entry: JournalEntry
  response: ServerResponse
  upstream: Upstream
  /** Under which address the upstream was asked. */
  origin: string
}

/** A way in which questions are asked. */
export type Protocol = {
  path: string
  read: (body: unknown) => ChatRequest | { refusal: UpstreamRefusal }
  refuse: (response: ServerResponse, refusal: UpstreamRefusal) => void
  answer: (answering: Answering) => void
}

/** POST of a question: journal first, then a fault if one is due, else the answer. */
export async function answerRequest(
  request: IncomingMessage,
  response: ServerResponse,
  upstream: Upstream,
  { path, read, refuse, answer }: Protocol,
) {
  const body = await readBody(request)
  if (body === undefined) return refuse(response, TOO_LARGE)
  const parsed = parseJson(body)
  const authorization = request.headers.authorization ?? ''
  const entry = upstream.journal.open({ path, authorization, body: parsed }, body.length)
  response.on('close', () => upstream.journal.end(entry, 'aborted'))

  response.setHeaders(upstream.headers)
  const refusal = upstream.refusalOfKey(request)
  if (refusal) return refused(refusal)
  const chat = read(parsed)
  if ('refusal' in chat) return refused(chat.refusal)

  const reply = replyTo(chat, upstream.takeAnswer)
  const fault = reply.title ? undefined : (reply.directives.fault ?? upstream.faults.take())
  if (fault?.kind === 'silence') return
  const delay_ms = fault?.kind === 'slow_first_byte' ? fault.delay_ms : upstream.first_token_ms
  const origin = `http://${request.headers.host ?? 'localhost'}`
  const answering = { chat, reply, fault, entry, response, upstream, origin }
  if (delay_ms > 0) upstream.later(delay_ms, response, () => answer(answering))
  else answer(answering)

  function refused(why: UpstreamRefusal) {
    upstream.journal.end(entry, 'fault')
    refuse(response, why)
  }
}
