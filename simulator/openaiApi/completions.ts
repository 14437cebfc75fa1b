import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Fault } from '../foundation/faults.ts'
import { parseJson, readBody, sendJson } from '../foundation/http.ts'
import type { JournalEntry } from '../foundation/journal.ts'
import type { Upstream } from '../foundation/upstream.ts'
import { refuse, refuseByFault } from './errors.ts'
import { type ChatRequest, readChatRequest, refusalOf } from './request.ts'
import { framesOf, usageOf, type Frames, writeScript, type Script } from './writer.ts'
import { painting } from '../answers/pictures.ts'
import { errorScript, formScript, thoughtScript } from './oddScripts.ts'
import { type Reply, replyTo } from './reply.ts'

const TOO_LARGE = { status: 413, message: 'Request too large.', type: 'invalid_request_error', param: null, code: null }

type Answering = {
  chat: ChatRequest
  reply: Reply
  fault: Fault | undefined
  entry: JournalEntry
  response: ServerResponse
  upstream: Upstream
  /** Under which address the upstream was asked. */
  origin: string
}

/** POST /v1/chat/completions: journal first, then a fault if one is due, else the answer. */
async function answerCompletion(request: IncomingMessage, response: ServerResponse, upstream: Upstream) {
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
  const origin = `http://${request.headers.host ?? 'localhost'}`
  const answering = { chat, reply, fault, entry, response, upstream, origin }
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
    const script = scriptOf(answering, frames)
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

/** The openai_api protocol, below /v1/. */
export async function answerOpenaiApi(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  upstream: Upstream,
) {
  if (request.method === 'POST' && path === '/v1/chat/completions') return answerCompletion(request, response, upstream)
  const entry = upstream.journal.open({ path, authorization: request.headers.authorization ?? '', body: null }, 0)
  // Who fetches a picture by its link has no key.
  const refusal = path.startsWith('/pictures/') ? undefined : upstream.refusalOfKey(request)
  if (!refusal && request.method === 'GET' && path === '/v1/models') {
    upstream.journal.end(entry, 'complete')
    return sendJson(response, 200, modelList())
  }
  const picture = /^\/pictures\/(\d{1,6})\.png$/.exec(path)?.[1]
  if (request.method === 'GET' && picture !== undefined) {
    upstream.journal.end(entry, 'complete')
    response.writeHead(200, { 'content-type': 'image/png' })
    return response.end(painting(Number(picture), 'dawn'))
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

/** A line longer than any reader should accept. */
const HUGE_TEXT = 'x'.repeat(1_200_000)
const BROKEN_LINE = 'data: {"id":"chatcmpl-broken","choices":[{"delta":{"content":"lo\n\n'
const ODD_TEXT = 'data: [DONE] 是“重点”，not the end ✓ '

function scriptOf({ chat: { include_usage }, reply, fault, origin }: Answering, frames: Frames): Script {
  const usage = include_usage ? frames.usageOnly : ''
  const plain: Script = {
    opening: frames.opening,
    count: reply.count,
    token: reply.token,
    frame: text => frames.token(text),
    closing: frames.finish + usage + frames.done,
    ending: 'complete',
    split: false,
  }
  switch (fault?.kind) {
    case 'cut':
      return { ...plain, count: Math.min(reply.count, fault.after_tokens), ending: 'cut' }
    case 'stall':
      return stalledScript(plain, fault.after_tokens)
    case 'malformed':
      return {
        ...plain,
        frame: (text, index) => (index === fault.after_tokens ? BROKEN_LINE : '') + frames.token(text),
        closing: (fault.after_tokens >= reply.count ? BROKEN_LINE : '') + plain.closing,
      }
    case 'huge_line':
      return { ...plain, opening: plain.opening + frames.token(HUGE_TEXT) }
    case 'no_done':
      return { ...plain, closing: frames.finish + usage }
    case 'odd':
      return oddScript(reply, frames)
    case 'slow_first_token':
      return { ...plain, pause_ms: fault.delay_ms }
    case 'finish':
      return { ...plain, count: Math.min(reply.count, fault.after_tokens), closing: finishClosing(frames, fault) }
    case 'error':
      return errorScript(plain, frames, fault)
    case 'thoughts':
      return thoughtScript(plain, frames, fault)
    case 'form':
      return formScript(plain, frames, fault.form, origin)
    default:
      return plain
  }
}

const finishClosing = (frames: Frames, { reason, done }: Extract<Fault, { kind: 'finish' }>): string =>
  (reason === null ? '' : frames.delta('{}', reason)) + (done ? frames.done : '')

/** Headers only: neither the opening nor a token. */
function stalledScript(plain: Script, after_tokens: number): Script {
  const opening = after_tokens === 0 ? '' : plain.opening
  return { ...plain, opening, count: Math.min(plain.count, after_tokens), ending: 'stall' }
}

/**
 * What the format allows but readers often miss: CR LF, comments, other fields, null content, chunks with usage alone.
 */
function oddScript(reply: Reply, frames: Frames): Script {
  const crlf = (text: string) => text.replaceAll('\n', '\r\n')
  const filter = 'data: {"choices":[],"prompt_filter_results":[]}\n\n'
  return {
    opening: crlf(`: stream opened\n\nretry: 1000\n\n${filter}${frames.opening}${frames.nullContent}`),
    count: reply.count + 1,
    token: index => (index === 0 ? ODD_TEXT : reply.token(index - 1)),
    frame: (text, index) => {
      const data = index % 2 === 0 ? frames.token(text).replace('data: ', 'data:') : frames.token(text)
      return crlf((index % 3 === 0 ? ': keep-alive\n' : '') + (index % 4 === 1 ? `id: ${index}\n` : '') + data)
    },
    closing: crlf(frames.finish + frames.usageOnly + frames.done),
    ending: 'complete',
    split: true,
  }
}
