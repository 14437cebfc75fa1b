import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Fault } from '../faults.ts'
import { parseJson, readBody, sendJson } from '../http.ts'
import type { JournalEntry } from '../journal.ts'
import type { Upstream } from '../upstream.ts'
import { refuse, refuseByFault } from './errors.ts'
import { framesOf, usageOf } from './frames.ts'
import { type Reply, replyTo } from './reply.ts'
import { type ChatRequest, readChatRequest, refusalOf } from './request.ts'
import { HUGE_TEXT, scriptOf } from './script.ts'
import { writeScript } from './writer.ts'

const TOO_LARGE = { status: 413, message: 'Request too large.', type: 'invalid_request_error', param: null, code: null }

type Answering = {
  chat: ChatRequest
  reply: Reply
  fault: Fault | undefined
  entry: JournalEntry
  response: ServerResponse
  upstream: Upstream
}

/** POST /v1/chat/completions: journal first, then a fault if one is due, else the answer. */
export async function answerCompletion(request: IncomingMessage, response: ServerResponse, upstream: Upstream) {
  const body = await readBody(request)
  if (body === undefined) return refuse(response, TOO_LARGE)
  const parsed = parseJson(body)
  const authorization = request.headers.authorization ?? ''
  const entry = upstream.journal.open({ path: '/v1/chat/completions', authorization, body: parsed }, body.length)
  response.on('close', () => upstream.journal.end(entry, 'aborted'))

  const refusal = upstream.refusalOfKey(request)
  if (refusal) return refused(refusal)
  const chat = readChatRequest(parsed)
  if ('refusal' in chat) return refused(chat.refusal)

  const reply = replyTo(chat, upstream.takeAnswer)
  const fault = reply.title ? undefined : (reply.directives.fault ?? upstream.faults.take())
  const delay_ms = fault?.kind === 'slow_first_byte' ? fault.delay_ms : upstream.first_token_ms
  const answering = { chat, reply, fault, entry, response, upstream }
  if (delay_ms > 0) upstream.later(delay_ms, response, () => answer(answering))
  else answer(answering)

  function refused(why: Parameters<typeof refuse>[1]) {
    upstream.journal.end(entry, 'fault')
    refuse(response, why)
  }
}

function answer(answering: Answering) {
  const { chat, reply, fault, entry, response, upstream } = answering
  const { journal, pace } = upstream
  if (fault?.kind === 'silence') return
  const notUnderstood = fault === undefined ? undefined : refusalOf(fault, chat)
  if (fault !== undefined && notUnderstood !== undefined) {
    // The fault is queued again, so that it refuses until a request no longer asks for this.
    if (reply.directives.fault === undefined) upstream.faults.add(fault)
    journal.end(entry, 'fault')
    return refuse(response, notUnderstood)
  }
  if (fault?.kind === 'status') {
    journal.end(entry, 'fault')
    refuseByFault(response, fault)
  } else if (chat.stream && !(fault?.kind === 'form' && fault.form === 'json')) {
    const frames = framesOf(reply, { id: entry.id, model: chat.model, include_usage: chat.include_usage })
    const script = scriptOf(reply, frames, fault, chat.include_usage)
    writeScript(script, { response, entry, journal, pace, ownRate: reply.directives.pace, later: upstream.later })
  } else {
    answerWhole(answering)
  }
}

/** Without streaming the whole answer is one body; faults of a stream happen in the middle of it. */
function answerWhole({ chat, reply, fault, entry, response, upstream }: Answering) {
  const filler = fault?.kind === 'huge_line' ? HUGE_TEXT : ''
  const content = filler + Array.from({ length: reply.count }, (_, index) => reply.token(index)).join('')
  const whole = {
    id: `chatcmpl-simulated-${entry.id}`,
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1_000),
    model: chat.model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content, refusal: null },
        logprobs: null,
        finish_reason: reply.finish_reason,
      },
    ],
    usage: usageOf(reply),
    system_fingerprint: 'fp_simulator',
  }
  if (fault?.kind === 'cut' || fault?.kind === 'stall' || fault?.kind === 'malformed') {
    const half = JSON.stringify(whole).slice(0, -20)
    response.writeHead(200, { 'content-type': 'application/json' })
    if (fault.kind === 'malformed') {
      response.end(half, () => upstream.journal.end(entry, 'complete'))
    } else {
      response.write(half, () => {
        if (fault.kind === 'stall') return
        upstream.journal.end(entry, 'fault')
        response.destroy()
      })
    }
    return
  }
  upstream.journal.sent(entry, content)
  response.on('finish', () => upstream.journal.end(entry, 'complete'))
  sendJson(response, 200, whole)
}
